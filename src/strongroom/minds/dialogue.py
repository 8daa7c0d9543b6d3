"""A seat in text: what a player who reads and writes is told, and how its answers are read.

Every interface that speaks in text stands on this: models, puzzles for models, and the doors to
other frameworks. There is no other prompt.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from itertools import zip_longest
from random import Random
from typing import Annotated, Any, Final, NamedTuple, TypeGuard, TypeVar

from strongroom.contract import (
    REPEATS,
    Ending,
    Game,
    Json,
    Move,
    NotUnderstood,
    Refusal,
    Repetition,
    Seat,
    View,
    Words,
    harmless,
    names_for,
    quote,
)
from strongroom.contract.codec import Accepted, from_json, json_form, number_from
from strongroom.contract.disguise import FIXED, Disguise
from strongroom.contract.player import Limited
from strongroom.minds.reading import BEGIN, END, is_bare, move_in
from strongroom.minds.settings import TRIES as TRIES
from strongroom.minds.settings import USUAL, Conversation, Settings
from strongroom.plugins.foreign import Explained
from strongroom.plugins.registry import is_registered, words_of
from strongroom.referee.bout import TURN_LIMIT, moves_to
from strongroom.referee.record import Record

DISGUISE: Final = "disguise"
"""The name of the set of words that disguises a game."""
SEED: Final = "[A-Za-z0-9_-]{1,64}"
"""What a seed of a disguise is."""
FEWEST: Final = 5
"""No position has come up three times after fewer events."""
LONGEST_ANSWER: Final = 100_000
"""Longer answers are not searched for a move."""
MOST_LISTED: Final = 100
"""Where more moves are legal than this, they are not listed."""
MOST_CHOICES: Final = 500
"""Where more moves are legal than this, no schema lists them."""
MARK_IT: Final = f"Write it between {BEGIN} and {END}."
EXAMPLE_AFTER: Final = 12
"""How many moves of a game go before the position of which the example of an answer is a move."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a game is put to a player."""

    disguise: str | bool = ""
    """The seed of the other words in which the game is told, or none; true is the fixed disguise.

    With other words, knowing the game by its name does not help.
    """
    legal_moves: bool = False
    """Whether the legal moves are listed."""
    scratch: bool = True
    """Whether the player may think in its answer, before the move; nobody else sees that."""

    def __post_init__(self) -> None:
        seed = self.disguise
        if isinstance(seed, bool):
            seed = FIXED if seed else ""
        if seed and not re.fullmatch(SEED, seed):
            told = f"{quote(str(seed))} is no seed of a disguise."
            raise Refusal(told, "A seed is up to 64 plain letters, digits, dashes and underscores.")
        object.__setattr__(self, "disguise", seed)

    @classmethod
    def read(cls, settings: str) -> Style:
        """The style that settings in a player's name ask for.

        >>> Style.read("disguise&no-scratch"), Style.read("disguise=7").disguise
        (Style(disguise='0', legal_moves=False, scratch=False), '7')
        """
        known = {field.name.replace("_", "-"): field.name for field in fields(cls)}
        chosen: dict[str, Any] = {}
        for each in filter(None, settings.split("&")):
            setting, has_seed, seed = each.partition("=")
            name = setting.removeprefix("no-")
            if name not in known or (has_seed and setting != DISGUISE):
                told = f"There is no setting {quote(each)}."
                raise Refusal(told, f"Choose from: {', '.join(known)}, or no- with one of them.")
            chosen[known[name]] = seed if seed else name == setting
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
        told = "&".join(
            ("" if getattr(self, field.name) else "no-") + field.name.replace("_", "-")
            for field in fields(self)
            if getattr(self, field.name) != getattr(usual, field.name)
        )
        is_drawn = self.disguise not in ("", FIXED)
        return told.replace(DISGUISE, f"{DISGUISE}={self.disguise}", 1) if is_drawn else told


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
    turn_limit: int | None = TURN_LIMIT
    """After how many turns the game is undecided, if ever."""
    tries: int = TRIES
    """How many answers the player has for one move."""
    is_puzzle: bool = False
    """Whether one move is asked for, instead of a game."""
    choices: tuple[str, ...] = ()
    """The moves that the schema allows; none are any."""

    def __post_init__(self) -> None:
        assert self.words  # a refusal, where there are no other words

    @property
    def words(self) -> Words[Any]:
        """The words in which the game is put."""
        seed = self.style.disguise
        return disguise_of(self.game, str(seed)) if seed else self.game.words

    @property
    def rules(self) -> str:
        """The rules of the game."""
        return self.words.told_rules

    @property
    def manner(self) -> str:
        """How to answer, and what an answer costs that is no legal move."""
        if self.in_json:
            told = "Whenever you are asked for a move, answer with one JSON object"
            told += "." if self.style.scratch else " and nothing else."
            think = ' Think first under "thinking", if you like; nobody else sees it.'
        else:
            told = "Whenever you are asked for a move, "
            told += "end your answer with it" if self.style.scratch else "answer with it alone"
            told += f", written once between {BEGIN} and {END}."
            think = " Think before it, if you like; nobody else sees it."
        told += f"{think} Only the move counts." if self.style.scratch else ""
        return f"{told} For example, at another moment:\n\n{self.example}\n\n{self.stakes}"

    @property
    def example(self) -> str:
        """An answer to another position, in the form in which answers are written."""
        move = self.words.text(example_move(self.game))
        if not self.in_json:
            return move_answer(move)
        thought = {"thinking": "A few words on why."} if self.style.scratch else {}
        return json.dumps({**thought, "move": move}, ensure_ascii=False)

    @property
    def stakes(self) -> str:
        """After how many turns the game ends, and what an answer costs that is no legal move."""
        first = "An answer that is no legal move is refused with the reason"
        counts = "it counts as the worst one" if self.is_puzzle else "you lose the game"
        if self.tries == 1:
            told = f"You have one answer: if it is no legal move, {counts}."
        else:
            told = f"{first}, and you answer again; after {self.tries} such answers for one move, "
            told += f"{counts}."
        if self.is_puzzle:
            return f"You are asked for one move of a game. {told}"
        most, limit = self.game.most_turns, self.turn_limit
        if limit is None or (most is not None and most <= limit):
            return told
        return (
            f"A game that nobody has won after {limit} turns, those of both players together, ends "
            f"undecided, as half a win for each. {told}"
        )

    @property
    def opening(self) -> str:
        """What a player is told before the first question: the rules, and how to answer."""
        return self.opening_with(self.rules)

    def opening_with(self, rules: str) -> str:
        """The opening, with the rules told in given words."""
        return f"You play a game against an opponent.\n\n{rules}\n\n# Your answers\n\n{self.manner}"

    @property
    def schema(self) -> Json:
        """The JSON schema of structured answers."""
        names = ["thinking", "move"] if self.style.scratch else ["move"]
        kinds: Json = {name: {"type": "string"} for name in names}
        if self.choices:
            kinds["move"] |= {"enum": [*self.choices]}
        return {
            "type": "object",
            "properties": kinds,
            "required": names,
            "additionalProperties": False,
        }

    def ask(self, view: View, *more: str) -> str:
        """What the actor of a view is told: what it knows, `more` lines, and what is asked."""
        return "\n".join([*self.position(view), *more, self.question_text(view)])

    def position(self, view: View) -> list[str]:
        """What a seat knows and what stands open before both players, line by line."""
        return [*self.known_lines(view), *self.board(view)]

    def known_lines(self, view: View) -> Sequence[str]:
        """What a seat knows, line by line: who it is, its own secrets, and the record."""
        return self.words.known_lines(view, self.opponent, as_written=True)

    def board(self, view: View) -> Sequence[str]:
        """What stands open before both players, and whether that goes round in circles."""
        picture = self.words.picture(view)
        now = f"Now: {self.words.result_name}".rstrip()
        shown = [f"Now:\n{picture}" if "\n" in picture else f"{now} {picture}"] if picture else []
        return [*shown, REPEATS] if is_repeated(view) else shown

    def question_text(self, view: View) -> str:
        """What the actor is asked, how it is written and, if they are told, the legal moves."""
        asked = self.words.asked_at_once(view, names_for(view, self.opponent))
        return "\n".join([asked, *self.legal_lines(view)])

    def legal_lines(self, view: View) -> Sequence[str]:
        """The legal moves in a line, if they are told and not too many."""
        moves = self.legal_texts(view) if self.style.legal_moves else ()
        return [f"Legal moves: {', '.join(moves)}."] if moves else []

    def legal_texts(self, view: View, most: int = MOST_LISTED) -> Sequence[str]:
        """The legal moves as they are written, if they are not too many."""
        return [*map(self.words.text, view.moves)] if len(view.moves) <= most else []

    def read(self, answer: str, view: View, cut_off: bool = False) -> Move:
        """The legal move that an answer marks, read as a person's line is; or a refusal.

        An answer that was `cut_off` because it became too long is refused, whatever it marks.
        """
        words = self.words
        if cut_off:
            raise NotUnderstood("Your answer was cut off.", "Answer more briefly.")
        if len(answer) > LONGEST_ANSWER:
            raise NotUnderstood(f"An answer has at most {LONGEST_ANSWER} characters.", self._form)
        if not self.style.scratch and not is_bare(answer):
            raise NotUnderstood("Your answer has more than a move.", self._form)
        try:
            return move_in(answer, partial(words.legal_move, view=view), words.heard)
        except NotUnderstood as refusal:
            raise NotUnderstood(refusal.reason, refusal.accepted or self._form) from None

    def again(self, refusal: Refusal, view: View) -> str:
        """What a player is told whose answer was refused."""
        return f"{refusal} Answer again."

    @property
    def _form(self) -> str:
        """How the move has to be written, for whoever did not."""
        return f"Put your move into this form: {self.example}" if self.in_json else MARK_IT

    @property
    def no_legal_answer(self) -> str:
        """Why a player forfeits whose answers were all refused."""
        if self.tries == 1:
            return "The only answer was no legal move."
        return f"None of {self.tries} answers was a legal move."


def choices_in(schema: Json | None) -> Sequence[str]:
    """The moves that a schema of answers lists, if it does."""
    return schema["properties"]["move"].get("enum", ()) if schema else ()


def without_choices(schema: Json) -> Json:
    """A schema of answers for any move.

    >>> from strongroom.plugins.registry import load
    >>> dialogue = Dialogue(load("quantum-duel"))
    >>> without_choices(replace(dialogue, choices=("1", "2")).schema) == dialogue.schema
    True
    """
    return {**schema, "properties": {**schema["properties"], "move": {"type": "string"}}}


def is_repeated(view: View) -> bool:
    """Whether one of the last two events was the first to bring about a position a third time.

    Boards and what can be hidden follow from what is public, so any secrets that fit will do.
    """
    game = view.game
    if view.outcome is not None or len(view.history) < FEWEST or not isinstance(game, Game):
        return False
    if view.board is None or game.most_turns is not None:
        return False
    try:
        state = game.sample(view, Random(0))
    except Refusal:  # a game may hide what is too hard to guess
        return False
    repetition, at, noticed = Repetition(), game.start(), [False]
    for move in moves_to(state):
        at = at.play(move)
        if at.log:
            noticed.append(repetition.noticed(at.view(None)))
    return any(noticed[-2:])


@lru_cache(maxsize=64)
def example_move(game: Game) -> Move:
    """A legal move of a position in the middle of some game, which is always the same one.

    >>> from strongroom.plugins.registry import load
    >>> str(example_move(load("safe-cracker")))
    '2-2-2'
    """
    rng, state = Random(f"an example of {game!r}"), game.start()
    turns: list[Sequence[Move]] = []
    for _ in range(EXAMPLE_AFTER):
        if state.outcome is not None:
            break
        if isinstance(state.actor, Seat) and not state.setting_up:
            turns.append(state.moves)
        state = state.play(rng.choice(state.moves))
    moves = max(turns or [game.start().moves], key=len)
    return moves[rng.randrange(min(1, len(moves) - 1), len(moves))]


@lru_cache(maxsize=64)
def disguise_of(game: Game, seed: str = FIXED) -> Words[Any]:
    """The words of a game, drawn by a seed, for those who should not know it; or a refusal."""
    if not is_registered("words", f"{game.name}.{DISGUISE}"):
        raise Refusal(f"There are no other words for {game!r}.", "Play it undisguised.")
    kind = words_of(game, DISGUISE)
    if issubclass(kind, Disguise):
        return kind(game, seed)
    if seed != FIXED:
        raise Refusal(f"There is one disguise of {game!r}.", "Leave out the seed.")
    return kind(game)


def move_answer(move: str) -> str:
    """An answer that is only a move.

    >>> move_answer("2-1-3")
    '<move>2-1-3</move>'
    """
    return f"{BEGIN}{move}{END}"


# --- the player -----------------------------------------------------------------------------------


LONGEST_REASON: Final = 200
"""How much is kept of the reason why a player forfeited."""
LONGEST_QUOTED: Final = 2_000
"""How much of a refused answer a player is reminded of."""
LARGEST: Final = 1e15
"""No number of an exchange, or of a report, is as large as this."""
Whole = Annotated[int, Accepted(f"a whole number below {LARGEST:.0e}", lambda n: abs(n) < LARGEST)]
Amount = Annotated[float, number_from(0, LARGEST)]
MOST_TOKENS: Final = 10**8
"""No question and no answer has as many tokens as this, so that no sum of them is too large."""
MOST_MONEY: Final = 10**8
"""No answer costs as many dollars as this."""


class Message(NamedTuple):
    """A part of a conversation: what the player was told, or what it said."""

    from_player: bool
    text: str


def is_token_count(value: object) -> TypeGuard[int]:
    """Whether a value can be the number of tokens of a question or an answer.

    >>> is_token_count(120), is_token_count(True), is_token_count(10**300)
    (True, False, False)
    """
    return type(value) is int and 0 <= value < MOST_TOKENS


def is_money(value: object) -> TypeGuard[float]:
    """Whether a value can be the cost of an answer, in dollars.

    >>> is_money(0.25), is_money("0.25"), is_money(float("nan"))
    (True, False, False)
    """
    return isinstance(value, int | float) and type(value) is not bool and 0 <= value < MOST_MONEY


@json_form(
    "answered=text cut_off reasoning tokens_in tokens_out cached_tokens? reasoning_tokens? money "
    "constrained?"
)
@dataclass(frozen=True, slots=True)
class Reply:
    """What a player answered, and what that took; a refusal if it cannot have taken that."""

    text: str
    reasoning: str = ""
    """What it thought, where that comes apart from the answer."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    """With those of its reasoning."""
    money: float | None = None
    """In dollars."""
    cut_off: bool = False
    """Whether the answer ended because it was too long."""
    cached_tokens: int | None = None
    """How many of `tokens_in` the endpoint had read before."""
    reasoning_tokens: int | None = None
    """How many of `tokens_out` were reasoning."""
    constrained: bool | None = None
    """Whether the schema listed the legal moves; None if that was not wanted."""
    latency: float | None = field(default=None, compare=False)
    """How many seconds the call took that was answered; nothing that it waited for counts."""

    def __post_init__(self) -> None:
        told = (self.tokens_in, self.tokens_out, self.cached_tokens, self.reasoning_tokens)
        counts = (each for each in told if each is not None)
        if not (all(map(is_token_count, counts)) and (self.money is None or is_money(self.money))):
            raise Refusal("What an answer took must be numbers, and no larger than it can be.")


Speak = Callable[[Dialogue, str, Sequence[Message]], Reply]
"""Answers a conversation in the form that a dialogue has, given what was said before it."""


class OtherForm(Exception):
    """The player cannot answer in the form of the dialogue; it is asked again in the other."""


@json_form("number asked *reply seconds refused")
@dataclass(frozen=True, slots=True)
class Exchange:
    """One question and its answer."""

    number: Whole
    """How many moves had been made."""
    asked: str
    reply: Reply
    seconds: Amount = field(compare=False)
    """How long the answer took, without what it waited for."""
    refused: str = ""
    """Why the answer was refused."""


class NoLegalAnswer(Explained):
    """A player has not given a legal answer, however often it was asked."""


class TextPlayer(Limited):
    """A player who is asked in text; it is told why an answer is refused, and asked again."""

    def __init__(
        self,
        game: Game,
        speak: Speak,
        style: Style = PLAIN,
        in_json: bool = False,
        settings: Settings = USUAL,
    ) -> None:
        self.dialogue = Dialogue(game, style, in_json)
        self.opening = ""
        """What the player was told before it was asked."""
        self.exchanges: list[Exchange] = []
        """All questions and answers of the game."""
        self.illegal = 0
        """How many answers were no legal moves."""
        self._speak = speak
        self._settings = settings
        self.tries = settings.tries
        """How many answers it has to a question."""
        self._talk = [
            message
            for each in settings.examples_for(game.name)
            for message in (Message(False, each.question), Message(True, each.answer))
        ]
        """What is said before each question."""

    def limit(self, turns: int | None) -> None:
        """Tell the player after how many turns the match will be undecided."""
        self.dialogue = replace(self.dialogue, turn_limit=turns)

    def choose(self, view: View) -> Move:
        """The move of the first legal answer; after too many others, the player fails."""
        rules, asked = self.dialogue.rules, self.dialogue.ask(view)
        return self.answer(rules, asked, view, self.tries)

    def answer(self, rules: str, asked: str, view: View, tries: int) -> Move:
        """The move of the first legal answer to a question that is put in given words."""
        self.dialogue = replace(self.dialogue, tries=tries)
        talk = [*self._talk, Message(False, asked)]
        for _ in range(tries):
            reply = self._reply(rules, talk, view)
            said = reply.text[:LONGEST_QUOTED] or "..."  # some endpoints refuse empty messages
            talk.append(Message(True, said))
            try:
                move = self.dialogue.read(reply.text, view, reply.cut_off)
            except Refusal as refusal:
                self.illegal += 1
                self.exchanges[-1] = replace(self.exchanges[-1], refused=refusal.reason)
                talk.append(Message(False, self.dialogue.again(refusal, view)))
                continue
            if self._settings.conversation is Conversation.KEPT:
                self._talk = talk
            return move
        why = harmless(self.exchanges[-1].refused, LONGEST_REASON)
        told = self.dialogue.no_legal_answer
        raise NoLegalAnswer(f"{told[0].lower()}{told[1:-1]}; the last: {why}")

    def _reply(self, rules: str, talk: Sequence[Message], view: View) -> Reply:
        if self._settings.constrained:
            choices = tuple(self.dialogue.legal_texts(view, MOST_CHOICES))
            self.dialogue = replace(self.dialogue, choices=choices)
        began = time.perf_counter()
        try:
            reply = self._speak_after(rules, talk)
        except OtherForm:
            self.dialogue = replace(self.dialogue, in_json=not self.dialogue.in_json)
            reply = self._speak_after(rules, talk)
        reply = replace(reply, text=reply.text[: LONGEST_ANSWER + 1])  # the next is refused anyway
        took = time.perf_counter() - began if reply.latency is None else reply.latency
        self.exchanges.append(Exchange(view.number, talk[-1].text, reply, round(took, 3)))
        return reply

    def _speak_after(self, rules: str, talk: Sequence[Message]) -> Reply:
        opening = self.dialogue.opening_with(rules)
        self.opening = "\n\n".join(filter(None, (self._settings.system, opening)))
        return self._speak(self.dialogue, self.opening, talk)

    @property
    def seconds(self) -> float:
        """How long the answers took, without what they waited for."""
        return round(sum(each.seconds for each in self.exchanges), 6)

    @property
    def tokens(self) -> int | None:
        """How many tokens the game took; None if that is not told."""
        return _total((self.tokens_in, self.tokens_out))

    @property
    def tokens_in(self) -> int | None:
        """How many tokens the questions had; None if that is not told."""
        return _total(each.reply.tokens_in for each in self.exchanges)

    @property
    def tokens_out(self) -> int | None:
        """How many tokens the answers had, with their reasoning; None if that is not told."""
        return _total(each.reply.tokens_out for each in self.exchanges)

    @property
    def cached_tokens(self) -> int | None:
        """How many tokens of the questions had been read before; None if that is not told."""
        return _total(each.reply.cached_tokens for each in self.exchanges)

    @property
    def reasoning_tokens(self) -> int | None:
        """How many tokens of the answers were reasoning; None if that is not told."""
        return _total(each.reply.reasoning_tokens for each in self.exchanges)

    @property
    def untold(self) -> int:
        """How many answers there were whose tokens are not told."""
        replies = (each.reply for each in self.exchanges)
        return sum(None in (each.tokens_in, each.tokens_out) for each in replies)

    @property
    def unconstrained(self) -> int | None:
        """How many answers were not constrained; None if they were not to be."""
        if not self._settings.constrained:
            return None
        return sum(not each.reply.constrained for each in self.exchanges)

    @property
    def money(self) -> float | None:
        """How much the game cost; None if that is not told."""
        return _total(each.reply.money for each in self.exchanges)


Counted = TypeVar("Counted", int, float)


def _total(counts: Iterable[Counted | None]) -> Counted | None:
    told = [each for each in counts if each is not None]
    return sum(told) if told else None


@dataclass(frozen=True, slots=True)
class Transcript:
    """All questions to a player and all its answers in one game."""

    style: Style
    in_json: bool
    """Whether structured answers were asked for."""
    opening: str
    """What the player was told before the first question."""
    exchanges: tuple[Exchange, ...]

    @classmethod
    def of(cls, player: TextPlayer) -> Transcript:
        """The transcript of a player's game so far."""
        dialogue = player.dialogue
        return cls(dialogue.style, dialogue.in_json, player.opening, tuple(player.exchanges))

    def thoughts_before(self, step: int) -> str:
        """What the player said before it made a step; empty if it said nothing."""
        said = next((e.reply.text for e in reversed(self.exchanges) if e.number == step - 1), "")
        with contextlib.suppress(ValueError, RecursionError):
            given = json.loads(said)
            said = str(given.get("thinking", "")) if isinstance(given, dict) else said
        return said

    def replay(self, record: Record, seat: Seat, settings: Settings = USUAL) -> TextPlayer:
        """A player who was asked and answered all that again; or a refusal if it does not fit."""
        answers = iter(self.exchanges)

        def speak(dialogue: Dialogue, opening: str, talk: Sequence[Message]) -> Reply:
            exchange = next(answers, None)
            if exchange is None:
                raise Refusal("An answer is missing.")
            if opening != self.opening:
                raise Refusal(
                    "It was asked in other words than this version of strongroom uses.",
                    "Check it with the version that wrote it.",
                )
            return exchange.reply

        player = TextPlayer(record.game, speak, self.style, self.in_json, settings)
        player.limit(record.turn_limit)
        end = record.outcome
        failed = end is not None and (end.reason, end.winner) == (Ending.FORFEITED, seat.other)
        for state, step in zip_longest(record.states(), record.steps):
            if state.actor is not seat or (step is None and not failed):
                continue
            try:
                move = player.choose(state.view(seat))
            except NoLegalAnswer:
                move = None
            if move != (step and step.move):
                raise Refusal("An answer leads to another move.")
        if Transcript.of(player) != self:
            raise Refusal("Something was asked or refused otherwise.")
        return player
