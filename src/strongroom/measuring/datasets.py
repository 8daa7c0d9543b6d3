"""Datasets to learn from: games, decisions with what each move is worth, and examples for training.

A dataset is a folder with a card, and a folder for each kind of row with a file for each split, as
the library `datasets` reads it. What stands in a row follows from the games alone: the same games
make the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol, Self

from strongroom.accounts.account import PERFECT, Decision
from strongroom.accounts.analysis import valued_decisions
from strongroom.contests.schedule import Pairing, play_from_seed
from strongroom.contract import NAMES, Game, Json, Move, Seat
from strongroom.measuring.protocol import Trial
from strongroom.measuring.result import UNPLAYED
from strongroom.minds.dialogue import PLAIN, Dialogue, Style, Transcript, move_answer
from strongroom.plugins.extras import extra
from strongroom.puzzles.sets import Exercise
from strongroom.referee.record import Record, Sitter
from strongroom.version import __version__

BEGINS: Final = "---\npretty_name: strongroom"
"""How every card begins."""
SPLITS: Final = ("train", "validation", "test")
TENTHS: Final = {0: "test", 1: "validation"}
"""The splits of the tenths of all games that are not for training."""
DIGITS: Final = 9
"""How many digits of a worth are kept, so that rounding on other machines does not show."""
BATCH: Final = 500
"""How many rows of a Parquet file are written at once."""
MESSAGES: Final = [{"role": "string", "content": "string"}]
"""The type of a conversation."""

KINDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "games": {
        "id": "string",
        "game": "string",
        "options": "string",
        "players": ["string"],
        "seed": "string",
        "turn_limit": "int64",
        "winner": "int64",
        "reason": "string",
        "turns": "int64",
        "moves": ["string"],
        "record": "string",
    },
    "decisions": {
        "id": "string",
        "game_id": "string",
        "game": "string",
        "options": "string",
        "player": "string",
        "opponent": "string",
        "seat": "int64",
        "number": "int64",
        "turn": "int64",
        "kind": "string",
        "prompt": MESSAGES,
        "view": "string",
        "moves": [{"move": "string", "q": "float64", "cost": "float64"}],
        "value": "float64",
        "best": ["string"],
        "move": "string",
        "q": "float64",
        "cost": "float64",
        "valued": "string",
        "answers": ["string"],
        "result": "float64",
    },
    "sft": {"id": "string", "game": "string", "messages": MESSAGES},
    "preferences": {
        "id": "string",
        "game": "string",
        "prompt": MESSAGES,
        "chosen": MESSAGES,
        "rejected": MESSAGES,
        "margin": "float64",
    },
    "rl": {
        "id": "string",
        "game": "string",
        "prompt": MESSAGES,
        "moves": ["string"],
        "rewards": ["float64"],
        "best": ["string"],
    },
}
"""The columns of each kind of row with their types: a list of one type, or an object of several."""
ABOUT: Final = {
    "games": "a row a game, with every move and the record, which can be replayed",
    "decisions": "a row a decision: what the player was told, V before it, Q and the cost of each "
    "legal move, the best moves, and what was done",
    "sft": "for supervised fine-tuning: the prompt, answered with a best move",
    "preferences": "pairs for the same prompt: a best move, and the worse one that was made",
    "rl": "for reinforcement learning: the prompt, every legal move, and its reward: 0 for the "
    "best, below by what it costs",
}
"""What each kind of row is."""

Rows = dict[str, list[Json]]
"""Rows by their kind."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a game or a puzzle adds to a dataset."""

    split: str
    rows: Rows


def digest(text: str) -> str:
    """A short name for a text, the same on every machine.

    >>> digest("1, round 0")
    'a75066c89eb1cbb8'
    """
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def split_of(seed: str) -> str:
    """The split of everything with this seed: a tenth is for tests, a tenth for validation."""
    return TENTHS.get(int(digest(seed), 16) % 10, "train")


# --- games ----------------------------------------------------------------------------------------


def part_of_trial(trial: Trial, style: Style = PLAIN) -> Part:
    """What a game of a measurement adds: the decisions of the measured player.

    Where it was asked in text, the game is put as it was then, and not in the given style.
    """
    said = trial.transcript
    seat = trial.fixture.seat
    return _part(trial.record, trial.fixture.own_seed, (seat,), said.style if said else style, said)


def part_of_pairing(pairing: Pairing, style: Style = PLAIN) -> Part:
    """What a game between two players adds, which is played here: the decisions of both."""
    one, two = pairing.sitting
    sitters = (Sitter(NAMES[Seat.ONE], one), Sitter(NAMES[Seat.TWO], two))
    match = play_from_seed(
        pairing.game,
        pairing.seat_players(),
        pairing.own_seed,
        sitters=sitters,
        turn_limit=pairing.turn_limit,
    )
    return _part(match.record, pairing.own_seed, tuple(Seat), style, None)


def _part(
    record: Record, seed: str, seats: Sequence[Seat], style: Style, said: Transcript | None
) -> Part:
    game, outcome = record.game, record.outcome
    assert outcome is not None
    players = [sitter.player for sitter in record.sitters]
    of_game = {
        "id": digest(f"{seed} {players}"),
        "game": game.name,
        "options": _text(game.options.to_json()),
    }
    end = {
        "winner": outcome.winner and outcome.winner.value,
        "reason": outcome.reason.value,
        "turns": max(record.turns().values(), default=0),
    }
    made = [str(step.move) for step in record.steps if step.move is not None]
    found: Rows = {kind: [] for kind in KINDS}
    found["games"].append(
        {
            **of_game,
            "players": players,
            "seed": seed,
            "turn_limit": record.turn_limit,
            **end,
            "moves": made,
            "record": record.dumps(),
        }
    )
    dialogue, turns = Dialogue(game, style, turn_limit=record.turn_limit), record.turns()
    for seat in seats:
        answers: dict[int, list[str]] = {}
        for exchange in said.exchanges if said else ():
            answers.setdefault(exchange.number, []).append(exchange.reply.text)
        for each, valued in valued_decisions(record, seat):
            kind = game.words.deciding(each.view)
            row = {
                "id": f"{of_game['id']}-{each.number}",
                "game_id": of_game["id"],
                "game": game.name,
                "options": of_game["options"],
                "player": players[seat.index],
                "opponent": players[seat.other.index],
                "seat": seat.value,
                "number": each.number,
                "turn": turns.get(each.number),
                "kind": UNPLAYED[outcome.reason] if each.move is None else kind,
                "prompt": _prompt(_opening(dialogue), dialogue.ask(each.view)),
                "view": _text(each.view.to_json()),
                **_worths(each, dialogue.words.text),
                "valued": valued,
                "answers": answers.get(each.number - 1, []),
                "result": outcome.score(seat),
            }
            _add_decision(found, row)
    return Part(split_of(seed), found)


def _worths(decision: Decision, write: Callable[[Move], str]) -> Json:
    """V, and Q of each move, the one that was made included; moves as the prompt has them."""
    most = max(decision.moves.values())
    made = None if decision.move is None else write(decision.move)
    return {
        "moves": [
            {"move": write(move), "q": _round(q), "cost": _round(decision.value - q)}
            for move, q in decision.moves.items()
        ],
        "value": _round(decision.value),
        "best": [write(move) for move, q in decision.moves.items() if q >= most - PERFECT],
        "move": made,
        "q": _round(decision.worth),
        "cost": _round(decision.cost),
    }


@cache
def _opening(dialogue: Dialogue) -> str:
    return dialogue.opening


Source = Pairing | Exercise | tuple[Game, int, Json]
"""A game to be played, a puzzle, or the data of a measured game with its seed."""


def numbered_part(value: Callable[[Source], Part], numbered: tuple[int, Source]) -> _Numbered:
    """A part with its number, by which what several processes make is put in order."""
    number, source = numbered
    return number, value(source)


_Numbered = tuple[int, Part]


def in_order(found: Iterable[_Numbered]) -> Iterator[Part]:
    """The parts in the order of their numbers, each as soon as those before it are there.

    >>> [*in_order([(1, "b"), (0, "a"), (2, "c")])]
    ['a', 'b', 'c']
    """
    waiting: dict[int, Part] = {}
    due = 0
    for number, part in found:
        waiting[number] = part
        while due in waiting:
            yield waiting.pop(due)
            due += 1


def part_of(style: Style, source: Source) -> Part:
    """What it adds to a dataset."""
    if isinstance(source, Pairing):
        return part_of_pairing(source, style)
    if isinstance(source, Exercise):
        return part_of_puzzle(source, style)
    game, seed, data = source
    return part_of_trial(Trial.from_json(data, game, seed), style)


# --- puzzles --------------------------------------------------------------------------------------


def part_of_puzzle(puzzle: Exercise, style: Style = PLAIN) -> Part:
    """What a puzzle of a set adds, in the words of the set: there is no game, and no move made."""
    text = _text(puzzle.to_json())
    dialogue = puzzle.dialogue(style)
    write, seat = dialogue.words.text, puzzle.view.seat
    row = {
        "id": digest(text),
        "game_id": None,
        "game": puzzle.game.name,
        "options": _text(puzzle.game.options.to_json()),
        "player": None,
        "opponent": None,
        "seat": seat and seat.value,
        "number": puzzle.view.number + 1,
        "turn": None,
        "kind": puzzle.game.words.deciding(puzzle.view),
        "prompt": _prompt(dialogue.opening_with(puzzle.rules), puzzle.question_in(dialogue)),
        "view": _text(puzzle.view.to_json()),
        "moves": [
            {"move": write(move), "q": None, "cost": _round(cost)}
            for move, cost in puzzle.costs.items()
        ],
        "value": None,
        "best": [*map(write, puzzle.best)],
        "move": None,
        "q": None,
        "cost": None,
        "valued": "a puzzle",
        "answers": [],
        "result": None,
    }
    found: Rows = {kind: [] for kind in KINDS}
    _add_decision(found, row)
    return Part(split_of(puzzle.text), found)


# --- rows -----------------------------------------------------------------------------------------


def _add_decision(found: Rows, row: Json) -> None:
    """Add a decision and the examples that it makes: none, if nothing was at stake."""
    found["decisions"].append(row)
    moves, best = row["moves"], row["best"]
    if len(best) == len(moves):
        return
    same = {name: row[name] for name in ("id", "game")}
    prompt = row["prompt"]
    good = row["move"] if row["move"] in best else best[0]
    found["sft"].append({**same, "messages": [*prompt, *_answer(good)]})
    least = min(each["cost"] for each in moves)
    lost = {each["move"]: _round(each["cost"] - least) for each in moves}
    # Nobody was asked a puzzle: there the most tempting of the wrong moves is rejected.
    wrong = [move for move in lost if move not in best]
    bad = row["move"] if row["game_id"] else min(wrong, key=lost.__getitem__)
    if bad is not None and bad not in best:
        pair = {"chosen": _answer(best[0]), "rejected": _answer(bad)}
        found["preferences"].append({**same, "prompt": prompt, **pair, "margin": lost[bad]})
    found["rl"].append(
        {
            **same,
            "prompt": prompt,
            "moves": [*lost],
            "rewards": [0.0 - cost for cost in lost.values()],
            "best": best,
        }
    )


def _prompt(opening: str, question: str) -> list[Json]:
    return [{"role": "system", "content": opening}, {"role": "user", "content": question}]


def _answer(move: str) -> list[Json]:
    return [{"role": "assistant", "content": move_answer(move)}]


def _round(value: float) -> float:
    return round(value, DIGITS) + 0.0  # no minus zero


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


# --- files ----------------------------------------------------------------------------------------


class RowFile(Protocol):
    """A file of rows that is being written."""

    def write(self, row: Json) -> None:
        """Add a row."""

    def close(self) -> None:
        """Write what is left."""


class JsonLines:
    """Rows as lines of JSON."""

    ending = "jsonl"

    def __init__(self, file: Path, kind: str) -> None:
        self._file = file.open("w", encoding="utf-8")

    def write(self, row: Json) -> None:
        """Add a row."""
        self._file.write(f"{_text(row)}\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Parquet:
    """Rows as a Parquet file, some hundreds of which are kept until they are written."""

    ending = "parquet"

    def __init__(self, file: Path, kind: str) -> None:
        with extra("data", "--parquet"):
            import pyarrow
            from pyarrow.parquet import ParquetWriter
        fields = [(name, _arrow_type(pyarrow, type_)) for name, type_ in KINDS[kind].items()]
        self._schema = pyarrow.schema(fields)
        self._table = pyarrow.Table
        self._writer = ParquetWriter(file, self._schema)
        self._rows: list[Json] = []

    def write(self, row: Json) -> None:
        """Add a row, with many others at once."""
        self._rows.append(row)
        if len(self._rows) == BATCH:
            self._flush()

    def close(self) -> None:
        """Write what is left and close the file."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._table.from_pylist(self._rows, self._schema))
        self._rows = []


def _arrow_type(pyarrow: Any, told: Any) -> Any:
    if isinstance(told, list):
        return pyarrow.list_(_arrow_type(pyarrow, told[0]))
    if isinstance(told, Mapping):
        parts = [(name, _arrow_type(pyarrow, part)) for name, part in told.items()]
        return pyarrow.struct(parts)
    return getattr(pyarrow, told)()


@dataclass
class Dataset:
    """A dataset that is being written into an empty folder; as a context manager, to its end."""

    folder: Path
    kinds: Sequence[str] = tuple(KINDS)
    parquet: bool = False
    made_from: Sequence[str] = ()
    """Where its rows are from, a sentence each."""
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    """How many rows there are, by kind and split."""

    def __post_init__(self) -> None:
        self._files: dict[tuple[str, str], RowFile] = {}
        self._closing = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: Any) -> None:
        self._closing.close()
        if kind is None:
            (self.folder / "README.md").write_text(self.card(), encoding="utf-8")

    def add(self, part: Part) -> None:
        """Write the rows of a game or a puzzle."""
        for kind in self.kinds:
            for row in part.rows[kind]:
                self._file(kind, part.split).write(row)
                of = self.counts.setdefault(kind, {})
                of[part.split] = of.get(part.split, 0) + 1

    def _file(self, kind: str, split: str) -> RowFile:
        if (kind, split) not in self._files:
            made = Parquet if self.parquet else JsonLines
            place = self.folder / kind
            place.mkdir(exist_ok=True)
            opened: RowFile = made(place / f"{split}.{made.ending}", kind)
            self._files[kind, split] = opened
            self._closing.callback(opened.close)
        return self._files[kind, split]

    def card(self) -> str:
        """The dataset card, in the form that the Hugging Face Hub reads."""
        kinds = [kind for kind in self.kinds if kind in self.counts]
        return "".join(f"{line}\n" for line in (*self._head(kinds), *self._words(kinds)))

    def _head(self, kinds: Sequence[str]) -> Iterator[str]:
        ending = (Parquet if self.parquet else JsonLines).ending
        yield from (BEGINS, "license: mit", "language: [en]")
        yield from ("task_categories: [text-generation, reinforcement-learning]",)
        yield "tags: [games, imperfect-information, strongroom]"
        yield "configs:"
        for kind in kinds:
            yield from (f"- config_name: {kind}", "  data_files:")
            for split in self._splits(kind):
                yield from (f"  - split: {split}", f"    path: {kind}/{split}.{ending}")
            if kind == ("decisions" if "decisions" in kinds else kinds[0]):
                yield "  default: true"
        yield "dataset_info:"
        for kind in kinds:
            yield from (f"- config_name: {kind}", "  features:")
            for name, told in KINDS[kind].items():
                yield from _feature(name, told, "  ")
        yield "---"

    def _splits(self, kind: str) -> list[str]:
        return [split for split in SPLITS if split in self.counts[kind]]

    def _words(self, kinds: Sequence[str]) -> Iterator[str]:
        yield from ("", "# Decisions with what every move is worth", "")
        yield (
            "Positions of two-player duels of codes and nerve, as a player saw them, with what "
            "each legal move is worth. Against the certified player `master` that is exact: V is "
            "what the player can expect before a decision, Q what it can expect after a move, and "
            "V minus Q is what the move costs, in won games. `valued` says of each row on what its "
            "figures rest; against another opponent they are as if against `master`, or by a "
            "belief about it where `master` never leads."
        )
        yield from ("", f"Written by strongroom {__version__} from:", "")
        yield from (f"- {each}" for each in self.made_from)
        yield from (
            "",
            "| rows | train | validation | test | what they are |",
            "|---|---|---|---|---|",
        )
        for kind in kinds:
            counts = " | ".join(str(self.counts[kind].get(split, 0)) for split in SPLITS)
            yield f"| `{kind}` | {counts} | {ABOUT[kind]} |"
        yield from ("", "```python", "from datasets import load_dataset", "")
        yield from (f'rows = load_dataset("PATH", "{kinds[0]}", split="train")', "```", "")
        yield (
            "The seed of a game decides its split: four fifths are for training, and games of the "
            "same seed are in the same split, whoever played them. Openings recur in every split, "
            "because games begin alike. Decisions at which every move is worth the same have no "
            "row in `sft`, `preferences` and `rl`. A model that was trained on these rows is not "
            "measured fairly on the same seeds."
        )
        yield from ("", "## How to cite", "")
        yield (
            f"strongroom {__version__}: five solved duels and the exact measure; with the command "
            "and the seeds above."
        )


def _feature(name: str, told: Any, indent: str) -> Iterator[str]:
    """A column as the card describes it."""
    yield f"{indent}- name: {name}"
    if isinstance(told, list) and isinstance(told[0], Mapping):
        yield f"{indent}  list:"
        for part, type_ in told[0].items():
            yield from _feature(part, type_, f"{indent}  ")
    elif isinstance(told, list):
        yield f"{indent}  sequence: {told[0]}"
    else:
        yield f"{indent}  dtype: {told}"
