"""Games in other words: each game's rules and record with neutral nouns instead of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from strongroom.contract import Event, Move, Refusal, Seat, View
from strongroom.contract.rules import Rules
from strongroom.contract.words import NUMBER_WORDS
from strongroom.games.quantum_duel.rules import Coin, Fate, Observe, Reply
from strongroom.games.safe_code.rules import REQUEST
from strongroom.games.safe_cracker.rules import SafeCrackerOptions
from strongroom.games.safecracker_duel.rules import Change


@dataclass(frozen=True, slots=True)
class Disguise:
    """A game in other words; moves are written as ever."""

    rules: str
    secret_label: str
    """What stands before a player's own secret."""
    describe: Callable[[Event], str]
    """What happened at an event, to follow the name of who did it."""
    question: str
    replying: str = ""
    """What is asked where yes or no is to be said."""
    hiding: tuple[str, ...] = ()
    """The questions of the set-up, secret by secret; the last one is for all that follow."""
    board: Callable[[View], str] = lambda view: ""
    """What both players see."""

    def known(self, view: View) -> list[str]:
        """What a seat knows, line by line."""
        assert view.seat is not None
        lines = [f"You are {SIDES[view.seat]}."]
        first, *rest = (*map(str, view.secret), "")
        if first:
            lines.append(f"{self.secret_label} {first}.")
            lines += [
                f"Your statement {number}: {each}" for number, each in enumerate(rest[:-1], 1)
            ]
        for number, event in enumerate(view.history, 1):
            who = SIDES[event.actor] if isinstance(event.actor, Seat) else "The coin"
            lines.append(f"{number}. {who} {self.describe(event)}")
        return lines

    def asked(self, view: View) -> str:
        """What the actor is asked."""
        if not view.setting_up:
            replies = self.replying and isinstance(view.moves[0], Reply)
            return self.replying if replies else self.question
        return self.hiding[min(len(view.secret), len(self.hiding) - 1)]


def disguise_of(game: Rules) -> Disguise:
    """The other words of a game, or a refusal."""
    if isinstance(game.options, SafeCrackerOptions) and game.options.attempts is None:
        return _rows_of_marks(game.options.length, game.options.digits)
    found = DISGUISES.get(game.name)
    if found is None or game.options != type(game)().options:
        raise Refusal(f"There are no other words for {game!r}.", "Play it undisguised.")
    return found


SIDES: Final = {Seat.ONE: "A", Seat.TWO: "B"}


def _describe_guess(event: Event) -> str:
    return f"names {event.move}: {event.answer}"


def _describe_setting(event: Event) -> str:
    change = event.move
    assert isinstance(change, Change)
    return f"sets wheel {change.position} to {change.digit}: {event.answer}"


def _describe_search(event: Event) -> str:
    if event.move == REQUEST:
        return f"takes a statement: {event.answer}"
    return f"opens box {event.move}: {'the token' if event.answer is True else 'empty'}"


def _describe_flag(event: Event) -> str:
    done = _flag_action(event.move)
    return f"{done}, and all posts are cleared" if event.answer is Fate.CLEARED else done


def _flag_action(move: Move) -> str:
    if isinstance(move, Observe):
        return f"hangs a flag on post {move.cell}"
    if isinstance(move, Reply):
        return "doubts it" if move.challenge else "lets it hang"
    assert isinstance(move, Coin)
    return "lets it hang" if move.heads else "takes it down"


def _rows_of_marks(length: int, highest: int) -> Disguise:
    """Safe Cracker with codes of any length and digits."""
    many = NUMBER_WORDS[length]
    marks = f"{', '.join(map(str, range(1, highest)))} or {highest}"
    row = "-".join(("3", "1", "2", "1", "3", "2")[:length])
    return Disguise(
        f"A and B each keep a row of {many} marks hidden. A mark is {marks}, and marks may "
        "repeat. In turn, A first, each side names a row, and both hear in how many places it "
        "has the same mark as the other side's hidden row. The side that names the other's whole "
        f"row wins at once. Write a row like {row}.",
        "Your row:",
        _describe_guess,
        f"Which row do you name? Write it like {row}.",
        hiding=(f"Choose the row that you hide: {many} marks, each {marks}, like {row}.",),
    )


def _draw_posts(view: View) -> str:
    flags = ("-" if owner is None else SIDES[owner] for owner in view.board)
    return " ".join(f"{post}:{flag}" for post, flag in enumerate(flags, 1))


STATEMENTS: Final = (
    "Write your next statement about the number of your box, in a form like: The number is even. "
    "It is greater than 15. It is at most 20. It is between 5 and 9, inclusive. It is divisible "
    "by 3. The number is a prime. Its digit sum is 9. Its last digit is 8. It contains the digit "
    "2. It is not equal to 7. With not, each says the contrary. It must be true of your number."
)

DISGUISES: Final = {
    "safecracker-duel": Disguise(
        "A and B share a row of three wheels, each of which shows a value from 1 to 5; at first "
        "all three show 1. Each side has a target, a row of three values, which the other does "
        "not know. In turn, A first, each side sets one wheel to a value that it does not show. "
        "If the row then shows the target of the side that set it, that side wins; otherwise, if "
        "it shows the other side's target, the other side wins. A side's first setting must not "
        "make its own target. Write a setting as the wheel and its new value: 2 4 sets wheel 2 "
        "to 4.",
        "Your target:",
        _describe_setting,
        "Which wheel do you set, and to which value? Write both, like 2 4.",
        hiding=("Choose your target: three values from 1 to 5, like 4-2-5.",),
        board=lambda view: f"the row shows {view.board}.",
    ),
    "safe-code": Disguise(
        "A and B have each put a token into one of 30 boxes, numbered from 1 to 30, and written "
        "three statements about the number of that box. Every statement is true, rules out at "
        "least one of the 30 numbers, and differs in meaning from the other two. In turn, A "
        "first, each side either opens a box of the other side or takes the next of its "
        "statements, of which there are three; both see what comes of it. The side that finds "
        "the other's token wins at once. Write the number of the box to open, or clue to take a "
        "statement.",
        "Your token is in box",
        _describe_search,
        "Do you open a box, and which, or do you take a statement? Write the number of a box, or "
        "clue for a statement.",
        hiding=(
            "Which box do you put your token into? Write its number, from 1 to 30.",
            STATEMENTS,
        ),
    ),
    "digit-deductions": Disguise(
        "A and B have each marked a square of a board with 9 rows and 9 columns; a square is "
        "written as its row and its column, like 5-7. In turn, A first, each side names a "
        "square, and both hear how many steps along rows and columns lead from it to the square "
        "that the other side marked. The side that names the other's square, 0 steps away, wins "
        "at once.",
        "Your square:",
        _describe_guess,
        "Which square do you name? Write its row and column, like 5-7.",
        hiding=("Which square do you mark? Write its row and column, like 5-7.",),
    ),
    "quantum-duel": Disguise(
        "Seven posts stand in a row, numbered from 1 to 7. In turn, A first, each side hangs a "
        "flag of its own on a bare post. If a post next to it has a flag of the same side, the "
        "other side may doubt the new one: then a fair coin decides whether it hangs or is taken "
        "down. Either way the turn is over. A side with flags on four posts side by side wins as "
        "soon as the last of them hangs for good. If all seven posts have flags and nobody has "
        "won, all are cleared, and the game goes on. Write the number of a post; to doubt, yes; "
        "to let a flag hang, no.",
        "",
        _describe_flag,
        "On which bare post do you hang a flag? Write its number.",
        "Do you doubt the flag that was hung last? Write yes or no.",
        board=_draw_posts,
    ),
}
"""The five games in other words."""
