"""An engine that plays Quantum Duel by what `tabular.py` has learned.

strongroom measure "engine:python tabular_engine.py agent.npz" --only quantum-duel
"""

from __future__ import annotations

import json
import sys
from random import Random
from zipfile import BadZipFile

from features import GAME
from tabular import Table

import strongroom
from strongroom.contract import View


def main() -> None:
    """Answer the messages on standard input."""
    try:
        table = Table.read(sys.argv[1])
    except IndexError:
        sys.exit("Which agent? tabular_engine.py agent.npz")
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as trouble:
        sys.exit(f"{sys.argv[1]} cannot be read: {trouble}. First: tabular.py {sys.argv[1]}")
    game = strongroom.load(GAME)
    player = table(game, Random())
    for line in sys.stdin:
        message = json.loads(line)
        answer: dict[str, object] | None = None
        if message["type"] == "hello":
            answer = {"type": "hello", "protocol": 1, "name": "Tabular", "games": [GAME]}
        elif message["type"] == "choose":
            move = player.choose(View.from_json(game, message["view"]))
            answer = {"type": "move", "move": str(move)}
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
