"""Every command-line example of the five rule books, to the letter, in the plain output."""

from __future__ import annotations

import pytest

from tests.terminal.conftest import Strongroom

SAFECRACKER_DUEL = (
    """\
Player 1's Turn:
Enter position to change (1-3): 2
Enter new digit (1-5): 4
Updated Safe Combination: 3-4-3""",
    """\
Player 2's Turn:
Enter position to change (1-3): 1
Enter new digit (1-5): 5
Updated Safe Combination: 5-4-3""",
    """\
Player 1's Turn:
Enter position to change (1-3): 3
Enter new digit (1-5): 2
Updated Safe Combination: 5-4-2""",
)
SAFE_CRACKER = (
    """\
Player 1's Turn:
Enter your guess (three digits from 1-3): 1 2 3
Feedback: 2 exact matches""",
    """\
Player 2's Turn:
Enter your guess (three digits from 1-3): 2 2 1
Feedback: 1 exact match""",
    """\
Player 1's Turn:
Enter your guess (three digits from 1-3): 1 3 3
Feedback: 1 exact match""",
    """\
Player 2's Turn:
Enter your guess (three digits from 1-3): 3 2 3
Feedback: 0 exact matches""",
)
SAFE_CODE = (
    """\
[Player 1's Turn]
Choose an action:
1. Request a clue
2. Make a guess
Enter 1 or 2: 1
Player 2's Clue: "The number is a prime."

[Player 2's Turn]
Choose an action:
1. Request a clue
2. Make a guess
Enter 1 or 2: 2
Enter your guess (1-30): 16
Player 1 says: "Incorrect."

[Player 1's Turn]
Choose an action:
1. Request a clue
2. Make a guess
Enter 1 or 2: 2
Enter your guess (1-30): 7
Player 2 says: "Correct!"
Congratulations, Player 1! You have cracked the safe.""",
)
DIGIT_DEDUCTIONS = (
    "Player 1's Turn:\nInput Guess: 5 5\nFeedback: 1",
    "Player 2's Turn:\nInput Guess: 3 5\nFeedback: 2",
    "Player 1's Turn:\nInput Guess: 5 6\nFeedback: 0\nPlayer 1 Wins",
)
QUANTUM_DUEL = (
    """\
Welcome to Quantum Duel!

Initial Board:
[ _ ] [ _ ] [ _ ] [ _ ] [ _ ] [ _ ] [ _ ]
  1     2     3     4     5     6     7

Player 1 (X), it's your turn.
Enter the cell number you want to observe: 3""",
    """\
You have observed cell 3.

Current Board:
[ _ ] [ _ ] [ X ] [ _ ] [ _ ] [ _ ] [ _ ]
  1     2     3     4     5     6     7

Player 2 (O), it's your turn.
Enter the cell number you want to observe: 5""",
    """\
You have observed cell 5.

Current Board:
[ _ ] [ _ ] [ X ] [ _ ] [ O ] [ _ ] [ _ ]
  1     2     3     4     5     6     7

Player 1 (X), it's your turn.
Enter the cell number you want to observe: 4

Cell 4 is adjacent to your symbol at cell 3.
Player 2, do you want to challenge? (yes/no): yes

Challenge initiated!
Flipping a coin...
Result: Heads

Observation successful! Cell 4 is now yours.

Current Board:
[ _ ] [ _ ] [ X ] [ X ] [ O ] [ _ ] [ _ ]
  1     2     3     4     5     6     7""",
)

CLUES = ["The number is even.", "It is divisible by 3.", "The number is less than 20."]
OTHERS = ["The number is a prime.", "It is less than 10.", "The number is odd."]


@pytest.mark.parametrize(
    ("game", "lines", "blocks", "code"),
    [
        # The book's own game leads to its example: the safe shows 3-1-3 and Player 1 is to move.
        (
            "safecracker-duel",
            ["3-4-2", "5-1-3", "1 3", "3 3", "2", "4", "1", "5", "3", "2"],
            (
                "Current Safe Combination: 1-1-1",
                "Updated Safe Combination: 3-1-3",
                *SAFECRACKER_DUEL,
            ),
            4,
        ),
        # Codes for which all four feedbacks of the example are right.
        ("safe-cracker", ["2-1-2", "1-2-1", "1 2 3", "2 2 1", "1 3 3", "3 2 3"], SAFE_CRACKER, 4),
        ("safe-code", ["18", *CLUES, "7", *OTHERS, "1", "2", "16", "2", "7"], SAFE_CODE, 0),
        ("digit-deductions", ["3 7", "5 6", "5 5", "3 5", "5 6"], DIGIT_DEDUCTIONS, 0),
        # A seed whose coin falls heads.
        ("quantum-duel --seed 2", ["3", "5", "4", "yes"], QUANTUM_DUEL, 4),
    ],
    ids=["safecracker-duel", "safe-cracker", "safe-code", "digit-deductions", "quantum-duel"],
)
def test_a_game_reads_like_its_book(
    strongroom: Strongroom, game: str, lines: list[str], blocks: tuple[str, ...], code: int
) -> None:
    ran = strongroom("play", *game.split(), lines=lines)
    for block in blocks:
        assert ran.has_block(block), ran.out
    assert ran.code == code


def test_the_errata_of_safe_cracker_get_the_right_feedback(strongroom: Strongroom) -> None:
    guesses = ["1-1-1", "1-2-3", "1-3-1", "2-2-3", "2-2-1", "2-3-3", "2-1-3"]
    ran = strongroom("play", "safe-cracker", lines=["2-1-3", "3-3-1", *guesses])
    feedback = [line for line in ran.lines if line.startswith("Feedback: ")]
    right = ["1", "1", "2", "2", "1", "2", "0"]
    assert [line.split()[1] for line in feedback] == right
    assert ran.lines.count("Feedback: 1 exact match") == 3
    assert ran.code == 4, "2-1-3 is not Player 2's code, whatever the book says"


def test_three_exact_matches_end_safe_cracker(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safe-cracker", lines=["2-1-3", "3-3-1", "3 3 1"])
    assert ran.has_block(
        "Enter your guess (three digits from 1-3): 3 3 1\nFeedback: 3 exact matches"
    )
    assert "Game over: Player 1 cracked the code." in ran.lines
