"""Sets of puzzles as JSON Lines: written, read and answered."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

from strongroom.contract import Game, Json, Move, Refusal, View, shown_value
from strongroom.contract.codec import from_json
from strongroom.contract.rules import parts
from strongroom.minds.dialogue import PLAIN, Dialogue, Style
from strongroom.plugins.foreign import FAILURES
from strongroom.plugins.registry import load
from strongroom.puzzles.finding import puzzles, rename
from strongroom.puzzles.puzzle import BASELINE, RIGHT, Puzzle
from strongroom.text.quoting import harmless

FORMAT: Final = "strongroom puzzle"
VERSION: Final = 1
BEGIN: Final = '{"format": "strongroom puzzle"'
"""How a file with a set begins."""
HARDEST: Final = 5
"""The difficulty of the hardest puzzles; the easiest have 1."""
LONGEST: Final = 2**20
"""The most characters of a line."""


class BrokenSet(Refusal):
    """A file that is not a set of puzzles."""


@dataclass(frozen=True)
class Exercise:
    """A puzzle of a set: what is put to a player, and what each answer costs."""

    rules: str
    """The rules of the game, in the words of the set."""
    text: str
    """What the player knows, and the question, in the words of the set."""
    view: View
    costs: Mapping[Move, float]
    """What each legal move costs."""
    difficulty: int
    """How difficult it is, from 1 to 5."""
    losses: Mapping[str, float]
    """What each of some bots loses here on average."""
    disguise: str = ""
    """The seed of the other words in which the puzzle is put; empty for the game's own."""

    @property
    def game(self) -> Game:
        """The game."""
        assert isinstance(self.view.game, Game)
        return self.view.game

    @property
    def best(self) -> tuple[Move, ...]:
        """The right moves."""
        return tuple(move for move, cost in self.costs.items() if cost <= RIGHT)

    def dialogue(self, style: Style = PLAIN, in_json: bool = False, tries: int = 1) -> Dialogue:
        """How the puzzle is put and its answer read: in the words of the set."""
        style = replace(style, disguise=self.disguise)
        return Dialogue(self.game, style, in_json, tries=tries, is_puzzle=True)

    def question_in(self, dialogue: Dialogue) -> str:
        """What a player is told in a dialogue: the text, and the legal moves if they are listed."""
        return "\n".join([self.text, *dialogue.legal_lines(self.view)])

    def to_json(self) -> Json:
        """The exercise as a line of a set."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game.name,
            "options": self.game.options.to_json(),
            "rules": self.rules,
            "text": self.text,
            "moves": {str(move): cost for move, cost in self.costs.items()},
            "baseline": BASELINE,
            "lamps": self.difficulty,
            "losses": {**self.losses},
            **({"disguise": self.disguise} if self.disguise else {}),
            "view": self.view.to_json(),
        }

    @classmethod
    def from_json(cls, data: Any) -> Exercise:
        """The exercise of a line, or a refusal that says what is wrong with it."""
        kind, version = parts(data, "format", "version")
        if kind != FORMAT:
            raise Refusal(f"its format is not {FORMAT}.")
        if version != VERSION:
            raise Refusal(f"its version is {shown_value(version)}; this program reads {VERSION}.")
        name, options, rules, text = parts(data, "game", "options", "rules", "text")
        moves, difficulty, losses, view = parts(data, "moves", "lamps", "losses", "view")
        if not isinstance(rules, str) or not isinstance(text, str):
            raise Refusal("its rules and its text must be texts.")
        if type(difficulty) is not int or not 1 <= difficulty <= HARDEST:
            raise Refusal(f"lamps run from 1 to {HARDEST}, not {shown_value(difficulty)}.")
        if not isinstance(name, str) or not isinstance(options, dict):
            raise Refusal("it does not name a game.")
        game = load(name, **options)
        seen = View.from_json(game, view)
        costs, others = _costs(seen, moves), _check_costs(losses)
        disguise = Style(disguise=from_json(str, data.get("disguise", ""))).disguise
        return cls(rules, text, seen, costs, difficulty, others, str(disguise))


def _costs(view: View, moves: Any) -> dict[Move, float]:
    """What each legal move costs, as a line says."""
    costs = {view.game.move(text): cost for text, cost in _check_costs(moves).items()}
    if {*costs} != {*view.moves}:
        raise Refusal("its moves are not the legal ones.")
    if min(costs.values()) > RIGHT:
        raise Refusal("none of its moves is right.")
    return costs


def _check_costs(costs: Any) -> dict[str, float]:
    """Costs by name, or a refusal."""
    if not isinstance(costs, dict):
        raise Refusal(f"{shown_value(costs)} should be a cost for each name.")
    for cost in costs.values():
        if type(cost) not in (int, float) or not 0 <= cost <= 1:
            raise Refusal(f"a cost cannot be {shown_value(cost)}.")
    return costs


def exercise(
    puzzle: Puzzle, disguised: Random | None = None, disguise: str | bool = True
) -> Exercise:
    """A puzzle as it is written into a set.

    `disguised` draws other names; then it is put in other words, those of the seed `disguise`.
    """
    if disguised is not None:
        puzzle = rename(puzzle, disguised)
    style = Style(disguise=disguise if disguised else False)
    dialogue = puzzle.dialogue(style)
    titles = () if disguised else (puzzle.question,)
    text = dialogue.ask(puzzle.view, *puzzle.odds_text, *titles)
    losses = {each.player: each.cost for each in puzzle.bots}
    told, view, costs = dialogue.rules, puzzle.view, puzzle.costs
    return Exercise(told, text, view, costs, puzzle.difficulty, losses, str(style.disguise))


def exercises(
    seed: int,
    count: int,
    games: Sequence[Game] | None = None,
    difficulty: Collection[int] = (),
    disguised: str | bool = False,
) -> Iterator[Exercise]:
    """A new set of puzzles, the same for the same seed; fewer than `count` if there are no more.

    Without a difficulty, puzzles are as difficult as they come. They are `disguised` by the fixed
    disguise, or by that of a seed.
    """
    names = Random(f"disguise of {seed}") if disguised else None
    fitting = (
        each for each in puzzles(seed, games) if not difficulty or each.difficulty in difficulty
    )
    return (exercise(each, names, disguised) for each in islice(fitting, count))


def read(file: str | os.PathLike[str]) -> Iterator[Exercise]:
    """The puzzles of a set; a broken line is refused with its number and what is wrong."""
    name = harmless(str(file), 400)
    try:
        if Path(file).exists() and not Path(file).is_file():
            raise OSError(errno.EINVAL, "it is not a plain file")
        with Path(file).open(encoding="utf-8") as opened:
            lines = iter(partial(opened.readline, LONGEST + 1), "")
            for number, line in enumerate(lines, 1):
                try:
                    yield Exercise.from_json(_data(line))
                except (Refusal, ValueError, TypeError, RecursionError) as error:
                    why = _why(error)
                    raise BrokenSet(f"Line {number} of {name} is not a puzzle: {why}") from None
    except UnicodeDecodeError:
        raise BrokenSet(f"{name} is not a set of puzzles: it is not text.") from None
    except OSError as error:
        raise BrokenSet(f"Cannot read {name}: {error.strerror}.") from None


def _data(line: str) -> Any:
    if len(line) > LONGEST:
        raise Refusal(f"it has more than {LONGEST:,} characters.")
    return json.loads(line)


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON ({error.msg} at character {error.pos + 1})."
    if isinstance(error, Refusal):
        return f"{error.reason[:1].lower()}{error.reason[1:]}"
    return "it has a part of the wrong kind."


# --- answering ----------------------------------------------------------------------------------

Answer = Callable[[Exercise], Move | str]
"""A player of puzzles: it gives a move, or the text of one."""


@dataclass(frozen=True, slots=True)
class Score:
    """How well the puzzles of a set were answered."""

    costs: tuple[float, ...]
    """What each answer cost; one that is no legal move costs as much as the worst one."""
    illegal: int
    """How many answers were no legal move."""

    @property
    def cost(self) -> float:
        """The mean cost of an answer."""
        return sum(self.costs) / max(1, len(self.costs))

    @property
    def solved(self) -> float:
        """The share of puzzles that were answered right."""
        return sum(cost <= RIGHT for cost in self.costs) / max(1, len(self.costs))


def score(puzzles: Iterable[Exercise], answer: Answer) -> Score:
    """Put each puzzle to a player, once, and count what its answers cost."""
    costs, illegal = [], 0
    for each in puzzles:
        given, cost = answer(each), None
        with contextlib.suppress(*FAILURES):  # it may be anything
            move = move_meant(given, each) if isinstance(given, str) else given
            cost = None if move is None else each.costs.get(move)
        illegal += cost is None
        costs.append(max(each.costs.values()) if cost is None else cost)
    return Score(tuple(costs), illegal)


def move_meant(text: str, puzzle: Exercise) -> Move | None:
    """The move that a text means, as the game understands what people type; None if it is none."""
    try:
        return puzzle.game.move(text)
    except Refusal:
        pass
    try:
        return puzzle.dialogue().words.parse(text, puzzle.view)
    except Refusal:
        return None
