"""Random play-outs of OpenSpiel's trick games from Python. Run by openspiel.sh, in the virtual environment that it makes.

    openspiel.py SECONDS GAME...     one JSON line a game; games that this version does not have are named on standard error
"""

import json
import random
import sys
import time

import pyspiel


def sample(outcomes, rng):
    left = rng.random()
    for action, chance in outcomes:
        left -= chance
        if left < 0:
            return action
    return outcomes[-1][0]


def playouts(game, seconds, rng):
    """Counts until the time is up. Chance nodes (the deal, mostly) come in stretches; each stretch is timed as a whole.

    Times are those of the processor: on a shared machine, time on the wall measures the neighbours.
    """
    games = decisions = chances = 0
    dealing = 0.0
    clock = time.thread_time
    start = clock()
    while clock() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                before = clock()
                while state.is_chance_node():
                    state.apply_action(sample(state.chance_outcomes(), rng))
                    chances += 1
                dealing += clock() - before
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.random() * len(actions))])
                decisions += 1
        assert state.returns()
        games += 1
    return clock() - start, dealing, games, decisions, chances


def main():
    seconds = float(sys.argv[1])
    known = set(pyspiel.registered_names())
    for name in sys.argv[2:]:
        if name.split("(")[0] not in known:
            print(f"openspiel.py: this OpenSpiel has no {name}", file=sys.stderr)
            continue
        game = pyspiel.load_game(name)
        rng = random.Random(1)
        playouts(game, seconds / 10, rng)
        took, dealing, games, decisions, chances = playouts(game, seconds, rng)
        line = {
            "peer": "openspiel-python",
            "game": name,
            "seconds": round(took, 3),
            "games": games,
            "decisions": decisions,
            "chance_nodes": chances,
            "decisions_per_second": round(decisions / took),
            "decisions_per_second_without_dealing": round(decisions / (took - dealing)),
        }
        print(json.dumps(line), flush=True)


main()
