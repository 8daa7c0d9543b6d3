#!/usr/bin/env python3
"""A bot in Python that makes random legal moves."""

import json
import sys
from random import Random

rng = Random()


def say(**message: object) -> None:
    """Write one message."""
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            say(type="hello", protocol=1, name="Random Python")
        case "new":
            rng.seed(message["seed"])
        case "choose":
            say(type="move", move=rng.choice(message["moves"]))
        case "bye":
            break
