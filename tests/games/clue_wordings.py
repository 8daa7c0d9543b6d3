"""Everyday wordings of clues, listed under the sentence that each one means."""

from __future__ import annotations

UNDERSTOOD = {
    "The number is even.": """
        even | EVEN | it is even | It's even! | it\u2019s even | The number is **even**. | "even"
        the   number is an even  number | My number is even | my code is even. | The code is even
        n is even | not odd | isn't odd | It isnt odd | non-odd | The number's even | “Even.”
        1. The number is even. | Clue 2: "The number is **even**." | *even* | - even | `Even`
        """,
    "The number is odd.": "odd | an odd number | not even | not an even number | isn\u2019t even",
    "The number is a prime.": "prime | a prime | is prime | a prime number | My code is prime",
    "The number is not a prime.": "is not prime | isn't a prime number | non-prime | not a prime",
    "The number is composite.": "composite | It's a composite number",
    "The number is not composite.": "not composite",
    "It is greater than 15.": """
        > 15 | >15 | n > 15 | greater than 15 | It's greater than 15 | bigger than 15 | over fifteen
        larger than 15 | higher than 15 | more than 15 | over 15 | above 15 | exceeds 15 | 15 < n
        not at most 15 | The number is greater than **15**.
        """,
    "It is less than 20.": """
        The number is less than 20. | The number is **less than 20**. | < 20 | smaller than 20
        lower than 20 | fewer than twenty | under 20 | below 20 | 20 > x | not at least 20
        """,
    "It is at least 12.": """
        at least 12 | no less than 12 | not less than 12 | 12 or more | 12 or higher | >= 12 | ≥ 12
        > = 12 | => 12 | greater than or equal to 12 | isn't under 12 | 12 <= n | twelve and up
        """,
    "It is at most 20.": """
        at most 20 | no more than 20 | not more than 20 | 20 or less | 20 or fewer | <= 20 | ≤20
        less than or equal to 20 | up to 20 | not above twenty | 20 >= n
        """,
    "It is between 5 and 9, inclusive.": """
        between 5 and 9 | from 5 to 9 | 5 to 9 | 5-9 | 5 \u2013 9 | between five and nine, inclusive
        in the range 5 to 9 | 5 <= n <= 9 | between 5 and 9 (inclusive) | 4 < n < 10 | 5..9
        strictly between 4 and 10 | between 4 and 10 exclusive | more than 4 but less than 10
        """,
    "It is not between 5 and 9, inclusive.": "not between 5 and 9 | it isn't between 5 and 9",
    "It is divisible by 3.": """
        divisible by 3 | multiple of three | a multiple of 3 | divides evenly by 3 | divides by 3
        evenly divisible by 3 | can be divided by 3 | 3 divides it | 3 is a factor of it
        in the 3 times table | has 3 as a factor
        """,
    "It is not divisible by 4.": """
        isn't divisible by 4 | not a multiple of 4 | doesn't divide evenly by 4
        not divisible by four | can't be divided by 4 | cannot be divided by 4
        """,
    "It is a factor of 24.": """
        a factor of 24 | divisor of 24 | divides 24 | goes into 24 | divides evenly into twenty-four
        24 is divisible by it | 24 is a multiple of it
        """,
    "It is not a factor of 24.": "not a factor of twenty four | doesn't divide 24",
    "Its number of divisors is 4.": "4 divisors | exactly four factors | has 4 distinct factors",
    "Its number of divisors is not 4.": "doesn't have 4 divisors | does not have four factors",
    "Its number of divisors is 1.": "has only one divisor | neither prime nor composite",
    "It is a power of 2, counting 1.": "power of two | one of the powers of 2",
    "It is not a power of 2, counting 1.": "no power of 2 | isn't a power of two",
    "The number is a perfect square.": "square | perfect square | a square number | **square**",
    "The number is not a perfect square.": "not square | isn't a perfect square",
    "The number is a perfect cube.": "cube | a perfect cube | cubic number",
    "The number is a triangular number.": "triangular | a triangle number",
    "The number is a Fibonacci number.": "Fibonacci | FIBONACCI number | in the Fibonacci sequence",
    "The number is not a Fibonacci number.": "not Fibonacci | isn't in the Fibonacci sequence",
    "The number has one digit.": """
        one digit | has one digit | single-digit | a single digit number | 1-digit
        has only one digit
        doesn't have two digits | the number of digits is 1
        """,
    "The number has two digits.": """
        two digits | has 2 digits | two-digit | a two-digit number | double digits
        not single-digit
        """,
    "It has two equal digits.": "equal digits | both digits are the same | a double",
    "It does not have two equal digits.": "no repeated digits | no two digits are the same",
    "It has two different digits.": "two different digits | both digits differ",
    "It has only even digits.": "all its digits are even | has no odd digits",
    "It does not have only even digits.": "not all digits are even | has an odd digit",
    "It has only odd digits.": "every digit is odd | contains no even digit",
    "Its digit product is 8.": "digit product 8 | its digits multiply to 8",
    "Its digit product is not 8.": "the product of its digits isn't eight",
    "Its first digit is 1.": "starts with 1 | begins with a one | leading digit 1",
    "Its first digit is not 1.": "doesn't start with 1 | the first digit is not 1",
    "Its digit sum is 9.": """
        digit sum is 9 | digit sum equals 9 | its digit sum = nine | digits add up to 9
        the sum of its digits is 9 | its digits sum to 9 | The sum of the digits of the number is 9
        has a digit sum of 9 | digit sum 9 | its digits total 9
        """,
    "Its digit sum is not 9.": "digit sum isn't 9 | its digits don't add up to 9",
    "Its digit sum is greater than 6.": "digit sum > 6 | digits add up to more than 6",
    "Its digit sum is less than 4.": "digit sum below 4 | sum of its digits is less than four",
    "Its digit sum is at least 7.": "digit sum >= 7 | digit sum is no less than 7",
    "Its digit sum is at most 5.": "digit sum at most 5 | its digit sum is not greater than 5",
    "Its last digit is 8.": """
        last digit is 8 | ends in 8 | ends with an 8 | units digit is 8 | final digit 8
        has last digit 8 | the last digit of my number is eight | ends in the digit 8
        """,
    "Its last digit is not 5.": "doesn't end in 5 | does not end with a 5 | last digit is not 5",
    "It contains the digit 1.": """
        contains the digit 1 | contains a 1 | has a 1 in it | has the digit one
        includes the digit 1
        there's a 1 in it | one of its digits is 1
        """,
    "It does not contain the digit 1.": """
        doesn't contain the digit 1 | does not contain 1 | has no 1 in it | doesn't have a 1 in it
        """,
    "It leaves remainder 1 when divided by 3.": """
        remainder 1 when divided by 3 | leaves 1 when divided by 3 | n mod 3 = 1 | n % 3 == 1
        leaves a remainder of 1 when divided by three | has remainder 1 on division by 3
        when divided by 3, it leaves 1 | the remainder when divided by 3 is 1 | x ≡ 1 (mod 3)
        """,
    "It does not leave remainder 1 when divided by 3.": "doesn't leave 1 when divided by 3",
    "It is not equal to 7.": "not equal to 7 | is not 7 | isn't seven | != 7 | ≠ 7 | other than 7",
}  # fmt: skip
WORDINGS = [
    (wording.strip(), sentence)
    for sentence, lines in UNDERSTOOD.items()
    for line in lines.strip().splitlines()
    for wording in line.split(" | ")
]
