"""A player's figures: its score at each game with luck taken out, its costs, its worst moves.

Their JSON data is read with care, because anybody may have edited it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import islice
from math import sqrt
from random import Random
from typing import Annotated, Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from strongroom.accounts.account import MARKS, PERFECT, Account, account, revalue, short_term_luck
from strongroom.contract import (
    Drawing,
    Ending,
    Game,
    Json,
    Reason,
    Refusal,
    Seat,
    View,
    Words,
    harmless,
)
from strongroom.contract.codec import Accepted, from_json, json_form
from strongroom.measuring.estimator import (
    Estimate,
    Floats,
    Scale,
    adjusted_estimate,
    games_saved,
    plain_estimate,
    without_luck,
)
from strongroom.measuring.protocol import Protocol, Spent, Trial
from strongroom.minds.dialogue import Whole
from strongroom.minds.model import Experiment
from strongroom.players import CERTIFIED, Player, player
from strongroom.plugins.registry import PLAYERS
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.record import Record
from strongroom.report.text import POINTS, Interval, percent, points, with_interval
from strongroom.text.quoting import printable_lines
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import WEIGHING, Policy, Unpredictable, Worth, turns_left

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
    """None if the player forfeited or resigned instead."""
    said: str
    better: str
    better_said: str
    why: str
    kind: str
    cost: float
    thought: str | None = None
    """What the player said about it, if it speaks."""


@json_form("asked first_try answered cost score interval")
@dataclass(frozen=True, slots=True)
class Form:
    """How often a player's answers were legal moves, and what those cost that never were."""

    asked: Whole
    """How many decisions were put to the player."""
    first_try: Whole | None
    """How many it answered with a legal move at the first try; None if the player does not tell."""
    answered: Whole
    """How many it answered with a legal move at any try; the others forfeited the game."""
    cost: float | None
    """What all forfeits cost together; None if nothing has an exact worth."""
    score: float | None
    """The score over the decisions that were answered: as played, plus what forfeits cost."""
    interval: Interval | None
    """Of that score."""

    @property
    def is_clean(self) -> bool:
        """Whether every first answer was a legal move."""
        return self.first_try == self.asked

    def share(self, count: int | None) -> float:
        """A number of decisions as a share of all."""
        return (count or 0) / max(1, self.asked)


def _is_number(text: str) -> bool:
    try:
        return bool(float(text) < float("inf"))
    except ValueError:
        return False


@json_form(
    "title options score error interval counted counted_error counted_interval ratio exact games "
    "forfeits form? *spent baseline start by_costs by_costs_error luck_z decisions "
    "cost_per_decision perfect profile costs worst"
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
    form: Form | None = None
    """None in a report of an earlier version."""

    @property
    def total_cost(self) -> float:
        """What the decisions of a game cost together, on average."""
        return sum(self.lost_by(each) for each in self.profile or ())

    def lost_by(self, kind: Kind) -> float:
        """What decisions of a kind cost a game."""
        return kind.cost / max(1, self.games)

    @property
    def sizes(self) -> Mapping[float, int]:
        """How many decisions cost at least each of these, in order."""
        return dict(sorted((float(least), n) for least, n in (self.costs or {}).items()))


FORM_HEADINGS: Final = (
    *("game", "player", "decisions", "first try", "any try", "as played", "answered"),
    "forfeits cost",
)
FORM_TITLE: Final = "Skill apart from form"
FORM_LEGEND: Final = (
    "first try, any try: decisions answered with a legal move; as played: the score; answered: the "
    "score over the decisions that were answered, as if a forfeit had cost nothing; forfeits cost: "
    "the difference, in points a game. A game that is forfeited early hardly tells of skill."
)


def form_row(player: str, game: GameFigures) -> tuple[str, ...]:
    """How often a player answered legally at a game, and the score apart from that, as text."""
    form = game.form
    assert form is not None
    lost = None if form.cost is None else POINTS * form.cost / max(1, game.games)
    return (
        *(game.title, player, f"{form.asked:,}"),
        "–" if form.first_try is None else percent(form.share(form.first_try)),
        percent(form.share(form.answered)),
        with_interval(game.score, game.interval),
        "–" if form.score is None else with_interval(form.score, form.interval or game.interval),
        points(lost),
    )


def _read_versions(data: Any, game: Any) -> Mapping[str, str]:
    return {name: from_json(str, data.get(name, "")) for name in ("strongroom", "python", "numpy")}


@json_form(
    "format version *versions player against seed seed_known rounds rounds_at? seats turn_limit "
    "experiment? results"
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
    experiment: Experiment | None = None
    """How the player was asked, if it is a model."""
    rounds_at: Mapping[str, Whole] | None = None
    """The rounds of each game, where they differ."""
    format: ClassVar[str] = FORMAT
    version: ClassVar[int] = VERSION

    @property
    def rounds_text(self) -> str:
        """How often each game was played in each seat: a number, or the least and the most."""
        counts = sorted((self.rounds_at or {"": self.rounds}).values())
        low, high = counts[0], counts[-1]
        return f"{low:,}" if low == high else f"{low:,} to {high:,}"

    @property
    def seats_text(self) -> str:
        """The player's seats by their numbers."""
        return " and ".join(str(seat.value) for seat in self.seats)

    @property
    def with_form(self) -> list[GameFigures]:
        """The games at which form matters: the player speaks, or an answer was no legal move."""
        return [
            game
            for game in self.results.values()
            if game.form and (not game.form.is_clean or game.spent.tokens is not None)
        ]

    @property
    def unconstrained(self) -> int:
        """How many answers were not constrained to the legal moves, where they were to be."""
        return sum(game.spent.unconstrained or 0 for game in self.results.values())

    @property
    def warnings(self) -> list[str]:
        """What to suspect of the games that had too much luck, a sentence each."""
        told = ((game.title, odd_luck(game.luck_z)) for game in self.results.values())
        return [f"{self.player} at {title}: {odd}." for title, odd in told if odd]

    @classmethod
    def read(cls, report: Json) -> Figures:
        """The figures of a report, harmless on any screen; or a refusal that names a part."""
        figures = {name: part for name, part in report.items() if name not in GAMES}
        try:
            return from_json(cls, printable(figures))
        except RecursionError:
            raise Refusal("The report has too many parts within parts.", AGAIN) from None
        except Refusal as refusal:
            raise Refusal(refusal.reason, refusal.accepted or AGAIN) from None


GAMES: Final = ("records", "moves")
"""The parts of a report that have its games."""


def printable(data: Any) -> Any:
    """JSON data with every text in it harmless on any screen."""
    if isinstance(data, dict):
        return {printable_lines(name): printable(part) for name, part in data.items()}
    if isinstance(data, list):
        return [*map(printable, data)]
    return printable_lines(data) if isinstance(data, str) else data


# --- one game's figures ---------------------------------------------------------------------------


FOLLOWED: Final = ("casual", "random")
"""The players whose policies give a further V, where that can be computed."""
CLASSES: Final = (0.0, 0.01, *sorted(least for least, _ in MARKS), 0.3)
"""The costs at which the classes of decisions begin; the first holds what costs nothing, too."""
NO_ANSWER: Final = "no legal answer"
"""What a decision is called that ended in a forfeit, whichever kind it would have been."""
UNPLAYED: Final[Mapping[Reason, str]] = {Ending.FORFEITED: NO_ANSWER, Ending.RESIGNED: "resigning"}
"""What decisions are called at which no move was made."""
WORST: Final = 5
"""How many of the worst moves are shown."""
LONGEST_THOUGHT: Final = 300
"""The most characters that are shown of what a player said about a move."""


@dataclass(frozen=True, slots=True)
class Accounted:
    """The account of one game, and its luck by every baseline."""

    account: Account
    lucks: tuple[float, ...]
    """The game's luck, measured in several ways; the estimator weighs them.

    In order: over the whole game by V against the certified player, and by each of its `further`
    functions V; after each decision over each of its `horizons`; and over the whole game by the V
    of each player in `FOLLOWED`. Where the player's policy is known, all but the last count what
    the player happened to draw from it as luck, too.
    """


class Baselines:
    """The functions V of a game: against the certified player, and of other players."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.worth = solution_of(game).worth
        self._following = cache(partial(following, self.worth, game))

    @cached_property
    def others(self) -> tuple[Worth, ...]:
        """Further functions V, of players who go on by a known policy."""
        found = map(self._following, FOLLOWED)
        return tuple(each for each in found if each is not None)

    def judge(self, record: Record, seat: Seat, policy: Policy | None) -> Accounted:
        """Account for one game."""
        policy = policy and cache(policy)  # each mixture is needed several times
        own = account(record, seat, self.worth, policy)
        near = (short_term_luck(self.worth, turns, own, policy) for turns in self.worth.horizons)
        # Told draws stay in these: with its own way of going on as V, nothing at all would vary.
        others = (revalue(worth, own).luck for worth in self.others)
        further = (revalue(worth, own, policy) for worth in self.worth.further)
        mixed = (each.luck + each.mixed for each in (own, *further))
        lucks = (*mixed, *near, *others)
        return Accounted(own, lucks)

    def exact(self, name: str, seats: Sequence[Seat]) -> float | None:
        """A bot's exact expected score; None if its policy is not known or cannot be evaluated."""
        found = self._following(name)
        if found is None:
            return None
        return float(np.mean([found.start(seat, TURN_LIMIT) for seat in seats]))


def following(worth: Worth, game: Game, name: str) -> Worth | None:
    """V of a player who goes on as a bot does; None if it cannot be computed."""
    try:
        policy = policy_of(player(name, game, Random(0)))
        found = None if policy is None else worth.following(policy)
        if found is not None:
            found.start(Seat.ONE, 1)
    except Unpredictable:
        return None
    return found


def policy_of(seated: Player) -> Policy | None:
    """A player's policy; None if it does not publish one."""
    policy: Policy | None = getattr(seated, "policy", None)
    return policy


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision, in brief."""

    number: int
    """The number of its step in the record."""
    kind: str
    """What kind of decision the game calls it."""
    cost: float
    """How much less the move is worth than V before it."""
    vacuous: bool = False
    """Whether every move was worth the same."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One game, accounted for."""

    trial: Trial
    result: float
    """1 for a win, 0 for a loss, 1/2 if nobody won."""
    start: float = 0.5
    """V before the first move."""
    luck: float = 0.0
    """What chance, hidden answers and the opponent's draws gave, by the main V."""
    lucks: tuple[float, ...] = ()
    """Luck by each baseline; none, if the opponent was not the certified player."""
    choices: tuple[Choice, ...] = ()
    cost: float = 0.0
    """What all decisions cost together, each from V before it."""

    @property
    def forfeited(self) -> bool:
        """Whether the measured player forfeited."""
        outcome = self.trial.record.outcome
        assert outcome is not None
        return outcome.reason is Ending.FORFEITED and not self.result

    @property
    def forfeit_cost(self) -> float:
        """What it cost that a decision was never answered."""
        return sum(each.cost for each in self.choices if each.kind == NO_ANSWER)

    @property
    def answers(self) -> tuple[int, int | None]:
        """How many decisions were answered, and how many of them at the first try, if it is known.

        Whoever is asked in text leaves a transcript. Others may count their illegal answers, but
        not say at which decisions.
        """
        trial = self.trial
        answered = sum(step.actor is trial.fixture.seat for step in trial.record.steps)
        if trial.transcript is None:
            return answered, answered if trial.spent.illegal <= self.forfeited else None
        refused = {each.number: each.refused for each in reversed(trial.transcript.exchanges)}
        return answered, answered + self.forfeited - sum(map(bool, refused.values()))


@cache
def baselines(game: Game) -> Baselines:
    """The baselines of a game, loaded once."""
    return Baselines(game)


@cache
def known_policy(name: str, game: Game) -> Policy | None:
    """A built-in bot's policy, if it has one; another player's could not be checked later."""
    return policy_of(player(name, game, Random(0))) if name in PLAYERS else None


@cache
def exact_score(game: Game, name: str, seats: tuple[Seat, ...]) -> float | None:
    """A bot's exact expected score, computed once."""
    return baselines(game).exact(name, seats)


def judge(protocol: Protocol, trial: Trial) -> Judged:
    """One game of a measurement, accounted for."""
    game, seat, outcome = trial.fixture.game, trial.fixture.seat, trial.record.outcome
    assert outcome is not None
    if protocol.against != CERTIFIED:
        return Judged(trial, outcome.score(seat))
    with WEIGHING:
        found = baselines(game).judge(trial.record, seat, known_policy(protocol.player, game))
    own = found.account
    choices = tuple(
        Choice(
            each.number,
            UNPLAYED[outcome.reason] if each.move is None else game.words.deciding(each.view),
            each.cost,
            each.move is not None and each.at_stake <= PERFECT,
        )
        for each in own.decisions
    )
    return Judged(trial, own.result, own.start, own.luck, found.lucks, choices, own.cost)


class Result:
    """A player's games at one game, and the figures that follow from them."""

    def __init__(self, game: Game, protocol: Protocol, judged: Iterable[Judged]) -> None:
        self.game, self.protocol = game, protocol
        self.judged = sorted(judged, key=_place)
        self._seats: NDArray[np.int64] = np.array(
            [each.trial.fixture.seat.index for each in self.judged]
        )
        self._results: Floats = np.array([each.result for each in self.judged])
        self._lucks: Floats = np.array([each.lucks for each in self.judged])

    @property
    def exact_worth(self) -> bool:
        """Whether decisions have an exact worth: the opponent was the certified player."""
        return self.protocol.against == CERTIFIED

    @cached_property
    def counted(self) -> Estimate:
        """The score by results alone."""
        return plain_estimate(self._seats, self._results)

    @cached_property
    def score(self) -> Estimate:
        """The score with luck taken out; by results alone, where luck is not known."""
        if not self.exact_worth:
            return self.counted
        return adjusted_estimate(self._seats, self._results, self._lucks, self._ceilings)

    @property
    def _ceilings(self) -> list[float]:
        """The most that any player can expect to win from each seat of the games."""
        worth, seats = baselines(self.game).worth, tuple(Seat)
        return [worth.ceiling(seats[index], TURN_LIMIT) for index in np.unique(self._seats)]

    @cached_property
    def values(self) -> Floats:
        """What each game adds to the score: its result without luck."""
        if not self.exact_worth:
            return self._results
        return without_luck(self._seats, self._results, self._lucks)

    def values_of(self, seat: Seat) -> Floats:
        """What each game in a seat adds to the score."""
        found: Floats = self.values[self._seats == seat.index]
        return found

    @cached_property
    def by_costs(self) -> Estimate:
        """The score as V at the start minus the costs."""
        values = [each.start - each.cost for each in self.judged]
        ceilings = self._ceilings
        scale = Scale([0.0] * len(ceilings), ceilings)
        return plain_estimate(self._seats, np.array(values), scale)

    @property
    def luck_z(self) -> float:
        """The luck that was taken out, as a multiple of its standard error.

        The mean of luck is zero in either seat, so its squares tell the error. One square more
        stands for a game of the largest luck, which few games need not have shown yet.
        """
        lucks = [each.luck for each in self.judged]
        return sum(lucks) / sqrt(1 + sum(luck**2 for luck in lucks))

    @property
    def ratio(self) -> float | None:
        """How many times as many games counting needs for an interval as narrow."""
        return games_saved(self.counted, self.score)

    @cached_property
    def exact(self) -> float | None:
        """The player's exact expected score, if it needs no game."""
        if not self.exact_worth or self.protocol.player not in PLAYERS:
            return None
        return exact_score(self.game, self.protocol.player, self.protocol.seats)

    @cached_property
    def choices(self) -> list[Choice]:
        """The decisions of all games."""
        return [choice for each in self.judged for choice in each.choices]

    @property
    def forfeit_note(self) -> str:
        """How many games were forfeited, and why the first was; empty if none was."""
        lost = [each.trial.record.outcome for each in self.judged if each.forfeited]
        if not lost or lost[0] is None:
            return ""
        return f"{len(lost)} of {len(self.judged)} games forfeited: {lost[0].detail}"

    @cached_property
    def form(self) -> Form:
        """How often the answers were legal moves, and the score apart from that."""
        forfeits = sum(each.forfeited for each in self.judged)
        counts = [each.answers for each in self.judged]
        answered, firsts = sum(count for count, _ in counts), [first for _, first in counts]
        lost = np.array([each.forfeit_cost for each in self.judged])
        score = self.score
        if self.exact_worth and forfeits:
            scale = Scale([0.0] * len(self._ceilings), self._ceilings)
            score = plain_estimate(self._seats, self.values + lost, scale)
        known = self.exact_worth and answered > 0
        return Form(
            asked=answered + forfeits,
            first_try=None if None in firsts else sum(first or 0 for first in firsts),
            answered=answered,
            cost=float(lost.sum()) if self.exact_worth else None,
            score=score.mean if known else None,
            interval=score.interval if known else None,
        )

    @property
    def profile(self) -> tuple[Kind, ...]:
        """How many decisions of each kind there were, and what they cost.

        The costs add up to V at the start minus the score by costs.
        """
        names = dict.fromkeys((*self.game.words.kinds, *(each.kind for each in self.choices)))
        found = {name: [each for each in self.choices if each.kind == name] for name in names}
        return tuple(
            Kind(
                name,
                len(those),
                sum(each.cost for each in those),
                None if all(each.vacuous for each in those) else _perfect_share(those),
            )
            for name, those in found.items()
            if those
        )

    @property
    def costs(self) -> Mapping[str, int]:
        """How many decisions cost at least this much, and less than the next class."""
        found = Counter(
            max(each for each in CLASSES if each <= max(0.0, choice.cost))
            for choice in self.choices
        )
        return {f"{least:g}": found[least] for least in CLASSES}

    @property
    def worst(self) -> tuple[Mistake, ...]:
        """The moves that cost most, each at another position, with what was better."""
        found: dict[tuple[str, str | None], Mistake] = {}
        dear = ((choice, each) for each in self.judged for choice in each.choices)
        for choice, each in sorted(dear, key=lambda pair: (-pair[0].cost, _place(pair[1]))):
            if choice.cost <= PERFECT or len(found) == WORST:
                break
            shown = mistake(each.trial, choice)
            found.setdefault((shown.picture, shown.move), shown)
        return tuple(found.values())

    @cached_property
    def figures(self) -> GameFigures:
        """All figures."""
        figures = GameFigures(
            title=self.game.title,
            options=self.game.options.to_json(),
            score=self.score.mean,
            error=self.score.known_error,
            interval=self.score.interval,
            counted=self.counted.mean,
            counted_error=self.counted.known_error,
            counted_interval=self.counted.interval,
            ratio=self.ratio,
            exact=self.exact,
            games=len(self.judged),
            forfeits=sum(each.forfeited for each in self.judged),
            form=self.form,
            spent=sum((each.trial.spent for each in self.judged), Spent()),
        )
        if not self.exact_worth:
            return figures
        cost = sum(each.cost for each in self.choices)
        return replace(
            figures,
            baseline=solution_of(self.game).worth.baseline,
            start=float(np.mean([each.start for each in self.judged])),
            by_costs=self.by_costs.mean,
            by_costs_error=self.by_costs.known_error,
            luck_z=self.luck_z,
            decisions=len(self.choices),
            cost_per_decision=cost / max(1, len(self.choices)),
            perfect=_perfect_share(self.choices),
            profile=self.profile,
            costs=self.costs,
            worst=self.worst,
        )

    def records(self) -> list[Json]:
        """Every game with its record and what it adds to the figures."""
        return [
            each.trial.to_json() | {"value": float(value), "costs": _by_kind(each.choices)}
            for each, value in zip(self.judged, self.values, strict=True)
        ]


def _place(each: Judged) -> tuple[int, int]:
    return each.trial.fixture.round, each.trial.fixture.seat.value


def _perfect_share(choices: Sequence[Choice]) -> float:
    return sum(each.cost <= PERFECT for each in choices) / max(1, len(choices))


def _by_kind(choices: Sequence[Choice]) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for each in choices:
        found[each.kind] = found.get(each.kind, 0.0) + each.cost
    return found


# --- worst moves ----------------------------------------------------------------------------------


def mistake(trial: Trial, choice: Choice) -> Mistake:
    """What was done at a step of a game, at which position, and what was better."""
    game, record, seat = trial.fixture.game, trial.record, trial.fixture.seat
    words, solution, number = game.words, solution_of(game), choice.number
    view = next(islice(record.states(), number - 1, None)).view(seat)
    moves = solution.worth.move_values(view, turns_left(record.turn_limit, view))
    best = max(moves, key=moves.__getitem__)
    made = record.steps[number - 1].move if number <= len(record.steps) else None
    turn = record.turns().get(number)
    if made is None and not view.setting_up:
        turn = view.turns + 1
    why, left, said = "", game.candidates(seat), trial.transcript
    with suppress(Refusal):
        why = solution.effect(view, best).why
    ruled_out = None if left is None or view.setting_up else left.after_all(view.history)
    return Mistake(
        round=trial.fixture.round,
        seat=seat,
        number=number,
        turn=turn,
        picture=_position(words, view),
        drawing=words.drawing(view, seat, left=ruled_out),
        move=None if made is None else str(made),
        said=choice.kind if made is None else words.mention(made),
        better=str(best),
        better_said=words.mention(best),
        why=why,
        kind=choice.kind,
        cost=choice.cost,
        thought=(said and harmless(said.thoughts_before(number), LONGEST_THOUGHT)) or None,
    )


def _position(words: Words[Any], view: View) -> str:
    """What the player saw: its own secret, the board, and the record."""
    own = " / ".join(map(words.text, view.secret))
    secret = f"Own {words.secret_name}: {own}" if own else ""
    parts = (secret, words.picture(view), "\n".join(words.notes(view)))
    return "\n\n".join(part for part in parts if part)
