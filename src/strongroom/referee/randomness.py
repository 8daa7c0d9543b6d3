"""Randomness: streams with one purpose each, tokens nobody can guess, coins nobody can choose.

A stream never reveals anything about another. Ids, nonces and players' seeds are tokens, 128 random
bits as 32 hexadecimal digits; a server stores only the digests of the tokens of seats.

The coins of a server's match come from the server's seed and one seed of each player. The server
fixes its seed first and publishes its hash, so it cannot choose it once it knows the players'
seeds; the players choose theirs without knowing the server's. So none of the three can steer a coin
alone. What two of them can do together is described in `docs/fairness.md`.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random, SystemRandom
from typing import Annotated, Any, Final

from strongroom.contract import Move, Refusal, shown_value
from strongroom.contract.codec import Accepted, json_form

# --- streams -------------------------------------------------------------------------------------


Draw = Callable[[int, Sequence[Move], Sequence[float]], Move]
"""Draws a move, given the number of the step, the moves and their odds."""
Nonce = Callable[[int], str]
"""Makes the nonce that hides the private move of a step: 32 hexadecimal digits."""
Seed = int | str | None
"""Makes randomness reproducible; None for fresh randomness."""


MOST_SEEDS: Final = 10**15
"""A seed that is drawn is below this, so that every reader of JSON keeps all its digits."""


def choose_seed(given: int | None) -> int:
    """The given seed; without one, a seed that nobody can know beforehand."""
    return secrets.randbelow(MOST_SEEDS) if given is None else given


def describe_seed(seed: int, known: bool) -> str:
    """A seed, and whether the players could know it before they played.

    >>> describe_seed(7, known=True)
    'seed 7, known beforehand'
    """
    return f"seed {seed}, {'known beforehand' if known else 'drawn for these games'}"


def stream(seed: Seed, purpose: str) -> Random:
    """The generator for one purpose: the toss, a player, a picked secret; without a seed, fresh.

    >>> stream(0, "toss").random() == stream(0, "toss").random() != stream(0, "coin").random()
    True
    """
    return SystemRandom() if seed is None else Random(f"{purpose} of {seed}")


def draws(seed: Seed = None) -> Draw:
    """A source of chance for the referee; with a seed, the same step always draws the same."""

    def draw(number: int, moves: Sequence[Move], odds: Sequence[float]) -> Move:
        return stream(seed, f"chance at step {number}").choices(moves, odds)[0]

    return draw


def nonces(seed: Seed = None) -> Nonce:
    """A source of nonces; with a seed, the same step always gets the same."""

    def nonce(number: int) -> str:
        if seed is None:
            return secrets.token_hex(16)
        return hashlib.sha256(f"nonce of step {number} of {seed}".encode()).hexdigest()[:32]

    return nonce


# --- tokens --------------------------------------------------------------------------------------


TOKEN_FORM: Final = "[0-9a-f]{32}"
"""The form of a token, as a regular expression."""
_fits = re.compile(TOKEN_FORM).fullmatch


def is_token(text: Any) -> bool:
    """Whether something has the form of a token."""
    return isinstance(text, str) and _fits(text) is not None


Token = Annotated[str, Accepted("32 lower-case hexadecimal digits", is_token)]
"""A token as a field that is read from JSON data."""


def fresh_token() -> str:
    """A new token.

    >>> is_token(fresh_token())
    True
    """
    return secrets.token_hex(16)


def hash_of(secret: str) -> str:
    """The SHA-256 of a token or a server's seed as text.

    Both have at least 128 random bits, so no slower hash is needed.

    >>> hash_of("00" * 32)
    '60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55'
    """
    return hashlib.sha256(secret.encode()).hexdigest()


# --- coins ---------------------------------------------------------------------------------------


BOT_SEED: Final = "0" * 32
"""The seed of a bot, fixed because the server plays the bots and could choose it."""
_HASH: Final = re.compile("[0-9a-f]{64}")
_ALL: Final = 2**256
"""The number of possible HMAC-SHA256 values."""


def fresh_seed() -> str:
    """A new server seed for a match: 64 hexadecimal digits that nobody can guess."""
    return secrets.token_hex(32)


@json_form("hash seeds seed? taken?")
@dataclass(frozen=True, slots=True)
class Coins:
    """The seeds behind the coins of a match, published at first without the server's."""

    hash: str
    """The hash of the server's seed, 64 hexadecimal digits."""
    seeds: tuple[str | None, str | None] = (None, None)
    """Each player's seed, 32 hexadecimal digits; None if it has not been given yet."""
    seed: str | None = None
    """The server's seed, 64 hexadecimal digits; None for those who may not know it yet."""
    taken: int | None = None
    """How many of the first steps come from another match, whose coins decided them."""

    def __post_init__(self) -> None:
        if not _is_hash(self.hash) or not (self.seed is None or _is_hash(self.seed)):
            raise Refusal("The hash of the coins and their seed are 64 hexadecimal digits each.")
        if type(self.seeds) is not tuple or len(self.seeds) != 2:
            raise Refusal("The coins have two players' seeds.")
        for seed in self.seeds:
            if not (seed is None or is_token(seed)):
                raise Refusal(f"{shown_value(seed)} is not a seed of 32 hexadecimal digits.")
        if not (self.taken is None or (type(self.taken) is int and self.taken > 0)):
            raise Refusal(f"{shown_value(self.taken)} is no number of steps.")

    @property
    def public(self) -> Coins:
        """The coins as everybody may know them during the match."""
        return replace(self, seed=None)


def _is_hash(text: object) -> bool:
    return isinstance(text, str) and _HASH.fullmatch(text) is not None


def draw_by(coins: Coins, game_id: str) -> Draw:
    """A source of chance that uses these coins, which must be complete.

    At step `k` of the game, with the server's seed `S` and the players' seeds `A` and `B`, all in
    lower-case hexadecimal digits:

        d = HMAC-SHA256(key = S as ASCII text, message = "A:B:ID:k" as ASCII text)

    read as a big-endian integer from 0 to 2**256 - 1. The move is the first one, in the order of
    `moves`, for which

        2**256 * (sum of the odds so far, its own included)  >  d * (sum of all odds)

    in exact arithmetic on the odds as floating-point numbers. Odds of a half are exact, so a coin
    falls heads, the first of two moves, exactly if the first bit of d is 0.
    """
    key, (one, two) = coins.seed, coins.seeds
    if key is None or one is None or two is None:
        raise Refusal("Coins are drawn with the server's seed and both players'.")
    from fractions import Fraction  # slow to import, and only needed here

    begin = f"{one}:{two}:{game_id}:"

    def draw(number: int, moves: Sequence[Move], odds: Sequence[float]) -> Move:
        drawn = int.from_bytes(hmac.digest(key.encode(), f"{begin}{number}".encode(), "sha256"))
        sums = list(accumulate(map(Fraction, odds)))
        if len(sums) != len(moves) or not sums or min(odds) < 0 or not sums[-1]:
            raise ValueError("Odds are not negative, one for each move, and not all of them 0.")
        mark = drawn * sums[-1] / _ALL
        return next(move for move, upto in zip(moves, sums, strict=True) if upto > mark)

    return draw
