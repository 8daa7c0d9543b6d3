"""Digit Deductions: its rules, and the words to play it with."""

from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.games.digit_deductions.words import DigitDeductionsWords

# Set here, because rules never import the words that stand over them.
DigitDeductions.words_type = DigitDeductionsWords
