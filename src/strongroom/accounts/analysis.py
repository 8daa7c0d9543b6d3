"""What each move cost: the moves of a match, compared with the solution of its game.

Against the certified player, what a move is worth is known exactly, and its cost is that of the
measure, turn limit included. Against anybody else a move is judged as in a hint: as if against the
certified player, and by a belief about the opponent where that player never leads; there a move
that the certified player would make is no error, even if another is worth more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from strongroom.accounts.account import GIVEN_UP, MARKS, Account, Decision, account
from strongroom.contract import Json, Move, Refusal, Seat, View, Words
from strongroom.contract.codec import to_json
from strongroom.players import CERTIFIED
from strongroom.referee.record import Record
from strongroom.theory.hints import certified_moves
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import TIE, Solution

Curve = Sequence[tuple[int, float]]
"""Win probabilities before some of the moves, by the number of the step, and at the end."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where another move is worth more than the certified player's, and what that assumes.

    Certified play keeps its guarantee whatever the opponent does; worth is about one opponent.
    """

    estimated: Move
    """The move that is worth most."""
    chance: float
    """How likely it wins."""
    certified: Move
    """The certified player's move: the one played, or else its best."""
    certified_chance: float
    """How likely that move wins."""
    assumes: str
    """What that assumes, as a clause that follows "if"."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One decision: what the best move and the move played were worth, and what came of it."""

    number: int
    """The number of its step in the record, from 1."""
    seat: Seat
    move: Move
    before: float
    """The win probability of the best move, given what the mover knew; a certified move counts as
    best."""
    after: float
    """The win probability of the move played, given the same knowledge."""
    best: Move
    why: str
    """A sentence on the best move."""
    instead: str
    """What the best move would have done, as a clause that follows the move."""
    turn: int | None = None
    """The number of its turn in the running record; None in the set-up."""
    certified: float = 0.0
    """The probability that the certified player makes this move here."""
    doubt: Disagreement | None = None
    """How another move is worth more than certified play, if one is."""
    luck: float = 0.0
    """How chance and hidden answers changed the probability until this player's next decision or
    the end; for the first decision, before it, too."""
    gifts: float = 0.0
    """What the opponent's moves gave away in the same period."""

    @property
    def cost(self) -> float:
        """What the move gave away."""
        return max(0.0, self.before - self.after)

    @property
    def mark(self) -> str:
        """What such a move is called, or an empty string."""
        return next((mark for least, mark in MARKS if self.cost >= least - TIE), "")

    def remark(self, words: Words[Any]) -> str:
        """The remark on a marked move, to follow the player's name; empty for any other move."""
        if not self.mark:
            return ""
        move, best = words.mention(self.move), words.mention(self.best)
        article = "an" if self.mark == "inaccuracy" else "a"
        points = round(100 * self.cost)
        cost = f"−{points} point{'s' if points != 1 else ''}"
        return f"{move}, {article} {self.mark} ({cost}): {best} {self.instead}."

    def to_json(self, words: Words[Any]) -> Json:
        """The decision as JSON data."""
        return {
            "number": self.number,
            "turn": self.turn,
            "seat": self.seat.value,
            "move": str(self.move),
            "before": self.before,
            "after": self.after,
            "cost": self.cost,
            "mark": self.mark or None,
            "best": str(self.best),
            "why": self.why,
            "instead": self.instead,
            "remark": self.remark(words) or None,
            "certified": self.certified,
            "doubt": to_json(self.doubt),
            "luck": self.luck,
            "gifts": self.gifts,
        }


@dataclass(frozen=True, slots=True)
class Valuation:
    """How a player's decisions are valued."""

    words: str = "as if against the certified player, or by an estimate where it never leads"
    """The basis, as the rest of "valued ..."."""
    account: Account | None = None
    """The exact account of the game against the certified player; None if it was another."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """Every decision of a finished match, and the win probability given both secrets."""

    record: Record
    decisions: tuple[JudgedMove, ...]
    truth: Curve = ()
    """Seat.ONE's win probability before each turn, both secrets known, if both had continued with
    certified play; empty if the solution cannot tell."""
    valuations: tuple[Valuation, Valuation] = (Valuation(), Valuation())
    """How each seat's decisions are valued."""

    def account(self, seat: Seat) -> Account | None:
        """The exact account of a player who faced the certified player."""
        return self.valuations[seat.index].account

    def of(self, seat: Seat) -> list[JudgedMove]:
        """The decisions of one player."""
        return [decision for decision in self.decisions if decision.seat is seat]

    def start(self, seat: Seat) -> float:
        """A player's win probability before the first move."""
        if exact := self.account(seat):
            return exact.start
        if exact := self.account(seat.other):
            return 1 - exact.start
        first = self.decisions[0] if self.decisions else None
        if first is None:
            return 0.5
        if first.number == 1:  # the first mover knows what everybody knows
            return first.before if first.seat is seat else 1 - first.before
        return next((each.before for each in self.of(seat)), 0.5)

    def cost(self, seat: Seat) -> float:
        """What a player gave away in all, in games: 1 is a whole game."""
        return sum(decision.cost for decision in self.of(seat))

    def luck(self, seat: Seat) -> float:
        """What chance and hidden answers gave a player in all."""
        return sum(decision.luck for decision in self.of(seat))

    def gifts(self, seat: Seat) -> float:
        """What the opponent's moves gave a player in all."""
        return sum(decision.gifts for decision in self.of(seat))

    def result(self, seat: Seat) -> float:
        """A player's result: 1 for a win, 0 for a loss, 1/2 if nobody won."""
        assert self.record.outcome is not None
        return self.record.outcome.score(seat)

    def curve(self, seat: Seat | None) -> Curve:
        """A player's win probability given its own knowledge, at its decisions and at the end.

        For None, it is Seat.ONE's win probability with both secrets known.
        """
        end = len(self.record.steps) + 1
        if seat is not None:
            known = [(each.number, each.before) for each in self.of(seat)]
            return [*known, (end, self.result(seat))] if known else []
        return [*self.truth, (end, self.result(Seat.ONE))] if self.truth else []

    def to_json(self) -> Json:
        """The analysis as JSON data, with six digits of each number."""
        data = {
            "game": self.record.game.name,
            "options": self.record.game.options.to_json(),
            "seats": [
                {
                    "name": sitter.name,
                    "player": sitter.player,
                    "exact": self.account(seat) is not None,
                    "valued": self.valuations[seat.index].words,
                    "start": self.start(seat),
                    "cost": self.cost(seat),
                    "luck": self.luck(seat),
                    "gifts": self.gifts(seat),
                    "result": self.result(seat),
                    "curve": to_json(self.curve(seat)),
                }
                for seat, sitter in zip(Seat, self.record.sitters, strict=True)
            ],
            "truth": to_json(self.curve(None)),
            "outcome": to_json(self.record.outcome),
            "decisions": [each.to_json(self.record.game.words) for each in self.decisions],
        }
        return dict(_round(data))


def _round(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _round(part) for name, part in data.items()}
    if isinstance(data, list):
        return [*map(_round, data)]
    return round(data, 6) if isinstance(data, float) else data


def analyze(record: Record) -> Analysis:
    """What each decision of a finished match cost, given what the mover knew."""
    if record.outcome is None:
        raise Refusal("The game is not over; an analysis would reveal what is hidden.")
    solution = solution_of(record.game)
    valuations = (_valuation(record, solution, Seat.ONE), _valuation(record, solution, Seat.TWO))
    exact = {
        each.number: each.moves
        for found in valuations
        if found.account
        for each in found.account.decisions
    }
    decisions: list[JudgedMove] = []
    truth: list[tuple[int, float]] = []
    turns = record.turns()
    for state, step in zip(record.states(), record.steps, strict=False):
        if isinstance(step.actor, Seat) and step.move is not None:
            view = state.view(step.actor)
            judged = _judge(solution, view, step.number, step.move, exact.get(step.number))
            decisions.append(replace(judged, turn=turns.get(step.number)))
        if not state.setting_up and (chance := solution.truth(state)) is not None:
            truth.append((step.number, chance))
    analysis = Analysis(record, tuple(decisions), tuple(truth), valuations)
    return replace(analysis, decisions=tuple(_with_luck(analysis)))


def valued_decisions(record: Record, seat: Seat) -> Iterator[tuple[Decision, str]]:
    """Every decision of a seat in a finished record, and how its moves are valued."""
    solution = solution_of(record.game)
    valuation = _valuation(record, solution, seat)
    if valuation.account is not None:
        yield from ((each, valuation.words) for each in valuation.account.decisions)
        return
    for state, step in zip(record.states(), record.steps, strict=False):
        if step.actor is seat and step.move is not None:
            view = state.view(seat)
            found = solution.worth.judge(view)
            before = max(found.moves.values())
            decision = Decision(step.number, view, step.move, before, found.moves)
            yield decision, f"if {found.assumes}"


def _valuation(record: Record, solution: Solution, seat: Seat) -> Valuation:
    """How the decisions of a seat are valued: exactly, if the certified player sat opposite."""
    if record.sitters[seat.other.index].player != CERTIFIED:
        return Valuation()
    worth = solution.worth
    try:
        exact = account(record, seat, worth)
    except Refusal as refusal:  # the opponent was another player of this name, or the limit is odd
        why = f"{refusal.reason[:1].lower()}{refusal.reason[1:].rstrip('.')}"
        return Valuation(f"{Valuation().words}: {why}")
    return Valuation(f"exactly against the certified player, by {worth.baseline}", exact)


def _judge(
    solution: Solution,
    view: View,
    number: int,
    move: Move,
    exact: Mapping[Move, float] | None,
) -> JudgedMove:
    """A decision by itself; its turn, luck and gifts follow from the rest of the match."""
    assert view.seat is not None
    certified = certified_moves(solution, view)
    values, assumes = (exact, "") if exact else solution.worth.judge(view)
    best = max(values, key=lambda each: (values[each], certified.get(each, 0)))
    if values[move] >= values[best] - TIE or (move in certified and not exact):
        best = move
    effect = solution.effect(view, best)
    return JudgedMove(
        number=number,
        seat=view.seat,
        move=move,
        before=values[best],
        after=values[move],
        best=best,
        why=effect.why,
        instead=effect.instead,
        certified=certified.get(move, 0.0),
        doubt=None if exact else _doubt(move, values, certified, assumes),
    )


def _doubt(
    move: Move, values: Mapping[Move, float], certified: Mapping[Move, float], assumes: str
) -> Disagreement | None:
    """The disagreement, if some move is worth more than the certified player's."""
    if not certified:
        return None
    own = move if move in certified else max(certified, key=values.__getitem__)
    best = max(values, key=values.__getitem__)
    if values[best] <= values[own] + TIE:
        return None
    return Disagreement(best, values[best], own, values[own], assumes)


def _with_luck(analysis: Analysis) -> list[JudgedMove]:
    """Each decision with what came after it: the opponent's costs are gifts, the rest is luck.

    The start, minus all costs, plus all luck and gifts, is then the result of a game played out.
    The certified player's moves are no gifts where values are exact: these foresee its errors.
    """
    outcome, game = analysis.record.outcome, analysis.record.game
    assert outcome is not None
    later: dict[Seat, float] = {}  # each seat's chance before its next decision, or at the end
    for seat in Seat:
        foreseen = outcome.reason not in GIVEN_UP if analysis.account(seat) else False
        if outcome.reason in game.reasons or foreseen:  # otherwise the end was not luck
            later[seat] = analysis.result(seat)
    given = dict.fromkeys(Seat, 0.0)  # the gifts to each seat since then
    judged: list[JudgedMove] = []
    firsts: dict[Seat, int] = {}
    for each in reversed(analysis.decisions):
        gifts = given[each.seat]
        luck = later[each.seat] - each.after - gifts if each.seat in later else 0.0
        firsts[each.seat] = len(judged)
        judged.append(replace(each, luck=luck, gifts=gifts))
        later[each.seat] = each.before
        given[each.seat] = 0.0
        if not analysis.account(each.seat.other):
            given[each.seat.other] += each.cost
    for seat, first in firsts.items():
        each, gifts = judged[first], given[seat]
        luck = each.before - analysis.start(seat) - gifts
        judged[first] = replace(each, luck=each.luck + luck, gifts=each.gifts + gifts)
    return judged[::-1]
