"""Digit Deductions: its rules, and the words to play it with."""

from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.games.digit_deductions.words import DigitDeductionsWords

# Set here, because the rules of a game never import its words.
DigitDeductions.words_type = DigitDeductionsWords
