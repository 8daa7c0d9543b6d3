"""The example package: a game that another package adds, with its words and its solution."""

from __future__ import annotations

import inspect
import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from strongroom_bluff import game as module
from strongroom_bluff.game import BELIEVE, CARDS, DOUBT, Bluff, Judged
from strongroom_bluff.theory import BluffSolution

from strongroom import load
from strongroom.arena.exploitation import exploit
from strongroom.contract import CHANCE, Game, Move, NotLegal, NotUnderstood, Seat, View
from strongroom.players import Player
from strongroom.players.drive import Drive
from strongroom.players.random import RandomPlayer
from strongroom.plugins import registry
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces
from strongroom.referee.record import Record
from strongroom.terminal.main import main
from strongroom.testing.conformance import check_game
from strongroom.theory import shelf
from strongroom.theory.solvers.best_response import bounds
from strongroom.theory.solvers.sequence_form import solve
from tests.examples.installing import install_bluff

VALUE = Fraction(3, 7)
ONE, TWO = Seat


def played(seed: int) -> Match:
    """A match between two random players."""
    match = Match.start(Bluff(), draw=draws(seed), nonce=nonces(seed))
    players = {seat: RandomPlayer(Bluff(), Random(f"{seat} of {seed}")) for seat in Seat}
    return Drive(match, players).run()


def dealt(one: str, two: str) -> module.BluffState:
    """The state after this deal."""
    return Bluff().start().play(Bluff().move(one)).play(Bluff().move(two))


# --- the rules ---


def test_each_player_is_dealt_one_of_five_cards_that_the_other_does_not_have() -> None:
    start = Bluff().start()
    assert (start.actor, start.moves, start.odds) == (CHANCE, CARDS, (1 / 5,) * 5)
    second = start.play(CARDS[1])
    assert second.keeper is TWO
    assert second.moves == (CARDS[0], *CARDS[2:])
    assert second.odds == (1 / 4,) * 4
    with pytest.raises(NotLegal):
        second.play(CARDS[1])


JUDGED = [
    ("2", BELIEVE, TWO, Judged.SEEN_THROUGH),
    ("2", DOUBT, ONE, Judged.FOOLED),
    ("3", BELIEVE, ONE, Judged.FOOLED),
    ("3", DOUBT, TWO, Judged.SEEN_THROUGH),
    ("5", DOUBT, TWO, Judged.SEEN_THROUGH),
]


def test_a_claim_that_is_judged_wrongly_wins_and_nothing_is_played_out_of_turn() -> None:
    for claim, reply, winner, reason in JUDGED:
        end = dealt("2", "5").play(Bluff().move(claim)).play(reply)
        assert end.outcome is not None
        assert (end.outcome.winner, end.outcome.reason) == (winner, reason)
        assert end.moves == ()
        with pytest.raises(NotLegal):
            end.play(reply)
    state = dealt("2", "5")
    for where, move in ((state, BELIEVE), (state.play(CARDS[0]), CARDS[0])):
        with pytest.raises(NotLegal, match=f"{move} cannot be played now"):
            where.play(move)
    with pytest.raises(NotLegal):
        _ = state.odds


# --- the words ---


def test_a_player_sees_only_their_own_card_and_types_a_card_or_the_beginning_of_a_reply() -> None:
    state, words = dealt("2", "5"), Bluff().words
    view, parse = state.view(ONE), words.parse
    assert str(words.question(view)) == "Your card: 2\nClaim a card (1 to 5):"
    assert str(words.question(state.view(TWO))) == "Claim a card (1 to 5):"
    assert [parse(text, view) for text in ("3", "B", " doubt ")] == [CARDS[2], BELIEVE, DOUBT]
    for text in ("", "0", "6", "33", "believer", "lie"):
        with pytest.raises(NotUnderstood, match=r"Type a card, like 3\."):
            parse(text, view)
    after = state.play(CARDS[3])
    assert words.say(after.view(TWO)) == "Player 1: 4"
    assert str(words.question(after.view(TWO))) == "Your card: 5\nBelieve or doubt?"
    end = after.play(BELIEVE)
    assert end.outcome is not None
    assert words.ending(end.outcome) == "Player 1 fooled the other."


# --- at the table ---


def test_it_passes_the_conformance_checks_before_it_is_registered() -> None:
    assert len(inspect.getsource(module).splitlines()) < 120
    assert "bluff" not in registry.names("game")
    check_game(Bluff(), seed=1)


# --- the solution ---


def test_perfect_play_wins_three_games_in_seven_and_both_have_to_mix() -> None:
    found = solve(Bluff())
    assert found.value == VALUE
    assert bounds(Bluff(), found.policy) == (VALUE, VALUE)
    one, two = found.strategies
    assert all(sorted(mixture.values())[-1] == VALUE for mixture in one.values())
    assert {mixture[BELIEVE] for mixture in two.values()} == {Fraction(0), Fraction(4, 7)}


def test_its_solution_is_proved_and_advises_what_it_plays() -> None:
    heard: list[str] = []
    solution = BluffSolution(
        Bluff(), BluffSolution.solve(Bluff(), lambda done, words: heard.append(words))
    )
    assert heard == ["value 3/7"]
    assert solution.certify(lambda done, words: None) == (VALUE, VALUE)
    claim, reply = dealt("2", "5").view(ONE), dealt("2", "5").play(CARDS[4]).view(TWO)
    assert solution.policy(claim)[CARDS[1]] == VALUE
    assert solution.values(claim) == pytest.approx(dict.fromkeys(CARDS, 3 / 7))
    assert solution.policy(reply) == {BELIEVE: 0, DOUBT: 1}
    assert solution.values(reply) == {BELIEVE: 0, DOUBT: 1}
    assert solution.why(reply, DOUBT) == "You hold that card yourself, so the claim is a lie."
    assert solution.why(claim, CARDS[0]) != solution.why(reply, DOUBT)


# --- the package ---


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip has installed the example, without any index."""
    return install_bluff(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def installed(package: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(package)
    return package


def test_the_installed_example_has_its_rules_and_a_proved_theory(installed: Path) -> None:
    assert (registry.names("game")[-1], registry.names("theory")[-1]) == ("bluff", "bluff")
    told = "Claim one of five cards, and make the other judge it wrongly."
    assert registry.summary("game", "bluff") == told
    assert load("bluff").rules_page.startswith("# Bluff\n")
    assert registry.find_entry("theory", "bluff").__name__ == "BluffSolution"
    shipped, provenance = shelf.read(Bluff())
    assert provenance["command"] == "strongroom solve bluff --write"
    solution = BluffSolution(Bluff(), shipped)
    assert solution.certify(lambda done, words: None) == (VALUE, VALUE)
    assert (installed / "strongroom_bluff" / "bluff.npz").is_file()


@pytest.mark.usefixtures("installed")
def test_random_players_play_to_the_end_and_a_record_is_written_to_text_and_read_back() -> None:
    for seed in range(20):
        record = played(seed).record
        assert record.outcome is not None
        assert record.outcome.reason in Judged
        assert [step.actor for step in record.steps] == [CHANCE, CHANCE, ONE, TWO]
        assert [step.keeper for step in record.steps] == [ONE, TWO, None, None]
        again = Record.loads(record.dumps())
        assert again == record
        assert again.dumps() == record.dumps()
        assert again.replay().outcome == record.outcome


# --- exploited ---


def test_a_bot_that_states_no_mixture_is_measured_by_a_search() -> None:
    class Honest:
        """Claims its own card, and believes everything."""

        def choose(self, view: View) -> Move:
            return view.secret[0] if view.seat is ONE else BELIEVE

    def make(name: str, game: Game, rng: Random) -> Player:
        return Honest()

    one, two = exploit(Bluff(), "honest", make, 100)
    assert (one.exact, two.exact) == (False, False)
    assert "searches" in one.found
    # A search that expects random play claims and replies a little better than by luck.
    assert 0.5 < one.value <= 1
    assert two.value < 0.5


@pytest.mark.usefixtures("installed")
def test_the_command_exploits_bots_at_an_installed_game_exactly_over_the_whole_tree(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["exploit", "bluff", "--json"]) == 0
    figures = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["player"], each["responder"], each["exact"]) for each in figures] == [
        *(("master", 1, True), ("master", 2, True), ("random", 1, True), ("random", 2, True))
    ]
    # A random reply is wrong half the time. Claims are random, so a claim is a lie 4 times in 5,
    # and always if the replier holds that card: doubting wins 4/5.
    assert [each["value"] for each in figures] == pytest.approx([3 / 7, 4 / 7, 1 / 2, 4 / 5])
