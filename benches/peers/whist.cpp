// Random play-outs of whist and nap, written by hand in C++17: what the tricks cost when the rules are built in.
//
//   whist bench SECONDS     one JSON line for each game and style
//   whist check             plays the same deals in every style and fails if they disagree
//   whist deals GAME STYLE COUNT
//                           plays so many deals and prints how many decisions they had, for counting instructions
//
// Styles:
//   framework   what a generic framework offers: a base class with virtual functions, a fresh vector of legal moves at every decision, one
//               chosen at random, apply(); a new state on the heap for every deal. What play-outs of OpenSpiel's interface do.
//   buffer      the same states, called directly, and one vector filled again and again.
//   bone        no list of moves and no state that could be copied or asked: one function that plays a deal from masks. The floor.
//
// Whist: four players, two sides; the last card dealt, to the dealer, is turned up and makes trumps; the dealer's left leads; follow suit if you
// can; highest trump, else highest of the suit led, takes the trick; a side scores its tricks over six. Honours are not counted.
// Nap: two to five players, five cards each; one round of calls from the dealer's left, pass, two, three, four or nap, each higher than the
// last; nap ends the calling; a dealer to whom all have passed must make one at least; the caller leads and the suit of his first card is trumps;
// play ends as soon as the call is made or lost; each opponent pays the number called, ten for nap, and a caller who fails pays each of them the
// number called.
// A decision is a call or a card, also where only one is legal. A deal is shuffled as far as cards are dealt. The deal passes to the left.
#ifdef __BMI2__
#include <immintrin.h>
#endif

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clock.h"
#include "rng.h"

// A card is 16 * suit + rank, so that each suit has sixteen bits of a mask to itself.
using Mask = std::uint64_t;

constexpr int kPack = 52;
constexpr Mask kSuit = 0xFFFF;

static int suit_of(int card) { return card >> 4; }
static Mask suit_mask(int suit) { return kSuit << (16 * suit); }
static Mask bit(int card) { return Mask{1} << card; }
static int lowest(Mask mask) { return __builtin_ctzll(mask); }
static int highest(Mask mask) { return 63 - __builtin_clzll(mask); }

static int at_index(Mask mask, int index) {
#ifdef __BMI2__
  return lowest(_pdep_u64(Mask{1} << index, mask));
#else
  for (; index > 0; --index) mask &= mask - 1;
  return lowest(mask);
#endif
}

static Mask legal_cards(Mask hand, Mask led) {
  const Mask follow = hand & led;
  return follow ? follow : hand;
}

// The first `count` cards of the pack are dealt at random; the rest keep whatever order they had.
class Pack {
 public:
  Pack() {
    for (int at = 0; at < kPack; ++at) cards_[at] = static_cast<std::uint8_t>(16 * (at / 13) + at % 13);
  }
  void deal(int count, Rng& rng) {
    for (int at = 0; at < count; ++at) std::swap(cards_[at], cards_[at + rng.below(kPack - at)]);
  }
  int operator[](int at) const { return cards_[at]; }

 private:
  std::array<std::uint8_t, kPack> cards_;
};

// What a framework asks of a game.
class State {
 public:
  virtual ~State() = default;
  virtual std::unique_ptr<State> clone() const = 0;
  virtual bool over() const = 0;
  virtual int current_player() const = 0;
  virtual std::vector<int> legal_actions() const = 0;
  virtual void apply(int action) = 0;
  virtual std::vector<int> returns() const = 0;
};

static void put_cards(Mask mask, std::vector<int>& actions) {
  for (; mask; mask &= mask - 1) actions.push_back(lowest(mask));
}

// A trick in progress, for both games. Without trumps yet, `trump` is the empty mask.
class Trick {
 public:
  void lead(int player) { leader_ = player, played_ = 0, led_ = 0; }
  void play(int player, int card, Mask trump) {
    const Mask suit = suit_mask(suit_of(card));
    if (played_ == 0) led_ = suit;
    const bool beats = played_ == 0 || (suit == suit_mask(suit_of(best_)) ? card > best_ : suit == trump);
    if (beats) best_ = card, winner_ = player;
    ++played_;
  }
  int leader() const { return leader_; }
  int played() const { return played_; }
  int winner() const { return winner_; }
  Mask led() const { return led_; }

 private:
  Mask led_ = 0;
  int leader_ = 0, played_ = 0, best_ = 0, winner_ = 0;
};

class Whist final : public State {
 public:
  Whist(int dealer, const Pack& pack) : player_((dealer + 1) % 4) {
    for (int at = 0; at < kPack; ++at) hands_[(dealer + 1 + at) % 4] |= bit(pack[at]);
    trump_ = suit_mask(suit_of(pack[kPack - 1]));
    trick_.lead(player_);
  }
  std::unique_ptr<State> clone() const override { return std::make_unique<Whist>(*this); }
  bool over() const override { return tricks_[0] + tricks_[1] == 13; }
  int current_player() const override { return player_; }
  void legal_actions(std::vector<int>& actions) const {
    actions.clear();
    put_cards(legal_cards(hands_[player_], trick_.led()), actions);
  }
  std::vector<int> legal_actions() const override {
    std::vector<int> actions;
    actions.reserve(13);
    legal_actions(actions);
    return actions;
  }
  void apply(int card) override {
    hands_[player_] &= ~bit(card);
    trick_.play(player_, card, trump_);
    player_ = (player_ + 1) % 4;
    if (trick_.played() == 4) {
      player_ = trick_.winner();
      ++tricks_[player_ % 2];
      trick_.lead(player_);
    }
  }
  std::vector<int> returns() const override {
    const int odd = tricks_[0] - 6, other = tricks_[1] - 6;
    const int score = odd > 0 ? odd : -other;
    return {score, -score, score, -score};
  }

 private:
  std::array<Mask, 4> hands_{};
  Mask trump_ = 0;
  Trick trick_;
  std::array<int, 2> tricks_{};
  int player_;
};

enum Call { kPass = 0, kOne = 1, kTwo = 2, kThree = 3, kFour = 4, kNap = 5 };

static int nap_payment(int call, bool made) { return call == kNap && made ? 10 : made ? call : -call; }

class Nap final : public State {
 public:
  // Calls are numbered behind the cards.
  static constexpr int kCalls = 64;

  Nap(int players, int dealer, const Pack& pack) : players_(players), player_((dealer + 1) % players), dealer_(dealer) {
    for (int at = 0; at < 5 * players; ++at) hands_[(dealer + 1 + at) % players] |= bit(pack[at]);
  }
  std::unique_ptr<State> clone() const override { return std::make_unique<Nap>(*this); }
  bool over() const override { return over_; }
  int current_player() const override { return player_; }
  void legal_actions(std::vector<int>& actions) const {
    actions.clear();
    if (playing_) return put_cards(legal_cards(hands_[player_], trick_.led()), actions);
    actions.push_back(kCalls + (player_ == dealer_ && call_ == kPass ? kOne : kPass));
    for (int call = call_ < kTwo ? kTwo : call_ + 1; call <= kNap; ++call) actions.push_back(kCalls + call);
  }
  std::vector<int> legal_actions() const override {
    std::vector<int> actions;
    actions.reserve(5);
    legal_actions(actions);
    return actions;
  }
  void apply(int action) override { action >= kCalls ? apply_call(action - kCalls) : apply_card(action); }
  std::vector<int> returns() const override {
    const int payment = nap_payment(call_, made_ >= call_);
    std::vector<int> out(players_, -payment);
    out[caller_] = payment * (players_ - 1);
    return out;
  }

 private:
  void apply_call(int call) {
    if (call != kPass) call_ = call, caller_ = player_;
    if (call_ == kNap || player_ == dealer_) {
      playing_ = true;
      player_ = caller_;
      trick_.lead(player_);
    } else {
      player_ = next(player_);
    }
  }
  void apply_card(int card) {
    hands_[player_] &= ~bit(card);
    if (!trump_) trump_ = suit_mask(suit_of(card));
    trick_.play(player_, card, trump_);
    player_ = next(player_);
    if (trick_.played() == players_) {
      player_ = trick_.winner();
      ++(player_ == caller_ ? made_ : lost_);
      over_ = made_ == call_ || lost_ > 5 - call_;
      trick_.lead(player_);
    }
  }
  int next(int player) const { return player + 1 == players_ ? 0 : player + 1; }

  std::array<Mask, 5> hands_{};
  Mask trump_ = 0;
  Trick trick_;
  int players_, player_, dealer_;
  int call_ = kPass, caller_ = 0, made_ = 0, lost_ = 0;
  bool playing_ = false, over_ = false;
};

// What a stretch of deals came to. The sum depends on who won what in which order, so that two styles that agree on it played the same games.
struct Tally {
  std::uint64_t games = 0, decisions = 0, sum = 0;
  void add(int score) { ++games, sum = sum * 31 + static_cast<std::uint64_t>(static_cast<std::int64_t>(score)); }
};

template <typename Make>
void play_framework(Make make, Rng& rng, Tally& tally) {
  const std::unique_ptr<State> state = make();
  while (!state->over()) {
    const std::vector<int> actions = state->legal_actions();
    state->apply(actions[rng.below(actions.size())]);
    ++tally.decisions;
  }
  tally.add(state->returns()[0]);
}

template <typename Game>
void play_buffer(Game state, std::vector<int>& actions, Rng& rng, Tally& tally) {
  while (!state.over()) {
    state.legal_actions(actions);
    state.apply(actions[rng.below(actions.size())]);
    ++tally.decisions;
  }
  tally.add(state.returns()[0]);
}

static int random_card(Mask& hand, Mask led, Rng& rng) {
  const Mask legal = legal_cards(hand, led);
  const int card = at_index(legal, static_cast<int>(rng.below(__builtin_popcountll(legal))));
  hand &= ~bit(card);
  return card;
}

// Who took the trick: the highest trump that was played, else the highest card of the suit led. `cards` is in order of play.
static int taken_by(const int* cards, int count, Mask trump, Mask led) {
  Mask all = 0;
  for (int at = 0; at < count; ++at) all |= bit(cards[at]);
  const Mask best = all & trump ? all & trump : all & led;
  const int card = highest(best);
  int at = 0;
  while (cards[at] != card) ++at;
  return at;
}

static void whist_bone(int dealer, const Pack& pack, Rng& rng, Tally& tally) {
  Mask hands[4] = {};
  for (int at = 0; at < kPack; ++at) hands[(dealer + 1 + at) & 3] |= bit(pack[at]);
  const Mask trump = suit_mask(suit_of(pack[kPack - 1]));
  int leader = (dealer + 1) & 3, tricks = 0;
  for (int trick = 0; trick < 13; ++trick) {
    int cards[4];
    cards[0] = random_card(hands[leader], ~Mask{0}, rng);
    const Mask led = suit_mask(suit_of(cards[0]));
    for (int at = 1; at < 4; ++at) cards[at] = random_card(hands[(leader + at) & 3], led, rng);
    leader = (leader + taken_by(cards, 4, trump, led)) & 3;
    tricks += ~leader & 1;
  }
  tally.decisions += 52;
  // Tricks over six for one side are tricks short of seven for the other.
  tally.add(tricks > 6 ? tricks - 6 : tricks - 7);
}

static void nap_bone(int players, int dealer, const Pack& pack, Rng& rng, Tally& tally) {
  Mask hands[5] = {};
  for (int at = 0; at < 5 * players; ++at) hands[(dealer + 1 + at) % players] |= bit(pack[at]);
  int call = kPass, caller = 0;
  std::uint64_t decisions = 0;
  for (int turn = 1; turn <= players && call != kNap; ++turn) {
    const int floor = call < kTwo ? kTwo : call + 1;
    const int chosen = static_cast<int>(rng.below(kNap - floor + 2));
    ++decisions;
    if (chosen > 0 || (turn == players && call == kPass)) {
      call = chosen > 0 ? floor + chosen - 1 : static_cast<int>(kOne);
      caller = (dealer + turn) % players;
    }
  }
  Mask trump = 0;
  int leader = caller, made = 0, lost = 0;
  while (made < call && lost <= 5 - call) {
    int cards[5];
    cards[0] = random_card(hands[leader], ~Mask{0}, rng);
    const Mask led = suit_mask(suit_of(cards[0]));
    if (!trump) trump = led;
    for (int at = 1, player = leader; at < players; ++at) {
      player = player + 1 == players ? 0 : player + 1;
      cards[at] = random_card(hands[player], led, rng);
    }
    leader = (leader + taken_by(cards, players, trump, led)) % players;
    ++(leader == caller ? made : lost);
    decisions += players;
  }
  tally.decisions += decisions;
  const int payment = nap_payment(call, made >= call);
  tally.add(caller == 0 ? payment * (players - 1) : -payment);
}

enum Style { kFramework, kBuffer, kBone };
constexpr const char* kStyles[] = {"framework", "buffer", "bone"};

// A table plays deal after deal; players 0 stands for whist.
class Table {
 public:
  Table(int players, Style style) : players_(players), style_(style) {}

  void play(Rng& rng, Tally& tally) {
    const int seats = players_ ? players_ : 4;
    dealer_ = (dealer_ + 1) % seats;
    pack_.deal(players_ ? 5 * players_ : kPack, rng);
    if (players_) {
      if (style_ == kFramework) play_framework([&] { return std::make_unique<Nap>(players_, dealer_, pack_); }, rng, tally);
      if (style_ == kBuffer) play_buffer(Nap(players_, dealer_, pack_), actions_, rng, tally);
      if (style_ == kBone) nap_bone(players_, dealer_, pack_, rng, tally);
    } else {
      if (style_ == kFramework) play_framework([&] { return std::make_unique<Whist>(dealer_, pack_); }, rng, tally);
      if (style_ == kBuffer) play_buffer(Whist(dealer_, pack_), actions_, rng, tally);
      if (style_ == kBone) whist_bone(dealer_, pack_, rng, tally);
    }
  }

 private:
  int players_;
  Style style_;
  int dealer_ = 0;
  Pack pack_;
  std::vector<int> actions_;
};

static std::string name_of(int players) { return players ? "nap(players=" + std::to_string(players) + ")" : "whist"; }

constexpr int kTables[] = {0, 2, 3, 4, 5};

static int check() {
  for (int players : kTables) {
    Tally tallies[3];
    for (Style style : {kFramework, kBuffer, kBone}) {
      Rng rng(7);
      Table table(players, style);
      for (int deal = 0; deal < 20000; ++deal) table.play(rng, tallies[style]);
    }
    for (Style style : {kBuffer, kBone}) {
      if (tallies[style].sum != tallies[0].sum || tallies[style].decisions != tallies[0].decisions) {
        return std::fprintf(stderr, "%s: %s disagrees with framework\n", name_of(players).c_str(), kStyles[style]), 1;
      }
    }
    std::printf("%s: 20000 deals, %llu decisions, the same in all styles\n", name_of(players).c_str(), (unsigned long long)tallies[0].decisions);
  }
  return 0;
}

static int bench(double seconds) {
  const auto since = [](double start) { return clock_now() - start; };
  for (int players : kTables) {
    for (Style style : {kFramework, kBuffer, kBone}) {
      Rng rng(1);
      Table table(players, style);
      Tally warm, tally;
      const auto run = [&](double limit, Tally& into) {
        const auto start = clock_now();
        while (since(start) < limit) {
          for (int deal = 0; deal < 100; ++deal) table.play(rng, into);
        }
        return since(start);
      };
      run(seconds / 10, warm);
      const double took = run(seconds, tally);
      // Dealing alone, for the same number of deals, tells what of the time the tricks took.
      Pack pack;
      const auto start = clock_now();
      for (std::uint64_t deal = 0; deal < tally.games; ++deal) pack.deal(players ? 5 * players : kPack, rng);
      const double dealing = since(start);
      tally.sum += static_cast<std::uint64_t>(pack[0]);
      std::printf(
          "{\"peer\": \"by-hand-%s\", \"game\": \"%s\", \"seconds\": %.3f, \"games\": %llu, \"decisions\": %llu, "
          "\"decisions_per_second\": %.0f, \"decisions_per_second_without_dealing\": %.0f, \"sum\": \"%016llx\"}\n",
          kStyles[style], name_of(players).c_str(), took, (unsigned long long)tally.games, (unsigned long long)tally.decisions,
          tally.decisions / took, tally.decisions / (took - dealing), (unsigned long long)tally.sum);
      std::fflush(stdout);
    }
  }
  return 0;
}

static int deals(const std::string& game, const std::string& style, int count) {
  for (int players : kTables) {
    for (Style each : {kFramework, kBuffer, kBone}) {
      if (game != name_of(players) || style != kStyles[each]) continue;
      Rng rng(1);
      Table table(players, each);
      Tally tally;
      for (; count > 0; --count) table.play(rng, tally);
      return std::printf("%llu\n", (unsigned long long)tally.decisions), 0;
    }
  }
  return std::fprintf(stderr, "no such game or style\n"), 2;
}

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "check") == 0) return check();
  if (argc == 3 && std::strcmp(argv[1], "bench") == 0) return bench(std::atof(argv[2]));
  if (argc == 5 && std::strcmp(argv[1], "deals") == 0) return deals(argv[2], argv[3], std::atoi(argv[4]));
  return std::fprintf(stderr, "usage: whist bench SECONDS | whist check | whist deals GAME STYLE COUNT\n"), 2;
}
