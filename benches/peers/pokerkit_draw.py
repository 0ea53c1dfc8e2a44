"""Random play-outs of five-card draw at five seats in PokerKit. Run by pokerkit.sh, in the virtual environment that it makes.

    pokerkit_draw.py SECONDS     one JSON line

The game is the nearest that PokerKit has to an ordinary pool of Foster's: a blind of one, five cards each, a round of betting, one draw, a second
round, a show; pot limit stands for his limit. It has no straddles, no jack pots and no irregularities. The player who is to act throws his hand in,
meets the bet or raises by the least amount with equal chances, whatever of that is open to him, and draws a random set of his cards.
"""

import json
import random
import sys
import time

from pokerkit import Automation, BettingStructure, Deck, Opening, StandardHighHand, State, Street

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
PLAYERS = 5


def table():
    streets = (
        Street(False, (False,) * 5, 0, False, Opening.POSITION, 2, None),
        Street(False, (), 0, True, Opening.POSITION, 2, None),
    )
    return State(
        AUTOMATIONS, Deck.STANDARD, (StandardHighHand,), streets, BettingStructure.POT_LIMIT, True, 0, (1, 2), 0, (200,) * PLAYERS, PLAYERS
    )


def play_out(rng):
    """One deal; how many decisions it took."""
    state = table()
    decisions = 0
    while state.status:
        if state.stand_patter_or_discarder_index is not None:
            hand = state.hole_cards[state.stand_patter_or_discarder_index]
            state.stand_pat_or_discard(tuple(card for card in hand if rng.random() < 0.5))
        elif state.actor_index is not None:
            acts = [state.check_or_call]
            if state.can_fold():
                acts.append(state.fold)
            if state.can_complete_bet_or_raise_to():
                acts.append(lambda: state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount))
            rng.choice(acts)()
        else:
            raise AssertionError("nobody acts and the deal goes on")
        decisions += 1
    assert sum(state.stacks) == 200 * PLAYERS
    return decisions


def run(seconds, rng):
    deals = decisions = 0
    clock = time.thread_time
    start = clock()
    while clock() - start < seconds:
        decisions += play_out(rng)
        deals += 1
    return clock() - start, deals, decisions


def main():
    seconds = float(sys.argv[1])
    rng = random.Random(1)
    run(seconds / 10, rng)
    took, deals, decisions = run(seconds, rng)
    line = {
        "peer": "pokerkit",
        "game": "draw-poker(players=5)",
        "deals_per_second": round(deals / took),
        "decisions_per_second": round(decisions / took),
        "decisions_per_deal": round(decisions / deals, 2),
    }
    print(json.dumps(line))


main()
