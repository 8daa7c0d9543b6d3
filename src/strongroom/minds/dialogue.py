"""A seat in text: what a player who reads and writes is told, and how its answers are read.

Every interface that speaks in text stands on this: models, puzzles for models, and the doors to
other frameworks. There is no other prompt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Final

from strongroom.contract import (
    Ambiguous,
    Game,
    Json,
    Move,
    NotLegal,
    NotUnderstood,
    Refusal,
    View,
    Words,
    names_for,
    shown,
)
from strongroom.contract.codec import from_json
from strongroom.plugins.registry import is_registered, words_of

BEGIN, END = "<move>", "</move>"
"""What stands before and after the move in an answer."""
MARKED: Final = re.compile(f"{BEGIN}([^<]*(?:<(?!/?move>)[^<]*)*){END}", re.IGNORECASE)
"""A marked move, in a form that takes no longer on an answer full of marks."""
THOUGHT: Final = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""What some models write before their answer."""
FENCE: Final = re.compile(r"\A```(?:json)?|```\Z", re.IGNORECASE)
"""What models like to write around JSON."""
DISGUISE: Final = "disguise"
"""The name of the set of words that disguises a game."""
LONGEST_ANSWER: Final = 100_000
"""Longer answers are not searched for a move."""
MOST_LISTED: Final = 100
"""Where more moves are legal than this, they are not listed."""
TRIES: Final = 3
"""How many answers a player has for one move; after that it forfeits the game."""
NO_LEGAL_ANSWER: Final = f"None of {TRIES} answers was a legal move."
"""Why a player forfeits after that many."""
MARK_IT: Final = f"Write it between {BEGIN} and {END}."
IN_JSON: Final = {
    True: 'a JSON object: {"thinking": "...", "move": "..."}',
    False: 'a JSON object with nothing else in it: {"move": "..."}',
}
"""The form of structured answers, with and without scratch work."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a game is put to a player."""

    disguise: bool = False
    """Whether the game is told in other words, so that knowing its name does not help."""
    legal_moves: bool = False
    """Whether the legal moves are listed."""
    scratch: bool = True
    """Whether the player may think in its answer, before the move; nobody else sees that."""

    @classmethod
    def read(cls, settings: str) -> Style:
        """The style that settings in a player's name ask for.

        >>> Style.read("disguise&no-scratch")
        Style(disguise=True, legal_moves=False, scratch=False)
        """
        known = {field.name.replace("_", "-"): field.name for field in fields(cls)}
        chosen: dict[str, bool] = {}
        for each in filter(None, settings.split("&")):
            name = each.removeprefix("no-")
            if name not in known:
                told = f"There is no setting {shown(each)}."
                raise Refusal(told, f"Choose from: {', '.join(known)}, or no- with one of them.")
            chosen[known[name]] = name == each
        return cls(**chosen)

    def to_json(self) -> str:
        """The settings as JSON data."""
        return str(self)

    @classmethod
    def from_json(cls, data: Any, game: Any = None) -> Style:
        """The style with these settings, or a refusal."""
        return cls.read(from_json(str, data))

    def __str__(self) -> str:
        usual = type(self)()
        return "&".join(
            ("" if getattr(self, field.name) else "no-") + field.name.replace("_", "-")
            for field in fields(self)
            if getattr(self, field.name) != getattr(usual, field.name)
        )


PLAIN: Final = Style()
"""The rule book's words, with room to think, and without the legal moves."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One game as it is put, in text, to a player in either seat."""

    game: Game
    style: Style = PLAIN
    in_json: bool = False
    """Whether the answers are JSON objects; otherwise the move is marked in a text."""
    opponent: str = ""
    """What the opponent is called; by default, after the seat."""

    def __post_init__(self) -> None:
        assert self.words  # a refusal, where there are no other words

    @property
    def words(self) -> Words[Any]:
        """The words in which the game is put."""
        return disguise_of(self.game) if self.style.disguise else self.game.words

    @property
    def rules(self) -> str:
        """The rules of the game."""
        if self.words.rules:
            return self.words.rules
        page, _, rest = self.game.rules_page.partition("## Options")
        told = [page.strip()]
        if self.game.options != type(self.game)().options:
            chosen = ", ".join(f"{k}={v}" for k, v in self.game.options.to_json().items())
            told += [f"## Options{rest.partition('## ')[0]}".strip(), f"This game has {chosen}."]
        return "\n\n".join(told)

    @property
    def manner(self) -> str:
        """How to answer."""
        if self.in_json:
            think = "Think first if you like; nobody else sees it. Only the move counts."
            told = f"Whenever you are asked for a move, answer with {IN_JSON[self.style.scratch]}."
            return f"{told} {think}" if self.style.scratch else told
        if self.style.scratch:
            return (
                "Whenever you are asked for a move, think first if you like; nobody else sees it. "
                f"Then write your move, once, between {BEGIN} and {END}. Only that counts."
            )
        return (
            f"Whenever you are asked for a move, write it between {BEGIN} and {END}, and nothing "
            "else."
        )

    @property
    def opening(self) -> str:
        """What a player is told before the first question: the rules, and how to answer."""
        return self.opened(self.rules)

    def opened(self, rules: str) -> str:
        """The opening, with the rules told in given words."""
        return f"You play a game against an opponent.\n\n{rules}\n\n{self.manner}"

    @property
    def schema(self) -> Json:
        """The JSON schema of structured answers."""
        names = ["thinking", "move"] if self.style.scratch else ["move"]
        return {
            "type": "object",
            "properties": {name: {"type": "string"} for name in names},
            "required": names,
            "additionalProperties": False,
        }

    def ask(self, view: View, *more: str) -> str:
        """What the actor of a view is told: what it knows, `more` lines, and what is asked."""
        return "\n".join([*self.position(view), *more, self.asked(view)])

    def position(self, view: View) -> list[str]:
        """What a seat knows and what stands open before both players, line by line."""
        return [*self.known(view), *self.board(view)]

    def known(self, view: View) -> Sequence[str]:
        """What a seat knows, line by line: who it is, its own secrets, and the record."""
        return self.words.known(view, self.opponent)

    def board(self, view: View) -> Sequence[str]:
        """What stands open before both players; empty if nothing does."""
        open_to_all = self.words.picture(view)
        if not open_to_all:
            return []
        return [f"Now:\n{open_to_all}" if "\n" in open_to_all else f"Now: {open_to_all}"]

    def asked(self, view: View) -> str:
        """What the actor is asked, how it is written and, if they are told, the legal moves."""
        asked = self.words.asked_at_once(view, names_for(view, self.opponent))
        return "\n".join([asked, *self.listed(view)])

    def listed(self, view: View) -> Sequence[str]:
        """The legal moves in a line, if they are told and not too many."""
        if not self.style.legal_moves or len(view.moves) > MOST_LISTED:
            return []
        return [f"Legal moves: {', '.join(map(str, view.moves))}."]

    def read(self, answer: str, view: View, cut_off: bool = False) -> Move:
        """The legal move that an answer marks, read as a person's line is; or a refusal.

        An answer that was `cut_off` because it became too long is refused, whatever it marks.
        """
        if cut_off:
            raise NotUnderstood("Your answer was cut off.", "Answer more briefly.")
        text = self._marked(answer)
        move = self.words.parse(text, view)
        if move not in view.moves:
            raise NotLegal(f"{shown(text)} is not legal here.")
        return move

    def again(self, refusal: Refusal, view: View) -> str:
        """What a player is told whose answer was refused."""
        return f"{self.words.refused(refusal, view)} Answer again."

    def _marked(self, answer: str) -> str:
        """The text of the move in an answer."""
        if len(answer) > LONGEST_ANSWER:
            raise NotUnderstood(f"An answer has at most {LONGEST_ANSWER} characters.", self._form)
        said = without_thoughts(answer)
        return self._in_object(said) if self.in_json else self._between_marks(said)

    @property
    def _form(self) -> str:
        """How the move has to be written, for whoever did not."""
        return f"Answer with {IN_JSON[self.style.scratch]}." if self.in_json else MARK_IT

    def _in_object(self, said: str) -> str:
        try:
            given: Any = json.loads(FENCE.sub("", said.strip()))
        except (ValueError, RecursionError):
            raise NotUnderstood("Your answer is not a JSON object.", self._form) from None
        move = given.get("move") if isinstance(given, dict) else None
        if type(move) not in (str, int):
            raise NotUnderstood("Your answer is not a JSON object with a move.", self._form)
        if not self.style.scratch and len(given) > 1:
            raise NotUnderstood("Your answer has more than a move.", self._form)
        return " ".join(str(move).split())

    def _between_marks(self, said: str) -> str:
        found = [" ".join(each.split()) for each in MARKED.findall(said)]
        if not found:
            raise NotUnderstood("Your answer has no marked move.", MARK_IT)
        if len({*found}) > 1:
            count = len({*found})
            raise Ambiguous(f"Your answer marks {count} different moves.", "Mark only one.")
        if not self.style.scratch and MARKED.sub("", said).strip():
            raise NotUnderstood("Your answer has more than a move.", f"{MARK_IT} Add nothing.")
        return found[0]


@lru_cache(maxsize=64)
def disguise_of(game: Game) -> Words[Any]:
    """The words of a game for those who should not know it again, or a refusal."""
    if not is_registered("words", f"{game.name}.{DISGUISE}"):
        raise Refusal(f"There are no other words for {game!r}.", "Play it undisguised.")
    return words_of(game, DISGUISE)(game)


def without_thoughts(answer: str) -> str:
    """An answer without what some models write before it.

    >>> without_thoughts("<think>4 is in the middle.</think><move>4</move>")
    '<move>4</move>'
    """
    return THOUGHT.sub("", answer)


def marked(move: str) -> str:
    """An answer that is only a move.

    >>> marked("2-1-3")
    '<move>2-1-3</move>'
    """
    return f"{BEGIN}{move}{END}"
