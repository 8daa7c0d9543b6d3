"""A whole game of each of the five, as typed lines, and whoever types them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Whole:
    """A game from the first line to the last, won by Player 1, and its secrets."""

    name: str
    set_up: tuple[str, ...]
    turns: tuple[tuple[str, ...], ...]
    """The lines of each turn, the opponent's replies included."""
    hidden: tuple[str, ...]
    """What nobody may read before the end, as regular expressions."""

    private_turns: int = 0

    @property
    def lines(self) -> list[str]:
        return [*self.set_up, *(line for turn in self.turns for line in turn)]

    @property
    def lines_of_events(self) -> list[str]:
        """The lines for JSON mode, where a private move is one line."""
        private = [" ".join(turn) for turn in self.turns[: self.private_turns]]
        rest = self.turns[self.private_turns :]
        return [*self.set_up, *private, *(line for turn in rest for line in turn)]

    @property
    def all_but_the_last_turn(self) -> list[str]:
        return self.lines[: -len(self.turns[-1])]

    def leaks(self, text: str) -> list[str]:
        return [hidden for hidden in self.hidden if re.search(hidden, text)]


WHOLE = (
    Whole(
        "safecracker-duel",
        ("342", "5 1 3"),
        (("1 3",), ("2", "2"), ("24",), ("3-3",), ("3", "2")),
        (r"3[- ]?4[- ]?2", r"5[- ]?1[- ]?3"),
        private_turns=2,
    ),
    Whole(
        "safe-cracker",
        ("2-1-3", "331"),
        (("1 1 1",), ("123",), ("3-3-1",)),
        (r"2[- ]?1[- ]?3", r"3[- ]?3[- ]?1"),
    ),
    Whole(
        "safe-code",
        ("18", "even", "divisible by 3", "< 20", "7", "prime", "less than 10", "odd"),
        (("1",), ("2", "16"), ("2", "7")),
        (r"\b18\b", r"\b7\b", r"\beven\b", "divisible", r"\b20\b", r"\b10\b", "odd"),
    ),
    Whole(
        "digit-deductions", ("3 7", "56"), (("5 5",), ("35",), ("5-6",)), (r"3[- ]?7", r"5[- ]?6")
    ),
    Whole(
        "quantum-duel",
        (),
        (("1",), ("7",), ("2", "no"), ("6", "n"), ("3", "no"), ("5", "no"), ("4", "no")),
        (),
    ),
)

ALONE = "looking:"
AGAIN = "Type it again to confirm:"


class Typing:
    """Somebody who answers prompts, at a terminal or at a page."""

    sees: Callable[..., None]
    """See that each text is shown."""
    types: Callable[..., None]

    def answers(self, prompt: str, line: str, *told: str) -> None:
        self.sees(prompt)
        self.types(line)
        self.sees(*told)

    def turns(self, prompt: str, *lines: str) -> None:
        for line in lines:
            self.answers(prompt, line)

    def chooses(self, secret: str, prompt: str = "): ") -> None:
        """Type a secret unseen, as one person alone at the screen."""
        self.answers(ALONE, "")
        self.answers(prompt, secret)
        self.answers(AGAIN, secret)

    def writes(self, prompt: str, clue: str) -> None:
        self.answers(prompt, clue, "Taken as: ")
        self.answers("keep it", "")

    def sets_up(self, whole: Whole) -> None:
        half = len(whole.set_up) // 2
        for secret, *clues in filter(None, (whole.set_up[:half], whole.set_up[half:])):
            self.chooses(secret)
            for clue in clues:
                self.writes("of 3: ", clue)

    def plays(self, whole: Whole) -> None:
        self.sets_up(whole)
        for number, turn in enumerate(whole.turns):
            if number < whole.private_turns:
                self.answers(ALONE, "")
            self.turns(": ", *turn)
