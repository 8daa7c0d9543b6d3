"""The player that `self_play.py` has trained: seated, and measured.

python examples/training/trained.py agent.npz --rounds 50
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from zipfile import BadZipFile

from linear_policy import Policy, read

import strongroom
from strongroom.contract import CandidateTracker, Game, Move, View


class Trained:
    """Always makes the likeliest move of a policy."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._tracker = CandidateTracker(policy.game)

    def choose(self, view: View) -> Move:
        """The likeliest move."""
        odds = self._policy.decide(view, self._tracker).odds
        move: Move = self._policy.game.actions[int(odds.argmax())]
        return move


class Agent:
    """Seats a player at every game that it has a policy for: `strongroom.measure(agent)`."""

    __name__ = "trained"

    def __init__(self, policies: dict[str, Policy]) -> None:
        self.policies = policies

    def __call__(self, game: Game, rng: Random) -> Trained:
        """The player at a game; it needs no randomness."""
        return Trained(self.policies[game.name])


def main() -> None:
    """Measure the agent at the games that it has learned."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="where the weights are")
    parser.add_argument("--rounds", type=int, default=50, help="in each seat (50)")
    chosen = parser.parse_args()
    try:
        agent = Agent(read(chosen.file))
    except (OSError, ValueError, EOFError, BadZipFile) as trouble:
        sys.exit(f"{chosen.file} cannot be read: {trouble}. First: self_play.py {chosen.file}")
    print(strongroom.measure(agent, [*agent.policies], rounds=chosen.rounds, seed=1))


if __name__ == "__main__":
    main()
