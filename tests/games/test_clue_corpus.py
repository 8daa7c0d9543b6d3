"""Clues as people type them: each is understood exactly or refused, and none is misread."""

from __future__ import annotations

from collections import Counter
from math import isqrt

import pytest

from strongroom.contract import Ambiguous, NotLegal, NotUnderstood
from strongroom.games.safe_code.reading import parse_clue

N = frozenset(range(1, 31))
PRIMES = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29}


def multiples(of: int, rest: int = 0) -> set[int]:
    return {n for n in N if n % of == rest}


def divisors(of: int) -> set[int]:
    return {n for n in N if of % n == 0}


def with_divisors(count: int) -> set[int]:
    return {n for n in N if sum(n % d == 0 for d in range(1, n + 1)) == count}


def span(low: int, high: int) -> set[int]:
    return set(range(low, high + 1))


MEANT: tuple[tuple[frozenset[int] | set[int], str], ...] = (
    # parity and primes
    (multiples(2), """
        its even | THE CODE IS EVEN!! | x is an even number | one of the even numbers
        it's an even one | My secret code can be divided by 2
        It's one of the evens. | an even no. | Well, it is even | my secret number is even
        """),
    (multiples(2, 1), """
        n is odd. | the code isn't even | one of the odd numbers | my no. is odd | not even
        The number I chose is odd | gives a remainder of 1 when you divide by 2
        """),
    (PRIMES, """
        Prime number | the code is a prime | it's one of the primes | one of the prime numbers
        It has exactly two divisors | has only two factors | I picked a prime
        """),
    (N - PRIMES, "my number is not prime | NOT A PRIME NUMBER | isn't one of the primes"),
    (N - PRIMES - {1}, "the code is a composite number | composite"),
    (PRIMES | {1}, "isn't composite"),
    ({1}, "neither prime nor composite | It's neither a prime nor a composite number."),
    # bounds
    (span(16, 30), """
        bigger then 15 | it's more than fifteen | x>15 | higher than 15! | my number is past 15
        n is above 15 | it's beyond 15
        """),
    (span(1, 9), """
        smaller than ten | n<10 | The code is lower than 10
        a one-digit number | it's in single digits | single figures | it has just one digit
        """),
    (span(10, 30), """
        it is in double figures | The code has two digits | it's ten or more | 10+
        it's a 2 digit number | equal to or greater than 10 | min 10
        """),
    (span(1, 20), """
        max 20 | 20 at most | it doesn't exceed 20 | no higher than twenty | 20 or under
        at the most 20 | it's not more than 20
        """),
    (span(12, 30), "x >= 12 | twelve or above | It is no smaller than 12 | at the very least 12"),
    (span(9, 30), "has to be more than 8"),
    (span(1, 11), "must be lower than 12"),
    (span(5, 30), "the number is at least a 5"),
    (span(1, 24), "THE SECRET NUMBER IS LESS THAN 25"),
    (span(1, 14), "not over 14 | 14 or lower"),
    # ranges
    (span(3, 8), """
        x is between 3 and 8 | 3 <= code <= 8 | any number from 3 to 8 | it's in the range 3-8
        greater than or equal to 3 and less than or equal to 8 | no less than 3, no more than 8
        """),
    (span(9, 17), "anywhere between 9 and 17 | a number between nine & seventeen inclusive"),
    (span(1, 19), "20 is bigger than it"),
    (span(20, 30), "19 is less than my number"),
    (span(10, 16), "9 < my number < 17 | it is >9 and <17"),
    (span(4, 8), "higher than 3 and lower than 9"),
    (span(12, 18), """
        from 12 to 18 inclusive | in the interval 12-18 | 12-18 (both included) | 11<n≤18
        lies between twelve and eighteen | more than 11 and fewer than 19 | Above 11 & below 19
        """),
    (N - span(10, 20), "outside 10 to 20"),
    (span(11, 19), """
        greater than 10 but less than 20 | 10 < n < 20 | 10<x<20 | 20 > n > 10
        Bigger than ten and smaller than twenty. | n > 10 and n < 20 | under 20 but over 10
        It's more than 10, but less than 20 | It is above 10 and it is below 20
        strictly between 10 and 20 | between 10 and 20, exclusive | >10 & <20
        """),
    (span(10, 20), """
        somewhere between 10 and 20 | it lies between 10 and 20 | 10 through 20
        at least 10 and at most 20 | 10 <= n <= 20 | from ten up to twenty | in between 10 and 20
        not less than 10 and not more than 20 | at least 10 but no more than 20
        """),
    (span(10, 19), """
        10 <= x < 20 | at least 10 and less than 20 | the tens digit is 1 | its tens digit is one
        two digits and less than 20 | it has two digits but is under 20 | 10 or more but under 20
        """),
    (span(20, 29), """
        in the twenties | it's in its twenties | In the 20s. | the tens digit is 2 | in the 20's
        20-something | it's in the 20's somewhere | has 2 in the tens place
        My code has a tens digit of 2 | a number in the twenties | twenty-something
        """),
    (N - span(20, 29), "not in the twenties | The tens digit isn't 2"),
    (span(13, 19), "a teen | in its teens | It's a teen number | in the teens | teenager"),
    (N - span(13, 19), "not a teen"),
    ({30}, "in the thirties | the tens digit is three"),
    (span(6, 9), "single digit and greater than 5"),
    # divisibility
    (multiples(3), """
        it's in the three times table | you can divide it by 3 | divisible with 3
        it is one of the multiples of 3 | leaves no remainder when divided by 3
        divisible by 3 without remainder | three goes into it | has a factor of 3
        one of its factors is 3 | The remainder is 0 when you divide it by 3 | 3 divides n
        """),
    (multiples(12), """
        multiple of both 4 and 6 | divisible by both 4 and 6 | a common multiple of 4 and 6
        It is divisible by 4 and by 6 | divisible by four and six | divisible by 4 and 3
        """),
    (multiples(5), "You can divide it evenly by 5."),
    (multiples(6), """
        is evenly divisible by 6 | 6 goes into it evenly | appears in the 6 times table
        """),
    (multiples(7), "it's a multiple of seven | seven is a factor | it's in the 7 times-table"),
    (multiples(20), "divisible by 10 and by 4"),
    (multiples(4), "4 is a divisor"),
    (N - multiples(4), "4 isn't a factor"),
    (N - multiples(3), "can't be divided by 3"),
    (multiples(6), "even and divisible by 3 | divisible by 2 and 3 | both even and multiple of 3"),
    (N - multiples(5), "5 does not divide it | isn't in the five times table | no multiple of 5"),
    (divisors(24), "one of the factors of 24 | it divides twenty-four | 24 can be divided by it"),
    (divisors(36), "36 is divisible by this number | factor of 36"),
    (divisors(60), "divides 60 exactly"),
    (divisors(100), "It's a divisor of 100"),
    (multiples(3, 1), """
        If I divide it by 3, 1 is left over | mod 3 it's 1 | remainder of 1 upon division by 3
        leaves remainder 1 after dividing by 3 | n mod 3 equals 1
        """),
    (multiples(6, 5), "divided by 6 you're left with 5"),
    (multiples(7, 3), "its remainder mod 7 is 3 | n = 3 (mod 7)"),
    (multiples(4, 2), """
        when you divide it by 4 the remainder is 2 | If you divide it by four, you get remainder 2
        divide it by 4 and the remainder is 2 | x % 4 = 2 | dividing it by 4 leaves 2
        has a remainder of 2 when divided by 4 | divided by 4 it leaves a remainder of two
        When divided by 4, there is a remainder of 2. | its remainder when divided by 4 is 2
        """),
    (with_divisors(4), """
        has 4 divisors | exactly four factors | It has four factors. | the number of divisors is 4
        4 divisors | has exactly 4 different factors | it's got four divisors
        """),
    (with_divisors(6), """
        A number with six divisors | it has 6 divisors in total | the number of factors it has is 6
        """),
    (with_divisors(3), "x has three divisors | my number has precisely 3 factors"),
    (N - with_divisors(4), "it doesn't have 4 divisors"),
    # special numbers
    ({1, 2, 4, 8, 16}, """
        a power of 2 | power of two | It's one of the powers of 2 | the code is a power of two!
        """),
    ({1, 3, 9, 27}, "A POWER OF THREE"),
    ({1, 10}, "it is a power of ten"),
    ({1, 5, 25}, "power of five"),
    (N - {1, 2, 4, 8, 16}, "not a power of 2"),
    ({k * k for k in range(1, isqrt(30) + 1)}, """
        it's a square | a square no. | one of the squares | It's the square of an integer
        """),
    (N - {1, 8, 27}, "not a cube"),
    ({1, 8, 27}, "one of the cubes | cube number"),
    ({1, 2, 3, 5, 8, 13, 21}, "one of the Fibonacci numbers | part of the fibonacci sequence"),
    ({1, 3, 6, 10, 15, 21, 28}, "one of the triangular numbers"),
    # digits
    ({2, *span(20, 29)}, """
        the first digit of my number is 2 | 2 is the first digit
        starts with 2 | begins with a 2 | first digit is 2 | The first digit's two | leading digit 2
        """),
    ({3, 30}, "it starts with a three"),
    (N - {1, *span(10, 19)}, "doesn't start with 1 | the first digit is not 1"),
    ({11, 22}, """
        both digits are the same | a double | its digits are the same | the digits are identical
        Both digits are equal | two equal digits | the two digits match | has a repeated digit
        """),
    (N - {11, 22}, "no repeated digits | no two digits are the same | has no repeated digit"),
    (span(10, 30) - {11, 22}, "both digits are different | It has two different digits"),
    ({2, 4, 6, 8, 20, 22, 24, 26, 28}, """
        all digits are even | all its digits are even | only even digits | no odd digits
        every digit is even | It contains no odd digit
        """),
    ({1, 3, 5, 7, 9, 11, 13, 15, 17, 19}, "all of its digits are odd | there are no even digits"),
    (N - {2, 4, 6, 8, 20, 22, 24, 26, 28}, "has an odd digit | at least one digit is odd"),
    ({8, 18, 24}, """
        the product of its digits is 8 | product of the digits = 8 | digits multiply to 8
        its digits multiplied together give 8 | digit product is eight
        """),
    ({10, 20, 30}, "the product of the digits is zero | ends with a zero | its last digit is a 0"),
    ({7, 16, 25}, "its digits sum up to 7 | sum of its digits: 7"),
    ({19, 28}, "digits total to 10 | the sum of digits = 10"),
    ({6, 16, 23}, "if you multiply its digits you get 6 | digits' product is 6"),
    ({7, 17, 27}, """
        it finishes with 7 | 7 is the last digit | ones place is 7 | It has a seven somewhere in it
        """),
    (N - {10, 20, 30}, "no zeros in it"),
    (N - {13}, "it isn't 13 | definitely not 13!! | anything except 13"),
    ({9, 18, 27}, """
        the digits add to nine | if you add its digits you get 9 | its digits added together make 9
        """),
    ({2, 12, *span(20, 29)}, """
        it has a 2 | there is a two in it | at least one of its digits is 2 | 2 is one of its digits
        """),
    (N - {2, 12, *span(20, 29)}, "without a 2 in it | no 2 in it | none of its digits is 2"),
    ({5, 15, 25}, "its ones digit is 5 | last digit five | it ends on a 5"),
    # lists of numbers in one sentence
    ({10, 20, 30}, "10, 20 or 30 | either 10, 20 or 30 | one of 10, 20, 30"),
    ({29, 30}, "either 29 or 30"),
    ({1, 2, 3, 4}, "1, 2, 3 or 4"),
    ({7, 14, 21, 28}, "it's one of 7, 14, 21 and 28"),
    # said of something that follows from the number
    (multiples(2), "the last digit is even"),
    (multiples(2, 1), "3n is odd"),
    (multiples(4), "half of it is even"),
    ({2, 4, 6, 8, 10, *span(12, 30)} - {13, 15, 17, 19}, "the product of the digits is even"),
    (span(1, 9), "2n < 20"),
    (multiples(3), "digits add up to a multiple of 3"),
    (multiples(6, 1), "1 more than a multiple of 6"),
    (multiples(6, 3), "Divisible by three but not by two"),
    (N - {1, 4, 9, 16, 25}, "the number of its divisors is even"),
    ({1, 4, 9, 16, 25}, "an odd number of factors"),
    (N - PRIMES - {1}, "has more than two factors"),
    ({16}, "its square root is 4"),
    ({8}, "n divided by 4 is 2 | its double is 16"),
    ({22}, "both digits are 2"),
    ({24}, "first digit 2, last digit 4"),
    # joined, with sums, and in other words
    (span(1, 10) | span(20, 30), "not strictly between 10 and 20"),
    (span(1, 9) | span(21, 30), "less than 10 or greater than 20"),
    (span(10, 19), "two-digit number starting with 1"),
    (span(1, 11), "smaller than a dozen"),
    (span(1, 3), "n**3 < 50 | n^3 < 50 | n³ < 50"),
    (multiples(4, 2), "divisible by 2 but not 4 | even, not divisible by 4"),
    (multiples(2, 1), "it can't be even"),
    (multiples(15), "both 3 and 5 divide it"),
    (N - {8, 9}, "not 8 and not 9"),
    (divisors(12), "factor of 24 and 36"),
    (span(1, 15), "in the first half (1 to 15)"),
)  # fmt: skip
SENTENCES = [
    (sentence.strip(), meaning)
    for meaning, lines in MEANT
    for line in lines.strip().splitlines()
    for sentence in line.split(" | ")
]

NOT_A_CLUE = """
    # understood, but no clue of the table says it
    twice the number is 20 | n + 3 is prime
    when divided by 4 it gives 2
    the sum of its digits is prime | its first digit is odd

    # a false friend of something that the table can say
    exactly one of its digits is 2 | only one of its digits is 2 | just over 10 | nearly 20
    only divisible by 3 | has four prime factors | has 3 proper divisors | more than 4 divisors
    a perfect power | has only one 2 in it | a multiple of 3 or more | greater than 10 inclusive
    No, it is even | even? no | almost prime | a prime square | the first two digits | odd one out
    at least 4 factors | a power of itself | the first of the primes | one of the first 5 primes
    in the early twenties | late teens | its second digit is 5 | one of two digits is 3
    the number after 15 | the number that comes before 10 | or greater than 15 | the no is odd
    No this is even | an odd digit | not an even digit | it's a square no | 24's double
    its only digit is 5 | even if you add 1 | its half is a prime
    divided by 5 it is 3 | it is 5 more than a square
    x/8 = 3 | when I divide the number by 8 I get 3 | 4x table | 2^n | 20 over
    has two odd digits | digits add up to an even number | equal to 5 | in the late twenties
    10 is its double | has 10 as its double | max of its digits is 5 | starts with 2 digits
    one of the digits is double the other | first digit is smaller than the second
    The product of both digits is 6 | it's a square of a prime | one less than a prime

    # a "not" or a sum that could belong to either part
    divisible by 3, not 5 | last digit is even, not 4 | starts with 1 but not 12
    multiple of 3 plus 1 | power of 2 minus 1 | no digits are even | n**4 < 50
    it is not a prime and less than 10 | doesn't contain 1 and 2 | hardly even | it might be prime
    isn't a square or a prime | not 5, 6 | less than 3 more than 10 | has one 2

    # vague, or about a digit that some numbers lack
    even no. | prime: no. | the digits are not the same | all digits are not even
    different digits | all digits are different | both digits are even | both digits are odd
    a palindrome | sum of its two digits is 9 | digit 2 | close to 15 | around 10 | a big number
    a lucky number | 10 or so | about 20 | the tens digit is 0 | the digit is 5
    the last number is 7 | its in the tens
    its digits are in order | a teenage number | has exactly 2

    # two clues, or a list that no one sentence says
    even and > 10 | prime but not 2 | odd and greater than 20
    one of 3, 6, 9 | 4 or 5 or 23 | square and even | not divisible by 2 and 3 | even or odd
    not greater than 10 and less than 20 | greater than 10, prime | neither even nor prime
    between 10 and 20 but not 15 | an odd prime | between 10 and 20 and even

    Its an odd number, over 10
    is not a multiple of 2 or 3 | a prime between 10 and 20 | an even number that's less than 20
    divisible by 9 or 10 | less than 10 but not 5 | prime or one
    between 10 and 20 or between 25 and 30 | not between 10 and 20, but even

    # no number fits, or all do
    the tens digit is 4 | starts with 0 | has 7 divisors | digits multiply to 11 | a power of 1
    has 9 factors | greater than 20 but less than 10 | multiple of both 7 and 8 | power of 40
    """  # fmt: skip
REFUSED = [
    sentence.strip()
    for line in NOT_A_CLUE.strip().splitlines()
    if line.strip() and not line.strip().startswith("#")
    for sentence in line.split(" | ")
]


@pytest.mark.parametrize(("sentence", "meaning"), SENTENCES)
def test_a_sentence_means_what_people_mean_by_it(sentence: str, meaning: set[int]) -> None:
    assert parse_clue(sentence).meaning == meaning


@pytest.mark.parametrize("sentence", REFUSED)
def test_a_sentence_that_could_be_misread_is_refused(sentence: str) -> None:
    with pytest.raises((NotUnderstood, Ambiguous, NotLegal)):
        parse_clue(sentence)


def test_no_sentence_is_in_the_corpus_twice() -> None:
    written = Counter([sentence for sentence, _ in SENTENCES] + REFUSED)
    assert [sentence for sentence, times in written.items() if times > 1] == []
