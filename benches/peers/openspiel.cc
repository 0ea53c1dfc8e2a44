// Random play-outs of OpenSpiel's games through OpenSpiel's own C++ interface. Only this driver is ours: openspiel.sh builds it against the
// sources that the Python package carries.
//
//   openspiel bench SECONDS GAME...   one JSON line a game
//   openspiel deals GAME COUNT        plays so many and prints how many decisions they had, for counting instructions
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "clock.h"
#include "open_spiel/spiel.h"
#include "rng.h"

static double since(double start) { return clock_now() - start; }

static open_spiel::Action sample(const open_spiel::ActionsAndProbs& outcomes, Rng& rng) {
  double left = rng.unit();
  for (const auto& [action, chance] : outcomes) {
    left -= chance;
    if (left < 0) return action;
  }
  return outcomes.back().first;
}

struct Tally {
  std::uint64_t games = 0, decisions = 0, chances = 0;
  double chance_seconds = 0;
};

// Chance nodes (the deal, mostly) come in stretches; the clock is read at both ends of a stretch, so that decisions can be told from dealing.
static void playout(const open_spiel::Game& game, Rng& rng, Tally& tally) {
  std::unique_ptr<open_spiel::State> state = game.NewInitialState();
  while (!state->IsTerminal()) {
    if (state->IsChanceNode()) {
      const auto start = clock_now();
      do {
        state->ApplyAction(sample(state->ChanceOutcomes(), rng));
        ++tally.chances;
      } while (state->IsChanceNode());
      tally.chance_seconds += since(start);
    } else {
      const std::vector<open_spiel::Action> actions = state->LegalActions();
      state->ApplyAction(actions[rng.below(actions.size())]);
      ++tally.decisions;
    }
  }
  const std::vector<double> returns = state->Returns();
  if (returns.empty()) std::abort();
  ++tally.games;
}

// The solver that bridge links tears itself down twice on an ordinary way out.
[[noreturn]] static void leave() {
  std::fflush(stdout);
  std::_Exit(0);
}

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "deals") == 0) {
    const auto game = open_spiel::LoadGame(argv[2]);
    Rng rng(1);
    Tally tally;
    for (int left = std::atoi(argv[3]); left > 0; --left) playout(*game, rng, tally);
    std::printf("%llu\n", (unsigned long long)tally.decisions);
    leave();
  }
  if (argc < 4 || std::strcmp(argv[1], "bench") != 0) {
    return std::fprintf(stderr, "usage: openspiel bench SECONDS GAME... | openspiel deals GAME COUNT\n"), 2;
  }
  const double seconds = std::atof(argv[2]);
  for (int at = 3; at < argc; ++at) {
    const auto game = open_spiel::LoadGame(argv[at]);
    Rng rng(1);
    Tally warm, tally;
    for (auto start = clock_now(); since(start) < seconds / 10;) playout(*game, rng, warm);
    const auto start = clock_now();
    while (since(start) < seconds) playout(*game, rng, tally);
    const double took = since(start);
    std::printf(
        "{\"peer\": \"openspiel-c++\", \"game\": \"%s\", \"seconds\": %.3f, \"games\": %llu, \"decisions\": %llu, \"chance_nodes\": %llu, "
        "\"decisions_per_second\": %.0f, \"decisions_per_second_without_dealing\": %.0f}\n",
        argv[at], took, (unsigned long long)tally.games, (unsigned long long)tally.decisions, (unsigned long long)tally.chances,
        tally.decisions / took, tally.decisions / (took - tally.chance_seconds));
    std::fflush(stdout);
  }
  leave();
}
