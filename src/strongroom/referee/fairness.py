"""Verifiable fairness: checks a record against commitments, rules, coins and what was seen.

What that proves, and what it does not, is in `docs/fairness.md`. `server/page/verify.js` does the
same in a browser, in the same order and with the same names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from strongroom.contract import CHANCE, Ending, Game, Json, Refusal, quote, shown_value
from strongroom.contract.codec import from_json, json_form, read_object
from strongroom.referee.randomness import BOT_SEED, Coins, draw_by, hash_of
from strongroom.referee.record import DamagedRecord, Record, Sitter, commit, objects

DAMAGED: Final = "A damaged record cannot be replayed."
HIDDEN: Final = "The server's seed has not been revealed."
UNBOUND: Final = (
    "The record names no seeds. A server's record always does, so this game was played at one "
    "keyboard, or they were taken out and chance may have been chosen."
)
UNFINISHED: Final = "What is hidden until the end cannot be checked before it."
"""Why it matters that something could not be checked."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a record, and its result."""

    name: str
    """What was checked: record, secrets, rules, end, seed, coins or published."""
    ok: bool | None
    """Whether it fits; None if the record cannot tell."""
    text: str
    """What was found, in a sentence or two; a failed check names the first mismatch."""
    matters: str = ""
    """Why it matters, if something that could have been checked is missing."""

    def to_json(self) -> Json:
        """The check as JSON data, with the names that the page uses."""
        return {"check": self.name, "ok": self.ok, "text": self.text, "matters": self.matters}


@json_form("id? game? options? hash? seeds? commitments? secrets? events? end?")
@dataclass(frozen=True, slots=True)
class Seen:
    """What a client was shown during the match, kept to compare the record with."""

    id: str | None = None
    """The match's id."""
    game: str | None = None
    """The name of the game."""
    options: Json | None = None
    """The options that it was played with."""
    hash: str | None = None
    """The published hash of the server's seed."""
    seeds: tuple[str | None, str | None] = (None, None)
    """The players' seeds, as far as they were shown or given."""
    commitments: Mapping[int, str] = field(default_factory=dict)
    """The commitment to each private move, by the number of its step."""
    secrets: Mapping[int, str] = field(default_factory=dict)
    """Each private move that this client made itself, by the number of its step."""
    events: Sequence[Json] = ()
    """The public moves from the first on: seat, move and answer of each."""
    end: Json | None = None
    """How the match was said to have ended."""

    @classmethod
    def from_json(cls, data: Any) -> Seen:
        """What a client stored as JSON, any part of which may be missing; or a refusal."""
        return read_object(cls, data)


def holds(checks: Sequence[Check]) -> bool:
    """Whether no check has failed."""
    return all(check.ok is not False for check in checks)


def open_checks(checks: Sequence[Check]) -> dict[str, list[str]]:
    """The names of the checks that lacked something, grouped by why that matters."""
    found: dict[str, list[str]] = {}
    for check in checks:
        if check.matters:
            found.setdefault(check.matters, []).append(check.name)
    return found


def check(record: Record | str, seen: Seen | None = None) -> list[Check]:
    """Check a record, or the text of one; damage counts as a failed check.

    >>> from strongroom import load
    >>> from strongroom.referee.match import Match
    >>> [each.ok for each in check(Match.start(load("quantum-duel")).record)]
    [True, None, True, None, None, None, None]
    """
    game = record.game if isinstance(record, Record) else None
    text = record.dumps() if isinstance(record, Record) else record
    try:
        header, *lines = objects(text)
    except DamagedRecord as damage:
        return [Check("record", False, str(damage))]
    return [*_check_replay(text, game, header, lines), _check_published(header, lines, seen)]


def _check_replay(text: str, game: Game | None, header: Json, lines: list[Json]) -> Iterator[Check]:
    steps = [line for line in lines if type(line.get("step")) is int]
    over = any("end" in line for line in lines)
    try:
        record = Record.from_text(text, game)
    except Refusal as refusal:
        yield Check("record", False, str(refusal))
        yield _secrets(steps, "coins" in header)
        yield from (Check(name, None, DAMAGED) for name in ("rules", "end"))
        yield _seed(header, over)
        yield Check("coins", None, DAMAGED)
        return
    one, two = (sitter.description for sitter in record.sitters)
    yield Check("record", True, f"{record.game.title}, {one} against {two}: it can be read.")
    yield _secrets(steps, record.coins is not None)
    try:
        record = record.check()
    except Refusal as refusal:
        yield Check("rules", False, str(refusal))
        yield Check("end", None, DAMAGED)
        yield _seed(header, over)
        yield Check("coins", None, DAMAGED)
        return
    said = "each legal, in turn, and answered as the rules answer"
    yield Check("rules", True, f"{_count(len(steps), 'step')}, {said}.")
    yield _end(record)
    yield _seed(header, record.outcome is not None)
    yield _coins(record)


# --- what the record says of itself --------------------------------------------------------------


def _secrets(steps: list[Json], network: bool) -> Check:
    private = [step for step in steps if step.get("keeper") is not None]
    for step in private:
        if not _fits(step):
            told = f"The commitment of step {shown_value(step['step'])} does not fit"
            return Check("secrets", False, f"{told} its move and nonce.")
    if not private:
        return Check("secrets", None, "Nothing was hidden in this match.")
    told = f"{_count(len(private), 'private move')}, each as its commitment says."
    local = "" if network else " Both are in one file, so this finds only accidents."
    return Check("secrets", True, told + local)


def _fits(step: Json) -> bool:
    """Whether a private step matches its commitment, whatever else it contains."""
    nonce, move = step.get("nonce"), step.get("move")
    if not (isinstance(nonce, str) and nonce.isascii() and isinstance(move, str)):
        return False
    return move.isprintable() and step.get("commitment") == commit(nonce, move)


def _end(record: Record) -> Check:
    outcome = record.outcome
    if outcome is None:
        return Check("end", None, "The match is not over.", UNFINISHED)
    winner = outcome.winner and record.sitters[outcome.winner.index].name
    if outcome.reason in (Ending.RESIGNED, Ending.FORFEITED):
        word = "resigned" if outcome.reason is Ending.RESIGNED else "forfeited"
        told = f"{winner} won because the other {word}; the rules cannot confirm that."
        return Check("end", None, told)
    told = f"{winner} won" if winner else "Nobody won"
    return Check("end", True, f"{told}, as the moves imply.")


def _seed(header: Json, over: bool) -> Check:
    if "coins" not in header:
        return Check("seed", None, "The record has no seed.", UNBOUND)
    try:
        coins = from_json(Coins, header["coins"])
    except Refusal as refusal:
        return Check("seed", False, str(refusal))
    if coins.seed is None:
        # At the end it must be there: a server that withholds it then has something to hide.
        return Check("seed", False, HIDDEN) if over else Check("seed", None, HIDDEN, UNFINISHED)
    if hash_of(coins.seed) != coins.hash:
        return Check("seed", False, "The server's seed does not fit the hash published of it.")
    return Check("seed", True, "The server's seed fits the hash published of it.")


def _coins(record: Record) -> Check:
    coins = record.coins
    taken = (coins and coins.taken) or 0
    flips = [
        (state, step)
        for state, step in zip(record.states(), record.steps, strict=False)
        if step.actor is CHANCE and step.number > taken
    ]
    more = f" The first {_count(taken, 'step')} come from another match." if taken else ""
    if coins is None:
        many = f"{_count(len(flips), 'time')}, with nothing to check it against"
        told = f"Chance decided {many}." if flips else "Nothing was up to chance."
        return Check("coins", None, told, UNBOUND if flips else "")
    for seed, sitter in zip(coins.seeds, record.sitters, strict=True):
        if _is_free(seed, sitter):
            return Check(
                "coins", False, f"The seed of {sitter.description} is not a bot's: 32 zeros."
            )
    if coins.seed is None:
        return Check("coins", None, HIDDEN, UNFINISHED)
    if not flips:
        return Check("coins", True, f"Nothing was up to chance.{more}")
    if None in coins.seeds:
        return Check("coins", False, "Chance decided before both players' seeds were there.")
    draw = draw_by(coins, record.id)
    for state, step in flips:
        due = draw(step.number, state.moves, state.odds)
        if due != step.move:
            told = f"At step {step.number} the seeds give {due}, and the record says {step.move}."
            return Check("coins", False, told)
    told = f"Chance decided {_count(len(flips), 'time')}, as the seeds say.{more}"
    return Check("coins", True, told)


def _is_free(seed: str | None, sitter: Sitter) -> bool:
    """Whether the server, which plays the bots, could choose the seed once it knew the other."""
    return not sitter.is_person and seed not in (None, BOT_SEED)


# --- what a client was shown ---------------------------------------------------------------------


def _check_published(header: Json, lines: list[Json], seen: Seen | None) -> Check:
    if seen is None:
        told = "Only those who saw the game played can tell whether this is what was shown"
        return Check("published", None, f"{told}: the page on which it was played checks it.")
    trouble = next(_differences(header, lines, seen), None)
    if trouble is not None:
        return Check("published", False, trouble)
    if seen == Seen():
        return Check("published", None, "Nothing was seen of this match.")
    many = f"{_count(len(seen.commitments), 'commitment')}, {_count(len(seen.events), 'move')}"
    hashed = ", the hash of the server's seed" if seen.hash is not None else ""
    return Check("published", True, f"The record is what was seen: {many}{hashed}.")


def _differences(header: Json, lines: list[Json], seen: Seen) -> Iterator[str]:
    """The differences between the record and what was seen, from the beginning on."""
    if seen.id not in (None, header.get("id")):
        yield "The record is of a match with another id."
    if any(getattr(seen, part) not in (None, header.get(part)) for part in ("game", "options")):
        yield "The record is of another game, or of one with other options."
    found = header.get("coins")
    coins = found if isinstance(found, dict) else {}
    if seen.hash not in (None, coins.get("hash")):
        yield "Another hash of the server's seed was published."
    seeds = coins.get("seeds")
    for number, seed in enumerate(seen.seeds):
        there = seeds[number] if isinstance(seeds, list) and len(seeds) > number else None
        if seed not in (None, there):
            yield f"Player {number + 1} had another seed."
    steps = {line["step"]: line for line in lines if type(line.get("step")) is int}
    for number, digest in seen.commitments.items():
        if steps.get(number, {}).get("commitment") != digest:
            yield f"Step {number} had another commitment."
    for number, move in seen.secrets.items():
        if steps.get(number, {}).get("move") != move:
            yield f"Step {number} was {quote(str(move))}."
    public = [line for line in lines if "step" in line and "keeper" not in line]
    for number, event in enumerate(seen.events):
        there = public[number] if number < len(public) else None
        if there is None:
            yield f"Move {number + 1}, {_describe(event)}, is missing."
        elif any(there.get(part) != event.get(part) for part in ("seat", "move", "answer")):
            was, says = _describe(event), _describe(there)
            yield f"Move {number + 1} was {was}, and the record says {says}."
    if seen.end is not None and {"end": seen.end} not in lines:
        yield "The match was announced to end differently."


def _describe(event: Json) -> str:
    move, answer = event.get("move"), event.get("answer")
    return f"{quote(str(move))} (answered {shown_value(answer)})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
