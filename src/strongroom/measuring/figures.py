"""The figures of a report, read from its JSON with care: anybody may have edited the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from strongroom.contract import Drawing, Json, Look, Refusal, Tile, shown
from strongroom.contract.moves import seat_of
from strongroom.contract.rules import listed, parts
from strongroom.minds.text_player import LARGEST
from strongroom.report.text import Interval
from strongroom.text.quoting import printable_lines

VACUOUS = "nothing at stake"
"""What is said of a kind of decision in which every move was worth the same."""


ODD_LUCK = 4.0
"""From this multiple of its standard error on, luck is hardly luck."""


def odd_luck(z: float | None) -> str:
    """What to suspect of luck that is so many standard errors from zero; empty if nothing.

    >>> odd_luck(1.3)
    ''
    """
    if z is None or abs(z) < ODD_LUCK:
        return ""
    error = f"its luck is {abs(z):.1f} standard errors {'above' if z > 0 else 'below'} zero"
    return f"{error}: it may have known what was hidden, or its games may have been chosen"


@dataclass(frozen=True, slots=True)
class Kind:
    """What decisions of one kind cost."""

    name: str
    decisions: int
    cost: float
    """In all games together."""
    perfect: float | None
    """The share that cost nothing; None if every move was always worth the same."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One of the worst moves."""

    round: int
    seat: int
    turn: int | None
    """None in the set-up."""
    kind: str
    picture: str
    drawing: Drawing | None
    move: str
    """Empty if the player gave up."""
    said: str
    cost: float
    better: str
    better_said: str
    why: str
    thought: str
    """What the player said about it; empty if it does not speak."""


@dataclass(frozen=True, slots=True)
class GameFigures:
    """A player's figures at one game; those without an exact worth are None."""

    title: str
    options: str
    games: int
    score: float
    interval: Interval
    counted: float
    counted_interval: Interval
    ratio: float | None
    exact: float | None
    start: float | None
    """What a best response wins, or what else V is at the start."""
    baseline: str
    luck_z: float | None
    """The luck that was taken out, as a multiple of its standard error."""
    decisions: int
    cost_per_decision: float | None
    perfect: float | None
    forfeits: int
    illegal: int
    seconds: float | None
    tokens: int | None
    money: float | None
    profile: tuple[Kind, ...]
    costs: Mapping[float, int]
    """How many decisions cost at least this, and less than the next."""
    worst: tuple[Mistake, ...]

    @property
    def lost(self) -> float:
        """What the decisions of a game cost together, on average."""
        return sum(self.lost_by(each) for each in self.profile)

    def lost_by(self, kind: Kind) -> float:
        """What decisions of a kind cost a game."""
        return kind.cost / max(1, self.games)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a report."""

    player: str
    against: str
    seed: int
    seed_known: bool
    """Whether the player could know the seed beforehand."""
    rounds: int
    seats: str
    turn_limit: int
    versions: Mapping[str, str]
    """Of strongroom, Python and numpy."""
    results: Mapping[str, GameFigures]

    @property
    def warnings(self) -> list[str]:
        """What to suspect of the games that had too much luck, a sentence each."""
        told = ((game.title, odd_luck(game.luck_z)) for game in self.results.values())
        return [f"{self.player} at {title}: {odd}." for title, odd in told if odd]

    @classmethod
    def read(cls, report: Json) -> Figures:
        """The figures of a report, or a refusal that names the part that is none."""
        found = _Part(report, "")
        results = report.get("results")
        if not isinstance(results, dict) or not results:
            raise Refusal("The report has no results.", _AGAIN)
        return cls(
            player=found.text("player"),
            against=found.text("against"),
            seed=found.whole("seed"),
            seed_known=found.flag("seed_known"),
            rounds=found.whole("rounds"),
            seats=" and ".join(str(seat_of(seat).value) for seat in listed(report.get("seats"))),
            turn_limit=found.whole("turn_limit"),
            versions={name: found.text(name) for name in ("strongroom", "python", "numpy")},
            results={
                printable_lines(name): _game(_Part(each, name)) for name, each in results.items()
            },
        )


_AGAIN = "Measure the player again."


class _Part:
    """A part of a report; what it has under a name is read as what it should be."""

    def __init__(self, data: Any, place: str) -> None:
        parts(data)  # refuses anything but an object
        self._data, self._place = data, place

    def _refusal(self, name: str, what: str) -> Refusal:
        place = f"{self._place}.{name}" if self._place else name
        return Refusal(f"{shown(place, 60)} in the report is not {what}.", _AGAIN)

    def text(self, name: str) -> str:
        """A text, harmless on any screen; empty if there is none."""
        found = self._data.get(name)
        if found is not None and not isinstance(found, str):
            raise self._refusal(name, "a text")
        return printable_lines(found or "")

    def number(self, name: str) -> float:
        """A number."""
        found = self.maybe(name)
        if found is None:
            raise self._refusal(name, "a number")
        return found

    def maybe(self, name: str) -> float | None:
        """A number, or None."""
        found = self._data.get(name)
        if found is None:
            return None
        if type(found) not in (int, float) or not abs(found) < LARGEST:
            raise self._refusal(name, "a number")
        return float(found)

    def whole(self, name: str) -> int:
        """A whole number; 0 if there is none."""
        found = self._data.get(name)
        if found is not None and (type(found) is not int or not abs(found) < LARGEST):
            raise self._refusal(name, "a whole number")
        return found or 0

    def flag(self, name: str) -> bool:
        """True or false."""
        found = self._data.get(name)
        if not isinstance(found, bool):
            raise self._refusal(name, "true or false")
        return found

    def several(self, name: str) -> list[_Part]:
        """A list of parts; empty if there is none."""
        found = listed(self._data.get(name) or [])
        return [_Part(each, f"{self._place}.{name}") for each in found]

    def pair(self, name: str) -> Interval:
        """An interval."""
        found = self._data.get(name)
        if not isinstance(found, list) or len(found) != 2:
            raise self._refusal(name, "an interval")
        both = _Part(dict(zip(("low", "high"), found, strict=True)), f"{self._place}.{name}")
        return both.number("low"), both.number("high")

    def mapping(self, name: str) -> Json:
        """An object; empty if there is none."""
        found = self._data.get(name) or {}
        parts(found)
        return dict(found)


def _game(found: _Part) -> GameFigures:
    options, tokens = found.mapping("options"), found.maybe("tokens")
    return GameFigures(
        title=found.text("title"),
        options=printable_lines(", ".join(f"{name} {value}" for name, value in options.items())),
        games=found.whole("games"),
        score=found.number("score"),
        interval=found.pair("interval"),
        counted=found.number("counted"),
        counted_interval=found.pair("counted_interval"),
        ratio=found.maybe("ratio"),
        exact=found.maybe("exact"),
        start=found.maybe("start"),
        baseline=found.text("baseline"),
        luck_z=found.maybe("luck_z"),
        decisions=found.whole("decisions"),
        cost_per_decision=found.maybe("cost_per_decision"),
        perfect=found.maybe("perfect"),
        forfeits=found.whole("forfeits"),
        illegal=found.whole("illegal"),
        seconds=found.maybe("seconds"),
        tokens=None if tokens is None else int(tokens),
        money=found.maybe("money"),
        profile=tuple(
            Kind(
                each.text("kind"),
                each.whole("decisions"),
                each.number("cost"),
                each.maybe("perfect"),
            )
            for each in found.several("profile")
        ),
        costs=_costs(found.mapping("costs")),
        worst=tuple(map(_mistake, found.several("worst"))),
    )


def _costs(counts: Json) -> dict[float, int]:
    read = _Part(counts, "costs")
    try:
        return dict(sorted((float(least), read.whole(least)) for least in counts))
    except ValueError:
        raise Refusal("A class of costs in the report is not a number.", _AGAIN) from None


def _mistake(found: _Part) -> Mistake:
    return Mistake(
        round=found.whole("round"),
        seat=found.whole("seat"),
        turn=found.whole("turn") or None,
        kind=found.text("kind"),
        picture=found.text("picture"),
        drawing=_drawing(found.mapping("drawing")),
        move=found.text("move"),
        said=found.text("said"),
        cost=found.number("cost"),
        better=found.text("better"),
        better_said=found.text("better_said"),
        thought=found.text("thought"),
        why=found.text("why"),
    )


def _drawing(data: Json) -> Drawing | None:
    if not data:
        return None
    framed, rows = parts(data, "framed", "rows")
    drawn = tuple(tuple(map(_tile, listed(row))) for row in listed(rows))
    return Drawing(drawn, bool(framed)) if drawn and all(drawn) else None


def _tile(data: Any) -> Tile:
    found = _Part(data, "drawing")
    owner = found.whole("owner")
    look = next((each for each in Look if each.value == found.text("look")), Look.PLAIN)
    return Tile(found.text("text"), found.text("label"), seat_of(owner) if owner else None, look)
