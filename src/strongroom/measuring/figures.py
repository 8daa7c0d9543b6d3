"""The figures of a report; their JSON is read with care, because anybody may have edited it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

from strongroom.contract import Drawing, Json, Refusal, Seat
from strongroom.contract.codec import Accepted, from_json, json_form
from strongroom.measuring.protocol import Spent
from strongroom.minds.text_player import Whole
from strongroom.report.text import Interval
from strongroom.text.quoting import printable_lines

FORMAT: Final = "strongroom measurement"
FORMAT_IN_BATCHES: Final = f"{FORMAT} in batches"
"""Reports of which only sums are kept."""
VERSION: Final = 2
"""The version of the form of reports that are written and read."""
VACUOUS: Final = "nothing at stake"
"""What is said of a kind of decision in which every move was worth the same."""
AGAIN: Final = "Measure the player again."
ODD_LUCK: Final = 4.0
"""From this multiple of its standard error on, luck is hardly luck."""


def odd_luck(z: float | None) -> str:
    """What to suspect of luck, in standard errors from zero; empty if nothing.

    >>> odd_luck(1.3)
    ''
    """
    if z is None or abs(z) < ODD_LUCK:
        return ""
    error = f"its luck is {abs(z):.1f} standard errors {'above' if z > 0 else 'below'} zero"
    return f"{error}: it may have known what was hidden, or its games may have been chosen"


def _has_tiles(drawing: Drawing) -> bool:
    return bool(drawing.rows) and all(drawing.rows)


@json_form("kind=name decisions cost perfect")
@dataclass(frozen=True, slots=True)
class Kind:
    """What decisions of one kind cost."""

    name: str
    decisions: Whole
    cost: float
    """In all games together."""
    perfect: float | None
    """The share that cost nothing; None if every move was always worth the same."""


@json_form(
    "round seat number turn picture drawing move said better better_said why thought? kind cost"
)
@dataclass(frozen=True, slots=True)
class Mistake:
    """One of the worst moves."""

    round: Whole
    seat: Seat
    number: Whole
    """The number of its step in the record."""
    turn: Whole | None
    """None in the set-up."""
    picture: str
    """What the player saw, in characters."""
    drawing: Annotated[Drawing, Accepted("a board of tiles", _has_tiles)] | None
    move: str | None
    """None if the player gave up."""
    said: str
    better: str
    better_said: str
    why: str
    kind: str
    cost: float
    thought: str | None = None
    """What the player said about it, if it speaks."""


def _is_number(text: str) -> bool:
    try:
        return bool(float(text) < float("inf"))
    except ValueError:
        return False


@json_form(
    "title options score error interval counted counted_error counted_interval ratio exact games "
    "forfeits *spent baseline start by_costs by_costs_error luck_z decisions cost_per_decision "
    "perfect profile costs worst"
)
@dataclass(frozen=True, slots=True, kw_only=True)
class GameFigures:
    """A player's figures at one game; those without an exact worth are None."""

    title: str
    options: Mapping[str, Any]
    score: float
    error: float | None
    interval: Interval
    counted: float
    counted_error: float | None
    counted_interval: Interval
    ratio: float | None
    exact: float | None
    games: Whole
    forfeits: Whole
    spent: Spent
    baseline: str | None = None
    start: float | None = None
    """What a best response wins, or what else V is at the start."""
    by_costs: float | None = None
    by_costs_error: float | None = None
    luck_z: float | None = None
    """The luck that was taken out, as a multiple of its standard error."""
    decisions: Whole | None = None
    cost_per_decision: float | None = None
    perfect: float | None = None
    profile: tuple[Kind, ...] | None = None
    costs: Mapping[Annotated[str, Accepted("a number", _is_number)], Whole] | None = None
    """How many decisions cost at least this, and less than the next."""
    worst: tuple[Mistake, ...] | None = None

    @property
    def lost(self) -> float:
        """What the decisions of a game cost together, on average."""
        return sum(self.lost_by(each) for each in self.profile or ())

    def lost_by(self, kind: Kind) -> float:
        """What decisions of a kind cost a game."""
        return kind.cost / max(1, self.games)

    @property
    def sizes(self) -> Mapping[float, int]:
        """How many decisions cost at least each of these, in order."""
        return dict(sorted((float(least), n) for least, n in (self.costs or {}).items()))


def _read_versions(data: Any, game: Any) -> Mapping[str, str]:
    return {name: from_json(str, data.get(name, "")) for name in ("strongroom", "python", "numpy")}


@json_form(
    "format version *versions player against seed seed_known rounds seats turn_limit results"
)
@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a report."""

    player: str
    against: str
    seed: Whole
    seed_known: bool
    """Whether the player could know the seed beforehand."""
    rounds: Whole
    seats: tuple[Seat, ...]
    turn_limit: Whole
    versions: Annotated[Mapping[str, str], _read_versions]
    """Of strongroom, Python and numpy."""
    results: Annotated[Mapping[str, GameFigures], Accepted("the results of games", bool)]
    format: ClassVar[str] = FORMAT
    version: ClassVar[int] = VERSION

    @property
    def seats_text(self) -> str:
        """The player's seats by their numbers."""
        return " and ".join(str(seat.value) for seat in self.seats)

    @property
    def warnings(self) -> list[str]:
        """What to suspect of the games that had too much luck, a sentence each."""
        told = ((game.title, odd_luck(game.luck_z)) for game in self.results.values())
        return [f"{self.player} at {title}: {odd}." for title, odd in told if odd]

    @classmethod
    def read(cls, report: Json) -> Figures:
        """The figures of a report, harmless on any screen; or a refusal that names a part."""
        figures = {name: part for name, part in report.items() if name != "records"}
        try:
            return from_json(cls, _printable(figures))
        except RecursionError:
            raise Refusal("The report has too many parts within parts.", AGAIN) from None
        except Refusal as refusal:
            raise Refusal(refusal.reason, refusal.accepted or AGAIN) from None


def _printable(data: Any) -> Any:
    if isinstance(data, dict):
        return {printable_lines(name): _printable(part) for name, part in data.items()}
    if isinstance(data, list):
        return [*map(_printable, data)]
    return printable_lines(data) if isinstance(data, str) else data
