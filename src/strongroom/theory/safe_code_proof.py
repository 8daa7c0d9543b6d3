"""Why nobody beats the certified player of Safe Code, checked number by number.

Three things are checked, all in fractions. The set-up tells nothing beyond what its clues say.
Against a racer the best response, with every guess and request allowed, is to race. And whatever
the player stakes, it still owes no more than it can win, whichever number and clue it meets.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from strongroom.game import Game, Seat, State
from strongroom.games.safe_code import CLUES_EACH
from strongroom.theory import Report
from strongroom.theory.safe_code import Language, Race, Table, language, policy, stake_of


def best_response(size: int, report: Report) -> dict[tuple[int, int, int], Fraction]:
    """What a player who only races wins, at worst, by numbers left on each side and clues given.

    The opponent may try a number that is left, or one that is not, or ask. This is a full best
    response: hidden number and clues are drawn evenly, so all that matters of what the opponent
    has learned is how many numbers are left, and how many clues.
    """
    worst: dict[tuple[int, int, int], Fraction] = {}

    def to_move(mine: int, theirs: int, given: int) -> Fraction:
        if mine == 1:
            return Fraction(1)
        return (1 + (mine - 1) * worst[mine - 1, theirs, given]) / mine

    for mine in range(1, size + 1):
        report(mine / size, f"racing with {mine} numbers left")
        for theirs in range(1, size + 1):
            gone = size - theirs
            for given in range(min(CLUES_EACH, gone), -1, -1):
                options = [to_move(mine, theirs, given)]  # a guess that cannot be right
                if theirs == 1:
                    options.append(Fraction(0))
                else:
                    options.append(to_move(mine, theirs - 1, given) * (theirs - 1) / theirs)
                if given < CLUES_EACH and size - 1 > given:
                    old = Fraction(gone - given, size - 1 - given)  # already tried
                    asked = (1 - old) * to_move(mine, theirs - 1, given + 1) if old < 1 else 0
                    if old:
                        asked += old * to_move(mine, theirs, given + 1)
                    options.append(Fraction(asked))
                worst[mine, theirs, given] = min(options)
    return worst


def check(game: Game, table: Table, report: Report) -> None:
    """Complain unless the table's player keeps its promise."""
    race = Race(table)
    if not _race_is_a_best_response(race, report):
        raise ValueError("the table of safe-code does not prove the race")
    if not _stakes_keep_the_promise(race, game):
        raise ValueError("the player of safe-code does not keep its promise")
    if not _set_up_tells_nothing(game, table, report):
        raise ValueError("the set-up of safe-code tells more than its clues")


def _race_is_a_best_response(race: Race, report: Report) -> bool:
    """No asking and no odd guess does better against a racer than racing does."""
    worst = best_response(race.size, lambda done, words: report(done / 3, words))
    return all(race.waiting(mine, theirs) == w for (mine, theirs, _), w in worst.items())


def _stakes_keep_the_promise(race: Race, game: Game) -> bool:
    """Whatever is owed, however it is spent, whichever number and clue the opponent has."""
    everything = range(1, race.size + 1)
    return bool(language(game).true.sum(axis=1).max() < race.size) and all(
        _keeps(race, mine, theirs, race.to_move(mine, theirs) * part / 8, ask, lean)
        for mine in everything
        for theirs in everything
        for part in range(9)
        for ask in (False, True)
        for lean in (False, True)
    )


def _keeps(race: Race, mine: int, theirs: int, owed: Fraction, ask: bool, lean: bool) -> bool:
    """Whether a turn delivers, on average, what is owed, and owes nothing impossible after it.

    A number that is tried more often than the least only gains by it, so the least is checked.
    """
    if mine == 1:
        return race.to_move(mine, theirs) == 1
    stake = stake_of(race, mine, theirs, owed, ask, lean)
    ahead, behind = race.waiting(mine - 1, theirs), race.waiting(mine, theirs)
    guessed = stake.least + (1 - stake.least) * stake.missed
    return (
        stake.ask * stake.told + (1 - stake.ask) * guessed >= owed
        and 0 <= stake.ask <= 1
        and 0 <= stake.least * mine <= 1
        and (stake.ask == 1 or stake.missed <= ahead)
        and stake.told <= (ahead if mine == race.size else behind)
        and behind <= ahead  # so a clue that rules out more is worth no less
    )


def _set_up_tells_nothing(game: Game, table: Table, report: Report) -> bool:
    """Codes are even, and the next clue is as likely from every code of which it can be true."""
    words = language(game)
    state: State[Any, Any, Any] = game.start()
    for seat in Seat:
        likely: dict[tuple[int, ...], list[Fraction]] = {}
        codes = policy(table, state.view(seat))
        if list(codes.values()) != [Fraction(1, len(words.numbers))] * len(words.numbers):
            return False
        for done, code in enumerate(codes):
            report((seat.index + 1 + done / len(codes)) / 3, f"reading every set-up of {seat}")
            for clues, chance in _written(table, words, state.play(code), ()):
                likely.setdefault(clues, []).append(chance)
        for clues, chances in likely.items():
            fits = int(words.true[list(clues)].all(axis=0).sum())
            if chances != [chances[0]] * fits:
                return False
        for move in (words.numbers[0], *list(words.weakest.values())[1 : 1 + CLUES_EACH]):
            state = state.play(move)
    return True


def _written(
    table: Table, words: Language, state: State[Any, Any, Any], earlier: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every list of clues that the player may begin with, and how likely its last one is then."""
    assert isinstance(state.actor, Seat)
    for clue, chance in policy(table, state.view(state.actor)).items():
        clues = (*earlier, words.index[str(clue)])
        yield clues, chance
        if len(clues) < CLUES_EACH:
            yield from _written(table, words, state.play(clue), clues)
