"""Responders: what is known about winning against the players of a game.

A game without a responder of its own gets the general one, which needs nothing but the contract:
the best response over the game tree, or else a search over sampled states. A match that is still
open at the turn limit, or goes on for ever, counts as half a win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from itertools import accumulate
from math import isclose
from random import Random
from typing import Final, NamedTuple

import numpy as np

from strongroom.contests.schedule import Make
from strongroom.contract import Event, Game, History, Move, Refusal, Seat, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS as BOARD
from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.games.guessing import GuessingGame
from strongroom.games.quantum_duel.rules import QuantumDuel
from strongroom.games.safe_code.clues import EVERY, Clue, clues_left
from strongroom.games.safe_code.kinds import HIGHEST
from strongroom.games.safe_code.rules import (
    CLUES_EACH,
    NUMBERS,
    REQUEST,
    Number,
    SafeCode,
    SafeCodeState,
)
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.games.safecracker_duel.rules import CODES, Change, SafecrackerDuel
from strongroom.players import Player
from strongroom.players.casual import everyday
from strongroom.players.ideas import Searches, guesses_of, results, safe_before
from strongroom.players.random import RandomPlayer
from strongroom.plugins.registry import find_entry, is_registered
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.randomness import stream
from strongroom.theory.quantum_duel.worth import ChainWorth
from strongroom.theory.safecracker_duel.worth import DuelWorth, PolicyStrategy
from strongroom.theory.solution import Floats
from strongroom.theory.worth import Policy, Probability, TreeWorth, Unpredictable

ShareDone = Callable[[float], None]
"""Called with the share of the work that is done, from 0 to 1."""
ResponseValue = Callable[[Seat, ShareDone], float]
"""Computes what a best response from a seat wins."""
Script = Callable[[], Player]
"""Creates a script for a new game."""


def silent(done: float) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class Opponent:
    """The player that is responded to, from one seat."""

    game: Game
    name: str
    """The player's name."""
    make: Make
    """Creates the player."""
    responder_seat: Seat
    seed: int

    def sit(self, rng: Random) -> Player:
        """The player for a new game."""
        return self.make(self.name, self.game, rng)


class Responder:
    """Responds at any game, by its contract alone."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def best(self, bot: Player, policy: Policy) -> ResponseValue:
        """Computes what best responses win; refused, if none can be computed."""
        worth = TreeWorth(self.game, policy)
        return lambda seat, report: worth.start(seat, None)

    def scripts(self, opponent: Opponent) -> Iterator[tuple[str, Script]]:
        """Scripts to try against a player of whom no best response is known, with descriptions."""
        rng = stream(opponent.seed, "searching")
        yield "searches states that fit what it knows", partial(Searches, rng)


def responder_of(game: Game) -> Responder:
    """The responder that is registered for a game, or the general one."""
    known = is_registered("responder", game.name)
    kind = find_entry("responder", game.name) if known else Responder
    if not (isinstance(kind, type) and issubclass(kind, Responder)):
        raise Refusal(f"What is registered as the responder of {game.name} is not a Responder.")
    return kind(game)


# --- Quantum Duel, where nothing is hidden ---


class QuantumDuelResponder(Responder):
    """Responds at Quantum Duel."""

    game: QuantumDuel

    def best(self, bot: Player, policy: Policy) -> ResponseValue:
        """The best response in a match with the turn limit of a tournament."""
        worth = ChainWorth(self.game, policy)

        def value(seat: Seat, report: ShareDone) -> float:
            for turns in range(TURN_LIMIT):
                report(turns / TURN_LIMIT)
                worth.start(seat, turns)  # each is computed from the one before
            return worth.start(seat, TURN_LIMIT)

        return value


# --- Safecracker Duel ---

FIRST_TURN: Final = Change(1, 2)


class DuelScript:
    """Hides a code and makes some turns; wins where it can, and then changes back."""

    def __init__(self, code: Code, *turns: Change) -> None:
        self._code, self._turns = code, turns

    def choose(self, view: View) -> Move:
        """The code, or a change."""
        if view.setting_up:
            return self._code
        safes = results(view)
        done = view.turns // 2
        wanted = self._turns[done : done + 1]
        back = [turn for turn, safe in safes.items() if safe == safe_before(view)]
        winning = [turn for turn, safe in safes.items() if safe == self._code]
        return next(turn for turn in (*winning, *wanted, *back, *safes) if turn in safes)


class SafecrackerDuelResponder(Responder):
    """Responds at Safecracker Duel."""

    game: SafecrackerDuel

    def best(self, bot: Player, policy: Policy) -> ResponseValue:
        """The best response to a player who settles down."""
        worth = DuelWorth(PolicyStrategy(self.game, policy))
        return lambda seat, report: float(worth.codes(seat, report=report).max())

    def scripts(self, opponent: Opponent) -> Iterator[tuple[str, Script]]:
        """A script for each code that it may hide; higher digits are equivalent to 3."""
        for code in CODES.codes:
            if max(code.digits) <= 3:
                words = f"hides {code}, plays {FIRST_TURN}, then wins or changes back"
                yield words, partial(DuelScript, code, FIRST_TURN)


# --- games of guessing codes, to players whose guesses reveal nothing of their own code ---
#
# The responder's belief is the player's hiding distribution, restricted to the codes that fit the
# answers. A set of codes is stored as an integer with a bit for each code.

Set = int
"""A set of codes: bit n for code n."""
FEW: Final = 100
"""Games with more codes than this are too large for these responses."""
LONGEST: Final = 12
"""The depth of a tree of guesses; later hits are not counted."""
CHECKED_GUESSES: Final = 3
"""Up to how many guesses are made to check that a player ignores its own code."""
WATCHED: Final = 300
"""How often a player is observed looking for each code."""
HIDINGS: Final = 5000
"""How often a player is observed hiding a code."""


def few_codes(game: Game) -> bool:
    """Whether these responses support a game."""
    few = isinstance(game, GuessingGame) and len(game.space.codes) <= FEW
    return few and game.most_turns is None


class Guess(NamedTuple):
    """A guess at a set: its code, the mass that it hits, and the parts left by other answers."""

    code: int
    hit: float
    parts: tuple[Set, ...]


class Codes:
    """The codes of a game, what a guess tells about them, and how often each is hidden."""

    def __init__(self, game: Game, hidden: Mapping[Move, Probability]) -> None:
        assert isinstance(game, GuessingGame)
        self.game = game
        self.codes = game.space.codes
        self.number: dict[Move, int] = {code: n for n, code in enumerate(self.codes)}
        self.told: list[list[int]] = game.answer_table.tolist()
        self.all: Set = (1 << len(self.codes)) - 1
        self.hidden = [float(hidden.get(code, 0)) for code in self.codes]
        self.mass, self.guesses = cache(self._mass), cache(self._find_guesses)

    @cached_property
    def cells(self) -> list[dict[int, Set]]:
        """The codes that give an answer to a guess, by guess and answer."""
        cells: list[dict[int, Set]] = []
        for row in self.told:
            cells.append({})
            for code, answer in enumerate(row):
                cells[-1][answer] = cells[-1].get(answer, 0) | 1 << code
        return cells

    @cached_property
    def _first(self) -> list[int]:
        """The first guesses, one for each class of equivalent guesses.

        In Safe Cracker positions and digits may be renamed; the board of Digit Deductions may be
        rotated and reflected; of other games no symmetry is known. Guesses are equivalent only if
        equivalent codes are hidden equally often.
        """
        kinds: dict[frozenset[Move], list[int]] = {}
        for number, code in enumerate(self.codes):
            kinds.setdefault(self._kind(code), []).append(number)
        if all(len({self.hidden[code] for code in kind}) == 1 for kind in kinds.values()):
            return [kind[0] for kind in kinds.values()]
        return [*range(len(self.codes))]

    def _kind(self, code: Code) -> frozenset[Move]:
        if isinstance(self.game, SafeCracker):
            return frozenset()
        return frozenset(mirror_images(code) if isinstance(self.game, DigitDeductions) else [code])

    def right(self, guess: int) -> int:
        """The answer to a guess that hits."""
        return self.told[guess][guess]

    def _mass(self, some: Set) -> float:
        """The probability that one of these codes is hidden."""
        return sum(self.hidden[code] for code in members(some))

    def likeliest(self, some: Set) -> int:
        """The code of a set that is hidden most often."""
        return max(members(some), key=self.hidden.__getitem__)

    def _find_guesses(self, some: Set) -> list[Guess]:
        """The guesses that tell something about a set; of those that tell the same, the first."""
        found: dict[tuple[frozenset[Set], bool], Guess] = {}
        for number in self._first if some == self.all else range(len(self.codes)):
            right, may_hit = self.right(number), bool(some >> number & 1)
            parts = {a: some & cell for a, cell in self.cells[number].items() if some & cell}
            if len(parts) > 1:
                others = tuple(p for a, p in parts.items() if a != right and self.mass(p))
                hit = self.hidden[number] if may_hit else 0.0
                found.setdefault((frozenset(others), may_hit), Guess(number, hit, others))
        return [*found.values()]


def mirror_images(code: Code) -> list[Code]:
    """A number of Digit Deductions under every rotation and reflection of the board."""
    first, second = ((digit, BOARD.highest + 1 - digit) for digit in code.digits)
    return [Code(pair) for a in first for b in second for pair in ((a, b), (b, a))]


def members(some: Set) -> Iterator[int]:
    """The codes of a set."""
    while some:
        lowest = some & -some
        yield lowest.bit_length() - 1
        some ^= lowest


class GuessTree:
    """The best tree of guesses that ignores the opponent's: it adapts only to its own answers.

    `alive[t]` is the probability that the opponent has not won when the tree makes guess number t;
    beyond the last, nothing is won.
    """

    def __init__(self, codes: Codes, alive: Sequence[float]) -> None:
        self.codes, self.alive = codes, alive
        self._best = cache(self._find_best)

    def worth(self, left: Set, turn: int) -> float:
        """The mass of a set that is won in time, if this turn is the next."""
        return self._best(left, turn)[0]

    def guess(self, left: Set, turn: int) -> Code:
        """The best guess there."""
        return self.codes.codes[self._best(left, turn)[1]]

    def _find_best(self, left: Set, turn: int) -> tuple[float, int]:
        if turn >= len(self.alive):
            return 0.0, next(members(left))
        if left.bit_count() <= 2:
            code = self.codes.likeliest(left)
            rest = self.worth(left & ~(1 << code), turn + 1) if left & (left - 1) else 0.0
            return self.codes.hidden[code] * self.alive[turn] + rest, code
        return max(
            (
                guess.hit * self.alive[turn]
                + sum(self.worth(part, turn + 1) for part in guess.parts),
                guess.code,
            )
            for guess in self.codes.guesses(left)
        )


class RaceResponse:
    """The best response to a player who looks only at the codes left, and not at its own.

    Its guesses may depend on the codes left to itself, and on how many are left to the responder.
    The responder may guess anything, and knows its own code and the public history.
    """

    def __init__(self, game: Game, policy: Policy) -> None:
        self.game, self.policy = game, policy
        self.codes = Codes(game, policy(game.start().view(Seat.ONE)))
        self._n = len(self.codes.codes)
        self._check_that_it_ignores_its_own_code()
        self._ways: dict[Set, tuple[tuple[int, int], ...]] = {self.codes.all: ()}
        """A sequence of guesses and answers that leads to each set seen so far."""
        self._left: dict[tuple[Set, int], list[tuple[Set, float]]] = {}
        self._mask, self._guesses = cache(self._flags), cache(self._find_guesses)
        self._to_move, self._to_wait = cache(self._move), cache(self._wait)

    def _check_that_it_ignores_its_own_code(self) -> None:
        """Refuse a player whose guesses tell something about its code, or depend on the way."""
        rng, numbers = Random(self._n), range(self._n)
        for length in range(CHECKED_GUESSES + 1):
            hidden = rng.choice(numbers)
            guesses = rng.sample([n for n in numbers if n != hidden], length)
            way = [(guess, self.codes.told[guess][hidden]) for guess in guesses]
            mixtures = [
                {**self.policy(self.view(own, way, secret))}
                for own in (way, way[::-1])
                for secret in rng.sample(numbers, 3)
            ]
            if any(mixture != mixtures[0] for mixture in mixtures):
                raise Unpredictable("The player's guesses depend on its code, or on their order.")

    def value(self, seat: Seat, report: ShareDone) -> float:
        """The most that a responder in this seat wins, with its best code."""
        everything = self.codes.all
        if seat is Seat.TWO:
            return float(self._to_wait(everything, everything).max())
        best, guesses = np.zeros(self._n), self._guesses(everything)
        for done, guess in enumerate(guesses):
            report(done / len(guesses))
            best = np.maximum(best, self._after(guess, everything, everything))
        return float(best.max())

    def _move(self, theirs: Set, mine: Set) -> Floats:
        """The responder to move: the mass of `theirs` against which it wins, by its own code."""
        if theirs & (theirs - 1) == 0:
            return self.codes.mass(theirs) * self._mask(mine)
        if mine & (mine - 1) == 0:  # the player knows, and wins next turn
            return self.codes.hidden[self.codes.likeliest(theirs)] * self._mask(mine)
        best = np.zeros(self._n)
        for guess in self._guesses(theirs):
            np.maximum(best, self._after(guess, theirs, mine), out=best)
        return best

    def _after(self, guess: Guess, theirs: Set, mine: Set) -> Floats:
        worth = guess.hit * self._mask(mine)
        for part in guess.parts:
            worth += self._to_wait(part, mine)
        return worth

    def _find_guesses(self, theirs: Set) -> list[Guess]:
        """The responder's guesses at a set; records a way to each part that they leave."""
        guesses = self.codes.guesses(theirs)
        for guess in guesses:
            for part in guess.parts:
                answer = self.codes.told[guess.code][next(members(part))]
                self._ways.setdefault(part, (*self._ways[theirs], (guess.code, answer)))
        return guesses

    def _wait(self, theirs: Set, mine: Set) -> Floats:
        """The same while the player is to move."""
        worth = np.zeros(self._n)
        for part, chance in self._leaves(mine, theirs):
            worth += chance * self._to_move(theirs, part)
        return worth

    def _flags(self, mine: Set) -> Floats:
        """1 for each code of a set, 0 for all others."""
        flags = np.zeros(self._n)
        flags[list(members(mine))] = 1.0
        return flags

    def _leaves(self, mine: Set, theirs: Set) -> list[tuple[Set, float]]:
        """The parts that the player's guesses leave of `mine`, with their probabilities.

        Of `theirs` only the size matters. Hits are left out.
        """
        key = mine, theirs.bit_count()
        if key not in self._left:
            mixture = self.policy(self.view(self._ways[mine], self._ways[theirs]))
            parts: dict[Set, float] = {}
            for move, chance in mixture.items():
                guess = self.codes.number[move]
                for answer, cell in self.codes.cells[guess].items():
                    part = mine & cell
                    if part and answer != self.codes.right(guess):
                        if part == mine:
                            raise Unpredictable("A guess that tells nothing could go on for ever.")
                        self._ways.setdefault(part, (*self._ways[mine], (guess, answer)))
                        parts[part] = parts.get(part, 0.0) + chance
            self._left[key] = [*parts.items()]
        return self._left[key]

    def view(
        self, own: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]], secret: int = 0
    ) -> View:
        """The view of the player to move after these guesses of its own and of the responder."""
        seat = Seat.ONE
        events = [
            Event(actor, self.codes.codes[guess], answer)
            for actor, guesses in ((seat, own), (seat.other, other))
            for guess, answer in guesses
        ]
        hidden = self.game.start().play(self.codes.codes[secret]).play(self.codes.codes[0])
        first, turns = hidden.view(seat), len(events)
        return first._replace(number=2 + turns, turns=turns, history=History(*events))


class TreeScript:
    """Hides a code, and guesses by a tree that depends only on its own answers."""

    def __init__(self, code: Code, tree: GuessTree) -> None:
        self._code, self._tree = code, tree

    def choose(self, view: View) -> Move:
        """The code, or the next guess."""
        if view.setting_up:
            return self._code
        assert view.seat is not None
        codes, own = self._tree.codes, guesses_of(view, view.seat)
        left = codes.all
        for digits, answer in own:
            left &= codes.cells[codes.number[Code(digits)]][answer]
        return self._tree.guess(left, len(own))


class GuessingResponder(Responder):
    """Responds at games in which both guess a hidden code, if there are not too many codes."""

    def best(self, bot: Player, policy: Policy) -> ResponseValue:
        """The best response to a player whose guesses reveal nothing of its own code."""
        if not few_codes(self.game):
            raise Unpredictable(f"{self.game.name} has too many codes, or limited attempts.")
        if isinstance(bot, RandomPlayer):
            return lambda seat, _: self._against_random(policy, seat)
        return RaceResponse(self.game, policy).value

    def _against_random(self, policy: Policy, seat: Seat) -> float:
        """The best response to random guesses: they reveal nothing, so a tree is enough."""
        codes = Codes(self.game, policy(self.game.start().view(Seat.ONE)))
        miss = 1 - 1 / len(codes.codes)
        tree = GuessTree(codes, [miss ** (turn + seat.index) for turn in range(LONGEST)])
        return tree.worth(codes.all, 0)

    def scripts(self, opponent: Opponent) -> Iterator[tuple[str, Script]]:
        """The code that the player takes longest to find, with the best tree of guesses."""
        if not few_codes(self.game):
            yield from super().scripts(opponent)
            return
        rng = stream(opponent.seed, "watching")
        alive = {code: self._alive(opponent, code, rng) for code in self.game.actions}
        code = max(alive, key=lambda each: sum(alive[each]))
        assert isinstance(code, Code)
        tree = GuessTree(Codes(self.game, self._hiding_frequencies(opponent, rng)), alive[code])
        yield f"hides {code} and guesses by a tree", partial(TreeScript, code, tree)

    def _hiding_frequencies(self, opponent: Opponent, rng: Random) -> dict[Move, float]:
        """How often the player hides each code, estimated by observation."""
        view, bot = self.game.start().view(Seat.ONE), opponent.sit(rng)
        seen: Counter[Move] = Counter()
        for _ in range(HIDINGS):
            code = bot.choose(view)
            assert isinstance(code, Code)
            # Mirror images are assumed to be hidden equally often, which saves most of the tree.
            seen.update(mirror_images(code) if isinstance(self.game, DigitDeductions) else [code])
        return {code: times / seen.total() for code, times in seen.items()}

    def _alive(self, opponent: Opponent, code: Move, rng: Random) -> list[float]:
        """The probability that the player has not found a code before each guess of the script."""
        game, found = self.game, [0] * (LONGEST + 1)
        for _ in range(WATCHED):
            bot, state = opponent.sit(rng), game.start()
            own = bot.choose(state.view(Seat.ONE))
            state = state.play(own).play(code)
            idle = next(each for each in game.actions if each != own)
            for guess in range(LONGEST + 1):
                state = state.play(bot.choose(state.view(Seat.ONE)))
                if state.outcome is not None:
                    found[guess] += 1
                    break
                state = state.play(idle)
        missed = [1 - total / WATCHED for total in accumulate(found)]
        return [1.0, *missed][opponent.responder_seat.index :][:LONGEST]


# --- Safe Code, to a player whose clues rule out one uniformly drawn number each ---
#
# Against such clues asking is never better than guessing, which rules out one number too and may
# win. So the responder guesses, and its only choice is its own clues: how often they make the
# player ask, and how many numbers they leave it.

Repertoire = Callable[[Sequence[Move]], Sequence[Move]]
"""The clues, among those that it may write, from which a player draws uniformly."""

OWN = Number(HIGHEST)
"""The player's number, where it does not matter."""
ASKED_ABOUT = (1, 7, 18, HIGHEST)
"""The codes for which the player's clues are checked."""
HIDDEN: Final = Number(17)
WEAK: Final = tuple(Clue("different", (number,)) for number in range(1, CLUES_EACH + 1))
REPERTOIRES: Final[dict[str, Repertoire]] = {"casual": everyday}
"""The clues that a player draws from, if not all; used only to read them better."""


class ClueResponse:
    """The best response to a player who asks first, if at all, and then guesses uniformly."""

    def __init__(self, game: SafeCode, policy: Policy) -> None:
        self.game, self.policy = game, policy

    def value(self, seat: Seat, report: ShareDone) -> float:
        """The most that a responder in this seat wins; Unpredictable for any other player."""
        hiding = self.policy(self.game.start().view(Seat.ONE))
        if not _even(hiding, NUMBERS) or not all(map(self._tells_little, ASKED_ABOUT)):
            raise Unpredictable("The player's clues tell more than they must.")
        return max(
            sum(_alive(turn + seat.index - asked, left) for turn in range(HIGHEST)) / HIGHEST
            for asked, left in self._ends(seat, (), report)
        )

    def _ends(
        self, seat: Seat, limits: tuple[int, ...], report: ShareDone = silent
    ) -> Iterator[tuple[int, int]]:
        """For the responder's clues, how often the player asks, and how many numbers it has then.

        The responder hides 1 behind clues like "at most 20", so it can leave any number of numbers.
        """
        left = limits[-1] if limits else HIGHEST
        mixture = self.policy(self._view(seat, limits, ()))
        if mixture.get(REQUEST, 0.0) == 1 and len(limits) < CLUES_EACH:
            for limit in range(1, min(left + 1, HIGHEST)):
                if not limits:
                    report(limit / HIGHEST)
                yield from self._ends(seat, (*limits, limit))
        elif self._goes_on(seat, limits, left):
            yield len(limits), left
        else:
            raise Unpredictable("The player neither asks first nor guesses evenly.")

    def _goes_on(self, seat: Seat, limits: tuple[int, ...], left: int) -> bool:
        """Whether the player then guesses uniformly among what is left, without asking again."""
        order = [*range(left, 0, -1)]
        return all(
            _even(self.policy(self._view(seat, limits, order[:done])), NUMBERS[: left - done])
            for done in {0, min(1, left - 1), left // 2, left - 1}
        )

    @cached_property
    def _first_turn(self) -> SafeCodeState:
        """The state before the first turn."""
        state = self.game.start()
        for secret in (OWN, *WEAK, OWN, *WEAK):
            state = state.play(secret)
        return state

    def _view(self, seat: Seat, limits: Sequence[int], guesses: Sequence[int]) -> View:
        """The player's view after it was given these clues and guessed these numbers."""
        clues = [Clue("at most", (limit,)) for limit in limits]
        events = [
            *(Event(seat.other, REQUEST, clue) for clue in clues),
            *(Event(seat.other, Number(guess), False) for guess in guesses),
        ]
        state = self._first_turn._replace(actor=seat.other)
        for event in events:
            given = state.board._replace(
                **{seat.other.name.lower(): state.board[seat.other.index] + (event.move == REQUEST)}
            )
            state = state.after(event, given, seat.other)
        return state.view(seat.other)

    def _tells_little(self, number: int) -> bool:
        state, ruled_out = self.game.start().play(Number(number)), EVERY - {number}
        for _ in range(CLUES_EACH):
            shares = dict.fromkeys(ruled_out, 0.0)
            for clue, chance in self.policy(state.view(Seat.ONE)).items():
                if not isinstance(clue, Clue) or len(clue.meaning) != len(EVERY) - 1:
                    return False
                shares[min(EVERY - clue.meaning)] += chance
            if not all(isclose(share, 1 / len(shares)) for share in shares.values()):
                return False
            gone = min(ruled_out)
            state, ruled_out = state.play(Clue("different", (gone,))), ruled_out - {gone}
        return True


def _alive(guesses: int, left: int) -> float:
    """The probability that this many different guesses have all missed, with `left` numbers."""
    return 1 - min(max(guesses, 0), left) / left


def _even(mixture: Mapping[Move, Probability], moves: Sequence[Move]) -> bool:
    """Whether exactly these moves are made, with equal probability."""
    return {*mixture} == {*moves} and all(
        isclose(chance, 1 / len(moves)) for chance in mixture.values()
    )


class ClueScript:
    """Writes weak clues, asks `requests` times, then guesses what the answers make likeliest."""

    def __init__(self, requests: int, repertoire: Repertoire) -> None:
        self._requests, self._repertoire = requests, repertoire

    def choose(self, view: View) -> Move:
        """The number, a clue, a request for one, or a guess."""
        if view.setting_up:
            return (HIDDEN, *WEAK)[len(view.secret)]
        own = [event for event in view.history if event.actor is view.seat]
        clues = [event.answer for event in own if isinstance(event.answer, Clue)]
        if len(clues) < min(self._requests, CLUES_EACH):
            return REQUEST
        wrong = {event.move for event in own}
        left = [n for n in sorted(EVERY) if Number(n) not in wrong]
        return Number(max(left, key=lambda n: _likely(n, (*clues,), self._repertoire)))


@lru_cache(maxsize=1 << 14)
def _likely(number: int, clues: tuple[Clue, ...], repertoire: Repertoire) -> float:
    """The likelihood of these clues, in this order, from a player who has this number."""
    if not clues:
        return 1.0
    *earlier, last = clues
    if not all(number in clue.meaning for clue in clues):
        return 0.0
    written = repertoire(clues_left(number, earlier))
    now = 1 / len(written) if last in written else 0.0
    return now * _likely(number, (*earlier,), repertoire)


def _anything(clues: Sequence[Move]) -> Sequence[Move]:
    return clues


class SafeCodeResponder(Responder):
    """Responds at Safe Code."""

    game: SafeCode

    def best(self, bot: Player, policy: Policy) -> ResponseValue:
        """The best response to a player whose clues tell little."""
        return ClueResponse(self.game, policy).value

    def scripts(self, opponent: Opponent) -> Iterator[tuple[str, Script]]:
        """A script for each number of clues that it may ask for."""
        repertoire = REPERTOIRES.get(opponent.name, _anything)
        for requests in range(CLUES_EACH + 1):
            words = f"asks for {requests} of the clues, then guesses what they make likeliest"
            yield words, partial(ClueScript, requests, repertoire)
