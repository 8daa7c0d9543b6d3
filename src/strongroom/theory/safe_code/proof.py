"""Why nobody beats the certified player of Safe Code, checked number by number.

Three things are checked, all in fractions. The set-up tells nothing beyond what its clues say.
Against a racer the best response, with every guess and request allowed, is to race. Whatever the
player stakes, it never owes more than it can win, for every number and clue of the opponent.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from strongroom.contract import Game, Seat, State
from strongroom.games.safe_code.rules import CLUES_EACH
from strongroom.theory.safe_code.player import PromiseKeeper, Race, stake_of
from strongroom.theory.solution import NotProved, Report


def worst_against_racing(size: int, report: Report) -> dict[tuple[int, int, int], Fraction]:
    """What a player who only races wins, at worst, by numbers left on each side and clues given.

    The opponent may try a number that is left, or one that is not, or ask. This is a full best
    response: the hidden number and the clues are drawn uniformly, so all that matters of the
    opponent's information is how many numbers, and how many clues, are left.
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
                options = [to_move(mine, theirs, given)]  # a guess that cannot hit
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


def prove(game: Game, player: PromiseKeeper, report: Report) -> tuple[Fraction, Fraction]:
    """Lower and upper bound on Seat.ONE's value from the player; NotProved if the proof fails."""
    race = player.race
    if race.size != len(player.language.numbers):
        raise NotProved("The table of safe-code has other numbers than the game.")
    if not _race_is_a_best_response(race, report):
        raise NotProved("The table of safe-code does not prove the race.")
    report(0.02, "trying every stake")
    if not _stakes_keep_the_promise(player):
        raise NotProved("The player of safe-code does not keep its promise.")
    if not _set_up_tells_nothing(game, player, report):
        raise NotProved("The set-up of safe-code tells more than its clues.")
    return race.to_move(race.size, race.size), 1 - race.waiting(race.size, race.size)


def _race_is_a_best_response(race: Race, report: Report) -> bool:
    """Whether neither asking nor an excluded guess does better against a racer than racing."""
    worst = worst_against_racing(race.size, lambda done, words: report(0.02 * done, words))
    return all(race.waiting(mine, theirs) == w for (mine, theirs, _), w in worst.items())


def _stakes_keep_the_promise(player: PromiseKeeper) -> bool:
    """Whether every stake keeps the promise, for every number and clue of the opponent."""
    race = player.race
    everything = range(1, race.size + 1)
    return bool(player.language.true.sum(axis=1).max() < race.size) and all(
        _keeps(race, mine, theirs, race.to_move(mine, theirs) * part / 8, ask, lean)
        for mine in everything
        for theirs in everything
        for part in range(9)
        for ask in (False, True)
        for lean in (False, True)
    )


def _keeps(race: Race, mine: int, theirs: int, owed: Fraction, ask: bool, lean: bool) -> bool:
    """Whether a turn delivers, on average, what is owed, and owes nothing impossible after it.

    A number tried more often than the least only does better, so checking the least is enough.
    """
    if mine == 1:
        return race.to_move(mine, theirs) == 1
    stake = stake_of(race, mine, theirs, owed, ask, lean)
    ahead, behind = race.waiting(mine - 1, theirs), race.waiting(mine, theirs)
    guessed = stake.least + (1 - stake.least) * stake.after_miss
    return (
        stake.ask * stake.after_clue + (1 - stake.ask) * guessed >= owed
        and 0 <= stake.ask <= 1
        and 0 <= stake.least * mine <= 1
        and (stake.ask == 1 or stake.after_miss <= ahead)
        and stake.after_clue <= (ahead if mine == race.size else behind)
        and behind <= ahead  # so a stronger clue is worth no less
    )


def _set_up_tells_nothing(game: Game, player: PromiseKeeper, report: Report) -> bool:
    """Whether codes are uniform, and each clue equally likely from every code that fits it."""
    language = player.language
    state: State[Any, Any, Any] = game.start()
    for seat in Seat:
        likely: dict[tuple[int, ...], list[Fraction]] = {}
        codes = player.policy(state.view(seat))
        if list(codes.values()) != [Fraction(1, len(language.numbers))] * len(language.numbers):
            return False
        for done, code in enumerate(codes):
            read = (seat.index + done / len(codes)) / 2
            report(0.2 + 0.8 * read, f"reading every set-up of Player {seat.value}")
            _read(player, state.play(code), (), likely)
        for clues, chances in likely.items():
            fits = int(language.true[list(clues)].all(axis=0).sum())
            if chances != [chances[0]] * fits:
                return False
        for move in (language.numbers[0], *list(language.weakest.values())[1 : 1 + CLUES_EACH]):
            state = state.play(move)
    return True


def _read(
    player: PromiseKeeper,
    state: State[Any, Any, Any],
    earlier: tuple[int, ...],
    likely: dict[tuple[int, ...], list[Fraction]],
) -> None:
    """Add the probability of the last clue, for every list of clues that the player may write."""
    assert isinstance(state.actor, Seat)
    for clue, chance in player.policy(state.view(state.actor)).items():
        clues = (*earlier, player.language.index[clue])
        likely.setdefault(clues, []).append(chance)
        if len(clues) < CLUES_EACH:
            _read(player, state.play(clue), clues, likely)
