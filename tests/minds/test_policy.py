"""Flags that seats see without JAX, and policies in files."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from strongroom_bluff.game import Bluff

from strongroom import load
from strongroom.arena.exploitation import exploit
from strongroom.contract import Game, Refusal, Seat
from strongroom.minds.knowledge import FlagObserver
from strongroom.minds.observation import PolicyPlayer
from strongroom.minds.policy import NetworkPlayer, read_policy, write_policy
from strongroom.players import player
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import Bout
from strongroom.referee.randomness import draws
from strongroom.terminal.main import main

WIDTH = 5


def layers_of(game: Game, hidden: bool = True) -> list[tuple[Any, Any]]:
    """Random layers for a game: one hidden, and one that sees the inputs, too."""
    rng, size, count = np.random.default_rng(1), FlagObserver(game).size, game.actions.by_players
    if not hidden:
        return [(np.zeros((size, count)), np.zeros(count))]
    return [
        (rng.normal(size=(size, WIDTH)), rng.normal(size=WIDTH)),
        (rng.normal(size=(WIDTH + size, count)), rng.normal(size=count)),
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_policy_in_a_file_plays_its_game_and_draws_with_the_odds_that_it_states(
    name: str, tmp_path: Path
) -> None:
    game, file = load(name), tmp_path / "mine.npz"
    (w, b), (w2, b2) = layers_of(game)
    write_policy(file, game, layers_of(game))
    assert [each.name for each in tmp_path.iterdir()] == ["mine.npz"]
    bot = player(f"policy:{file}", game, Random(3))
    assert isinstance(bot, NetworkPlayer)
    observer, bout, flips = FlagObserver(game), Bout.start(game, 20), draws("coins")
    while isinstance(seat := bout.actor, Seat):
        view = bout.view(seat)
        seen = observer.observe(view).astype(np.float32)
        assert seen.shape == (observer.size,)
        hidden = np.maximum(seen @ w + b, 0)
        scores = np.exp(np.concatenate([hidden, seen]) @ w2 + b2) * observer.mask(view)
        odds = bot.policy(view)
        assert [*odds] == [game.actions[int(n)] for n in np.flatnonzero(observer.mask(view))]
        expected = scores[scores > 0] / scores.sum()
        assert [*odds.values()] == pytest.approx(expected.tolist(), rel=1e-3, abs=1e-9)
        move = bot.choose(view)
        assert move in odds
        bout = bout.play(move).settle(flips)
    assert bout.outcome is not None


def test_flags_stay_in_their_bits_in_a_match_that_is_longer_than_they_were_made_for() -> None:
    game = load("safe-cracker")
    observer, bout = FlagObserver(game, turn_limit=3), Bout.start(game, 400)
    for move in ["1-1-1", "2-2-2", *["3-3-3"] * 300]:
        bout = bout.play(game.move(move))
    number = observer.observe(bout.view(Seat.ONE))[observer.layout["number"]]
    assert number.all()
    with pytest.raises(Refusal, match="It is not said what flags of Bluff mean"):
        FlagObserver(Bluff(Bluff.options_type()))


def test_any_policy_of_flags_is_asked_with_flags() -> None:
    game = load("safe-code")
    asked: list[Any] = []

    def act(seen: Any, mask: Any) -> Any:
        asked.append(seen)
        return mask.argmax()

    view, observer = game.start().view(Seat.ONE), FlagObserver(game)
    assert PolicyPlayer(game, act, observer=observer).choose(view) == view.moves[0]
    assert asked[0].tolist() == observer.observe(view).tolist()
    assert ({*asked[0].tolist()}, asked[0].dtype.name) == ({0, 1}, "int8")


def test_a_best_response_to_a_policy_is_known_where_it_sees_the_position_alone(
    tmp_path: Path,
) -> None:
    game, file = load("quantum-duel"), str(tmp_path / "even.npz")
    parts = [part for part in FlagObserver(game).layout if part != "turns"]
    size = 1 + 3 * 7
    write_policy(file, game, [(np.zeros((size, 9)), np.zeros(9))], parts=parts)
    found = exploit(game, f"policy:{file}", player, games=1)
    at_random = exploit(game, "random", player, games=1)
    assert all(each.exact for each in found)
    assert [each.value for each in found] == pytest.approx([each.value for each in at_random])


def rewritten(file: Path, **changed: Any) -> bytes:
    """The file with other arrays, or with other entries of what it says about itself."""
    with np.load(file) as arrays:
        kept = {name: arrays[name] for name in arrays.files}
    about = json.loads(str(kept["about"]))
    for name, value in changed.items():
        if name in about:
            about[name] = value
        else:
            kept[name] = value
    written = BytesIO()
    np.savez(written, **{**kept, "about": np.array(json.dumps(about))})
    return written.getvalue()


BROKEN: dict[str, tuple[Callable[[Path], bytes], str]] = {
    "text": (lambda file: b"moves", "is not a policy. strongroom.minds.policy.write_policy"),
    "half": (lambda file: file.read_bytes()[:-30], "is not a policy."),
    "empty": (lambda file: b"", "is not a policy."),
    "pickled": (lambda file: rewritten(file, weights_0=np.array([print])), "is not a policy."),
    "version": (lambda file: rewritten(file, version=2), "was written by another version."),
    "game": (lambda file: rewritten(file, game="chess"), "There is no game 'chess'."),
    "options": (
        lambda file: rewritten(file, options={"digits": 99}),
        "There is no option 'digits'.",
    ),
    "part": (lambda file: rewritten(file, parts=["dial"]), "Quantum Duel has no part 'dial'."),
    "nothing": (lambda file: rewritten(file, parts=[]), "sees at least one part."),
    "rows": (lambda file: rewritten(file, weights_0=np.zeros((3, 9))), "should have 29 rows"),
    "outputs": (
        lambda file: rewritten(file, weights_0=np.zeros((29, 4)), offsets_0=np.zeros(4)),
        "has 9 actions, and the last layer has 4 outputs.",
    ),
    "offsets": (lambda file: rewritten(file, offsets_0=np.zeros(4)), "offsets_0 should have"),
    "nan": (lambda file: rewritten(file, offsets_0=np.full(9, np.nan)), "are not finite."),
    "limit": (lambda file: rewritten(file, turn_limit="x"), "turn_limit must be a whole number"),
}


@pytest.mark.parametrize("how", BROKEN)
def test_what_is_not_a_policy_is_refused_in_a_line(how: str, tmp_path: Path) -> None:
    game, file = load("quantum-duel"), tmp_path / "bad.npz"
    write_policy(file, game, layers_of(game, hidden=False))
    make, told = BROKEN[how]
    file.write_bytes(make(file))
    with pytest.raises(Refusal) as refused:
        read_policy(file)
    assert told in str(refused.value)
    assert str(file) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_policy_sits_down_at_contests_and_is_refused_at_another_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game, file = load("quantum-duel"), tmp_path / "mine.npz"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    write_policy(file, game, layers_of(game, hidden=False))
    measure = ["measure", f"policy:{file}", "--rounds", "1", "--only"]
    tournament = ["tournament", "quantum", "--games", "2", "--players", f"policy:{file}", "random"]
    assert main([*measure, "safe-code"]) == 2
    told = "This policy was trained at load('quantum-duel'), not at load('safe-code'). "
    assert f"{told}Choose that game: quantum-duel." in capsys.readouterr().err
    assert main([*measure, "quantum-duel"]) == 0
    assert main(tournament) == 0


def test_a_file_that_is_too_large_or_none_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, file = load("quantum-duel"), tmp_path / "mine.npz"
    write_policy(file, game, layers_of(game, hidden=False))
    with pytest.raises(Refusal, match=r"cannot be read: Is a directory\."):
        read_policy(tmp_path)
    monkeypatch.setattr("strongroom.minds.policy.LARGEST", 4)
    with pytest.raises(Refusal, match="It takes more than 4 bytes"):
        read_policy(file)
