"""A small parser that finds every reading of a sentence, so that ambiguity can be seen.

A rule has a symbol, a pattern and a function that makes the symbol's value. In a pattern, `<test>`
is a symbol, `(a|b)` a choice, `?` makes what it follows optional, `$` is the end or a link like
"and", and `!` is where no comparison sign follows; all else are words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

_PIECE: Final = re.compile(r"<\w+>|[()|?]|[^\s()|?]+")
NEGATIONS: Final = frozenset({"not", "neither"})
PASSED_OVER: Final = NEGATIONS | {","}
"""The words that may precede the first of a match."""
LINKS: Final = frozenset({"and", "or", "nor", "but", "that", "which", "whose", ",", ";", "."})
SIGNS: Final = frozenset({"lt", "gt", "le", "ge", "eq"})
"""The signs of comparison as words: <, >, <=, >= and, in a chain, =."""


class Production(NamedTuple):
    """A pattern for a symbol; `value` may give None (no reading) or a list of several readings."""

    symbol: str
    pattern: str
    value: Callable[..., Any]


class Match(NamedTuple):
    """Where a match ends, the values found in it and how many negations it passed over."""

    end: int
    values: tuple[Hashable, ...]
    negations: int = 0


@dataclass(frozen=True, slots=True)
class _Word:
    text: str


@dataclass(frozen=True, slots=True)
class _Symbol:
    name: str


@dataclass(frozen=True, slots=True)
class _Sequence:
    parts: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Choice:
    branches: tuple[_Node, ...]


_Node: TypeAlias = "_Word | _Symbol | _Sequence | _Choice"


def _compile(pattern: str) -> _Node:
    pieces = _PIECE.findall(pattern)

    def choice() -> _Node:
        branches = [sequence()]
        while pieces and pieces[0] == "|":
            pieces.pop(0)
            branches.append(sequence())
        return _Choice(tuple(branches)) if len(branches) > 1 else branches[0]

    def sequence() -> _Node:
        parts: list[_Node] = []
        while pieces and pieces[0] not in "|)":
            piece = pieces.pop(0)
            if piece == "?":
                parts[-1] = _Choice((parts[-1], _Sequence(())))
            elif piece == "(":
                parts.append(choice())
                pieces.pop(0)
            else:
                parts.append(_Symbol(piece[1:-1]) if piece[0] == "<" else _Word(piece))
        return _Sequence(tuple(parts))

    return choice()


def _words(node: _Node) -> Iterator[str]:
    match node:
        case _Word(text):
            yield text
        case _Sequence(parts) | _Choice(parts):
            for part in parts:
                yield from _words(part)


class Grammar:
    """Rules, and the symbols inside which a negation may stand at any place."""

    def __init__(self, rules: Iterable[Production], negatable: Iterable[str]) -> None:
        self.rules: dict[str, list[tuple[_Node, Callable[..., Any]]]] = {}
        for rule in rules:
            self.rules.setdefault(rule.symbol, []).append((_compile(rule.pattern), rule.value))
        self.negatable = frozenset(negatable)
        self.vocabulary = frozenset(
            word for several in self.rules.values() for node, _ in several for word in _words(node)
        )

        self._begin: dict[str, frozenset[str]] = {}
        self.beginnings = {
            id(node): self._beginnings(node)
            for several in self.rules.values()
            for node, _ in several
        }

    def _beginnings(self, node: _Node) -> frozenset[str]:
        """The words with which a match can begin: "" if it can be empty, "#" for a number."""
        match node:
            case _Word(text):
                return frozenset({"" if text in ("$", "!") else text})
            case _Symbol("digits"):
                return frozenset({"#"})
            case _Symbol(name):
                if name not in self._begin:
                    self._begin[name] = self._any_of(each for each, _ in self.rules[name])
                return self._begin[name]
            case _Choice(branches):
                return self._any_of(branches)
            case _Sequence(parts):
                words: frozenset[str] = frozenset({""})
                for part in parts:
                    if "" in words:
                        words = words - {""} | self._beginnings(part)
                return words

    def _any_of(self, nodes: Iterable[_Node]) -> frozenset[str]:
        return frozenset[str]().union(*map(self._beginnings, nodes))

    def may_begin(self, node: _Node, first: frozenset[str]) -> bool:
        """Whether a rule is worth trying where a match can begin with these words."""
        words = self.beginnings[id(node)]
        return "" in words or not words.isdisjoint(first)

    def readings(self, symbol: str, tokens: Sequence[str]) -> list[Any]:
        """Every value that these words can have as this symbol, in the order of the rules."""
        found = _Parse(self, tokens).matches(symbol, 0)
        return [match.values[0] for match in found if match.end == len(tokens)]


@dataclass(slots=True)
class _Parse:
    grammar: Grammar
    tokens: Sequence[str]
    known: dict[tuple[str, int], tuple[Match, ...]] = field(default_factory=dict)

    def matches(self, symbol: str, at: int) -> tuple[Match, ...]:
        """Every way in which a symbol can begin at this word; rules are never left-recursive."""
        if (symbol, at) not in self.known:
            self.known[symbol, at] = tuple(dict.fromkeys(self._matches(symbol, at)))
        return self.known[symbol, at]

    def _matches(self, symbol: str, at: int) -> Iterator[Match]:
        if symbol == "digits":
            if at < len(self.tokens) and re.fullmatch("-?[0-9]+", self.tokens[at]):
                yield Match(at + 1, (int(self.tokens[at][:9]),))
            return
        first = self._first(at)
        for node, value in self.grammar.rules[symbol]:
            if not self.grammar.may_begin(node, first):
                continue
            for end, values, negations in self._match(node, at, symbol in self.grammar.negatable):
                made = value(negations, *values) if symbol == "fact" else value(*values)
                for each in made if isinstance(made, list) else [made]:
                    if each is not None:
                        yield Match(end, (each,), 0 if symbol == "fact" else negations)

    def _first(self, at: int) -> frozenset[str]:
        """The next word, "#" for a number, and what follows it if it may be passed over."""
        end = at
        while end < len(self.tokens) and self.tokens[end] in PASSED_OVER:
            end += 1
        words = self.tokens[at : end + 1]
        return frozenset([*words, *("#" for word in words if word[-1].isdigit())])

    def _match(self, node: _Node, at: int, negatable: bool) -> Iterator[Match]:
        match node:
            case _Word("$"):
                if at == len(self.tokens) or self.tokens[at] in LINKS:
                    yield Match(at, ())
            case _Word("!"):
                if at == len(self.tokens) or self.tokens[at] not in SIGNS:
                    yield Match(at, ())
            case _Word(text):
                for start, negations in self._starts(at, negatable):
                    if start < len(self.tokens) and self.tokens[start] == text:
                        yield Match(start + 1, (), negations)
            case _Symbol(name):
                for start, negations in self._starts(at, negatable):
                    for end, values, more in self.matches(name, start):
                        yield Match(end, values, negations + more)
            case _Choice(branches):
                for branch in branches:
                    yield from self._match(branch, at, negatable)
            case _Sequence(parts):
                yield from self._sequence(parts, at, negatable)

    def _sequence(self, parts: tuple[_Node, ...], at: int, negatable: bool) -> Iterator[Match]:
        if not parts:
            yield Match(at, ())
            return
        for end, values, negations in self._match(parts[0], at, negatable):
            for last, rest, more in self._sequence(parts[1:], end, negatable):
                if negations + more < 2:
                    yield Match(last, values + rest, negations + more)

    def _starts(self, at: int, negatable: bool) -> Iterator[tuple[int, int]]:
        """Where the next word may be: here, after a comma, or after a negation."""
        yield at, 0
        if not negatable:
            return
        if at and self.tokens[at : at + 1] == [","]:
            at += 1
            yield at, 0
        if at < len(self.tokens) and self.tokens[at] in NEGATIONS:
            yield at + 1, 1
