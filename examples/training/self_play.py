"""A small agent that learns the games by playing itself, on one core in minutes, with numpy alone.

    python examples/training/self_play.py agent.npz
    python examples/training/trained.py agent.npz

The same recipe learns every game. After a game, the weights of the policy follow the gradient of
its result, with the result that was to be expected as the baseline (REINFORCE).
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from linear_policy import Decision, Policy, write

import strongroom
from strongroom.contract import CandidateTracker, Game, Seat
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED, Bout
from strongroom.referee.randomness import draws

DISCOUNT = 0.98
"""What a result counts for a decision, compared with the next one of the same player."""
DECISIONS = 100_000
"""How many decisions the agent learns from at each game."""


def train(game: Game, decisions: int, seed: int) -> Policy:
    """A policy that has played itself until it made so many decisions."""
    policy, rng, made = Policy(game), np.random.default_rng(seed), 0
    while made < decisions:
        bout, tracker = Bout.start(game, TURN_LIMIT), CandidateTracker(game)
        played: dict[Seat, list[tuple[Decision, int]]] = {seat: [] for seat in Seat}
        while isinstance(seat := bout.actor, Seat):
            decision = policy.decide(bout.view(seat), tracker)
            action = int(rng.choice(len(decision.odds), p=decision.odds))
            played[seat].append((decision, action))
            bout = bout.play(game.actions[action]).settle(draws(f"{seed}, {made}"))
        for seat, those in played.items():
            result = (bout.outcome or UNDECIDED).reward(seat)
            for decision, action in reversed(those):
                policy.learn(decision, action, result)
                result *= DISCOUNT
            made += len(those)
    return policy


def main() -> None:
    """Learn the games, and write what was learned."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="where the weights are written")
    parser.add_argument("--decisions", type=int, default=DECISIONS, help=f"a game ({DECISIONS})")
    parser.add_argument("--seed", type=int, default=1, help="the same seed learns the same (1)")
    parser.add_argument("--only", nargs="+", choices=[*GAMES], default=[*GAMES], metavar="GAME")
    chosen = parser.parse_args()
    policies = {}
    for name in chosen.only:
        print(f"{name} ...", file=sys.stderr, flush=True)
        policies[name] = train(strongroom.load(name), chosen.decisions, chosen.seed)
    write(policies, chosen.file)


if __name__ == "__main__":
    main()
