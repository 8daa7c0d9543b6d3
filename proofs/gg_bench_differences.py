"""Where gg-bench's own environments of the five games break the rules, played beside ours.

    python proofs/gg_bench_differences.py path/to/a/clone/of/gg-bench

Each difference is played twice, in the environment of the clone and in ours, and what happened is
printed. gg-bench was compared at the commit `COMPARED`, and is not a part of this project: without
a clone, `theirs_is` says what happened there.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from strongroom.contract import Seat
from strongroom.doors.gg_bench import GAMES, SelfPlayEnv

COMPARED: Final = "9ff54da91005b6483a6009087262ca118640ca95"
"""The commit of gg-bench, of 29 May 2025."""

Plays = Callable[[Any], str]


class Difference(NamedTuple):
    """Something that is played in both environments, and how it ends in each."""

    number: int
    rule: str
    theirs: Plays
    """Plays it in gg-bench's environment, whose secrets are set by its attributes."""
    theirs_is: str
    ours: Plays
    """Plays it in ours, where secrets are chosen in the set-up."""
    ours_is: str


def ours(number: int) -> SelfPlayEnv:
    """Our environment of one of gg-bench's games, before a set-up that is played."""
    env = SelfPlayEnv(GAMES[number], secrets="chosen")
    env.reset(seed=1)
    return env


def moved(env: SelfPlayEnv, *moves: str) -> tuple[float, bool]:
    """The reward and the end of the last of these moves; players wait where they must."""
    reward, over = 0.0, False
    for text in moves:
        wait_for_a_decision(env)
        action = env.game.actions.index(env.game.move(text)) - env.numbers.start
        _, reward, over, _, _ = env.step(action)
    return reward, over


def wait_for_a_decision(env: SelfPlayEnv) -> None:
    while env.valid_moves() == [env.wait] and not env.is_over and env.bout.outcome is None:
        env.step(env.wait)


def is_legal(env: SelfPlayEnv, text: str) -> bool:
    wait_for_a_decision(env)
    return env.game.actions.index(env.game.move(text)) - env.numbers.start in env.valid_moves()


def told_winner(env: SelfPlayEnv) -> str:
    """Who is rewarded for a game that is decided."""
    reward, over = 0.0, env.is_over
    while not over:
        _, reward, over, _, _ = env.step(env.wait)
    return f"Player {env.seat.other.value} wins" if reward == 1 else "nobody wins"


# --- Safe Code -----------------------------------------------------------------------------------

CLUES = ("It is less than 15.", "The number is not a perfect square.", "The number is not a prime.")


def hidden(env: SelfPlayEnv, *more: str) -> SelfPlayEnv:
    """Safe Code after both hid 6, with the same clues, and these moves."""
    moved(env, "6", *CLUES, "6", *CLUES, *more)
    return env


def drawn_clues(env: Any) -> str:
    env.reset()
    return f"drawn, of {len(env.clues)} clues"


def chosen_clues(env: SelfPlayEnv) -> str:
    moved(env, "6")
    clues = env.game.actions.blocks[0].moves
    return f"chosen, of {len(clues)} clues" if is_legal(env, CLUES[0]) else "drawn"


def alike(env: Any) -> str:
    for seed in range(200):
        env.reset(seed=seed)
        if any({0, 5} <= {*clues} for clues in env.clue_lists):
            return "a player gives both"
    return "never both"


def alike_here(env: SelfPlayEnv) -> str:
    moved(env, "6", "The number is even.")
    return "a player gives both" if is_legal(env, "It is divisible by 2.") else "never both"


def asked(env: Any) -> str:
    env.reset(seed=1)
    before = env.render().partition("\n")[2]
    env.step(0)
    after = env.render().partition("\n")[2]
    return "the other is told nothing" if before == after else "the other is told"


def asked_here(env: SelfPlayEnv) -> str:
    hidden(env, "clue")
    told = "Player 1: clue" in env.render()
    return "the other is told" if told else "the other is told nothing"


# --- Safecracker Duel ----------------------------------------------------------------------------


def duel(env: Any, one: str, two: str, *actions: int) -> tuple[float, bool]:
    env.reset(seed=1)
    for name, code in ("player1_code", one), ("player2_code", two):
        getattr(env, name)[:] = [*map(int, code.split("-"))]
    reward, over = 0.0, False
    for action in actions:
        _, reward, over, _, _ = env.step(action)
    return reward, over


def passing(env: Any) -> str:
    duel(env, "5-5-5", "4-4-4", 0)
    return "the safe still shows " + "-".join(map(str, env.safe_combination))


def passing_here(env: SelfPlayEnv) -> str:
    moved(env, "5-5-5", "4-4-4")
    return "the safe still shows 1-1-1" if is_legal(env, "1 1") else "not legal"


def at_once(env: Any) -> str:
    reward, _ = duel(env, "5-5-5", "2-1-3", 1, 12)
    return "Player 2 wins" if reward == 1 else "not legal"


def at_once_here(env: SelfPlayEnv) -> str:
    moved(env, "5-5-5", "2-1-3", "1 2")
    return "Player 2 wins" if is_legal(env, "3 3") else "not legal"


def first_own(env: Any) -> str:
    reward, over = duel(env, "2-1-1", "5-5-5", 1)
    return "not legal" if reward < 0 else "it stands, and nobody wins" if not over else "a win"


def first_own_here(env: SelfPlayEnv) -> str:
    moved(env, "2-1-1", "5-5-5")
    return "a win" if is_legal(env, "1 2") else "not legal"


def handed(env: Any) -> str:
    _, over = duel(env, "5-5-5", "2-1-1", 1)
    return "Player 2 wins" if over else "the game goes on"


def handed_here(env: SelfPlayEnv) -> str:
    moved(env, "5-5-5", "2-1-1", "1 2")
    return told_winner(env)


# --- Digit Deductions and Safe Cracker -----------------------------------------------------------


def shown(env: Any) -> str:
    observation, _ = env.reset(seed=1)
    both = [*env.player1_secret, *env.player2_secret]
    text = " ".join(map(str, both[2:]))
    seen = [*observation[:4]] == both and f"Player 2 secret number: {text}" in env.render()
    return "Player 1 sees Player 2's number" if seen else "Player 1 does not see it"


def shown_here(env: SelfPlayEnv) -> str:
    told = set()
    for secret in ("4-7", "9-9"):
        env.reset(seed=1)
        moved(env, "1-2", secret)
        told.add((env.render(), env.observer.observe(env.bout.view(Seat.ONE)).tobytes()))
    return "Player 1 does not see it" if len(told) == 1 else "Player 1 sees Player 2's number"


def won_twice(env: Any) -> str:
    env.reset(seed=1)
    rewards = []
    for secret in (env.player2_secret, env.player2_secret):
        guess = int(9 * (secret[0] - 1) + secret[1] - 1)
        rewards.append(env.step(guess)[1])
    return "it can be won again" if rewards == [1, 1] else "nothing changes"


def won_twice_here(env: SelfPlayEnv) -> str:
    moved(env, "1-2", "4-7", "1-1", "1-1")
    reward, _ = moved(env, "4-7")
    again = env.step(env.game.actions.index(env.game.move("4-7")))[1]
    return "it can be won again" if (reward, again) == (1, 1) else "nothing changes"


def secrets_of(env: Any) -> str:
    found = set()
    for _ in range(20):
        env.reset(seed=1)
        codes = (
            [env.player1_secret] if hasattr(env, "player1_secret") else env.player_codes.values()
        )
        found.add(str([each.tolist() for each in codes]))
    return "other secrets each time" if len(found) > 1 else "the same secrets"


def secrets_here(env: SelfPlayEnv) -> str:
    drawn, found = SelfPlayEnv(env.game.name), set()
    for _ in range(20):
        drawn.reset(seed=1)
        found.add(str(drawn.bout.state.secrets))
    return "other secrets each time" if len(found) > 1 else "the same secrets"


WRONG_GUESSES = 20


def late(env: Any) -> str:
    env.reset(seed=1)
    for code in env.player_codes.values():
        code[:] = [3, 3, 3]
    for _ in range(WRONG_GUESSES):
        env.step(0)
    _, reward, _, _, _ = env.step(26)
    return "a win" if reward == 1 else "the game is over, and nobody wins"


def late_here(env: SelfPlayEnv) -> str:
    moved(env, "3-3-3", "3-3-3", *["1-1-1"] * WRONG_GUESSES)
    reward, _ = moved(env, "3-3-3")
    return "a win" if reward == 1 else "the game is over, and nobody wins"


def flat(env: Any) -> str:
    observation, _ = env.reset(seed=1)
    return "gg-bench's wrapper takes it" if observation.ndim == 1 else "gg-bench's wrapper fails"


# --- Quantum Duel --------------------------------------------------------------------------------


def both_sides(env: Any) -> str:
    env.reset(seed=1)
    env.step(3)
    return "Player 2 moves" if sum(map(abs, env.board)) == 1 else "the environment moves at random"


def both_sides_here(env: SelfPlayEnv) -> str:
    moved(env, "4")
    seat = env.seat
    return "Player 2 moves" if seat is Seat.TWO and len(env.valid_moves()) == 6 else "no"


def challenged(env: Any) -> str:
    kept = set()
    for seed in range(20):
        env.reset(seed=seed)
        env.board[3] = 1
        env.step(2)
        kept.add(int(env.board[2]) == 1)
    return "always challenged" if kept == {True, False} else "Player 2 decides"


def challenged_here(env: SelfPlayEnv) -> str:
    moved(env, "4", "7", "3")
    names = [str(env.game.actions[number]) for number in env.valid_moves()]
    return "Player 2 decides" if names == ["yes", "no"] else "always challenged"


FULL = ("1", "2", "3", "4", "5", "6", "7")


def full(env: Any) -> str:
    env.reset(seed=1)
    env.board[:6] = [1, -1, 1, -1, 1, -1]
    _, reward, over, _, _ = env.step(6)
    return "a draw" if over and reward == 0 else "it goes on"


def full_here(env: SelfPlayEnv) -> str:
    _, over = moved(env, *FULL)
    empty = len(env.valid_moves()) == 7
    return "the board is emptied, and the game goes on" if empty and not over else "a draw"


def stuck(env: Any) -> str:
    env.reset(seed=1)
    env.board[:5] = [-1, 1, -1, 1, -1]
    _, _, over, _, _ = env.step(5)
    return "no move is left, and the game is not over" if not (over or env.valid_moves()) else "no"


def stuck_here(env: SelfPlayEnv) -> str:
    seed = 0
    while True:  # until a coin shows tails, which leaves the last cell to Player 2
        env.reset(seed=seed)
        moved(env, "1", "7", "2", "yes")
        if is_legal(env, "2"):
            break
        seed += 1
    _, over = moved(env, "3", "2", "no", "5", "4", "6", "no")
    wait_for_a_decision(env)
    empty = len(env.valid_moves()) == 7
    return "the board is emptied, and the game goes on" if empty and not over else "no"


DIFFERENCES: Final = (
    Difference(
        175,
        "Each player chooses a code and writes three clues.",
        drawn_clues,
        "drawn, of 14 clues",
        chosen_clues,
        "chosen, of 1716 clues",
    ),
    Difference(
        175,
        "A player's three clues differ in meaning: even, and divisible by 2.",
        alike,
        "a player gives both",
        alike_here,
        "never both",
    ),
    Difference(
        175,
        "Both players see every request.",
        asked,
        "the other is told nothing",
        asked_here,
        "the other is told",
    ),
    Difference(
        275,
        "No passing: a turn changes a digit.",
        passing,
        "the safe still shows 1-1-1",
        passing_here,
        "not legal",
    ),
    Difference(
        275,
        "Nobody sets the safe to their own code on their first turn: Player 2.",
        at_once,
        "Player 2 wins",
        at_once_here,
        "not legal",
    ),
    Difference(
        275,
        "Nobody sets the safe to their own code on their first turn: Player 1.",
        first_own,
        "it stands, and nobody wins",
        first_own_here,
        "not legal",
    ),
    Difference(
        275,
        "After any turn, a player whose code the safe shows wins: Player 1 shows Player 2's.",
        handed,
        "the game goes on",
        handed_here,
        "Player 2 wins",
    ),
    Difference(
        276,
        "The numbers are secret.",
        shown,
        "Player 1 sees Player 2's number",
        shown_here,
        "Player 1 does not see it",
    ),
    Difference(
        276,
        "A correct guess ends the game.",
        won_twice,
        "it can be won again",
        won_twice_here,
        "nothing changes",
    ),
    Difference(
        276,
        "A seed gives the same game.",
        secrets_of,
        "other secrets each time",
        secrets_here,
        "the same secrets",
    ),
    Difference(
        681,
        "Two players take turns.",
        both_sides,
        "the environment moves at random",
        both_sides_here,
        "Player 2 moves",
    ),
    Difference(
        681,
        "The opponent decides whether to challenge.",
        challenged,
        "always challenged",
        challenged_here,
        "Player 2 decides",
    ),
    Difference(
        681,
        "The game cannot end in a draw: Player 1 fills the board.",
        full,
        "a draw",
        full_here,
        "the board is emptied, and the game goes on",
    ),
    Difference(
        681,
        "The game cannot end in a draw: Player 2 fills the board.",
        stuck,
        "no move is left, and the game is not over",
        stuck_here,
        "the board is emptied, and the game goes on",
    ),
    Difference(
        825,
        "The game goes on until a code is guessed: the 21st guess is right.",
        late,
        "the game is over, and nobody wins",
        late_here,
        "a win",
    ),
    Difference(
        825,
        "A seed gives the same game.",
        secrets_of,
        "other secrets each time",
        secrets_here,
        "the same secrets",
    ),
    Difference(
        825,
        "An observation is a vector, for agents that are trained.",
        flat,
        "gg-bench's wrapper fails",
        flat,
        "gg-bench's wrapper takes it",
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("clone", type=Path, help="a clone of gg-bench")
    folder: Path = parser.parse_args().clone / "gg_bench" / "data" / "envs"
    odd = 0
    for each in DIFFERENCES:
        file = folder / f"env_{each.number}.py"
        if not file.is_file():
            sys.exit(f"There is no {file}. Name a clone of gg-bench.")
        theirs = each.theirs(runpy.run_path(str(file))["CustomEnv"]())
        here = each.ours(ours(each.number))
        as_told = (theirs, here) == (each.theirs_is, each.ours_is)
        odd += not as_told
        print(f"{each.number} {GAMES[each.number]}: {each.rule}")
        print(f"    gg-bench:   {theirs}\n    strongroom: {here}")
        if not as_told:
            print(f"    told as:    {each.theirs_is}; {each.ours_is}")
    print(f"{len(DIFFERENCES)} differences, {odd} otherwise than at {COMPARED[:10]}")
    sys.exit(odd > 0)


if __name__ == "__main__":
    main()
