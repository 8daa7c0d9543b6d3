"""The examples: a game of another package, and engines, packages and trainings fit to use."""

from __future__ import annotations

import inspect
import json
import shutil
import subprocess
import sys
from fractions import Fraction
from importlib.metadata import PathDistribution
from pathlib import Path
from random import Random

import linear_policy
import pytest
import self_play
import tabular
from features import GAME
from learning_curve import cost
from starting import PATIENCE
from strongroom_bluff import game as module
from strongroom_bluff.game import BELIEVE, CARDS, DOUBT, Bluff, BluffReason
from strongroom_bluff.theory import BluffSolution
from trained import Agent, Trained

from strongroom import load, measure
from strongroom.arena.exploitation import exploit
from strongroom.contract import CHANCE, Game, Move, NotLegal, NotUnderstood, Seat, View
from strongroom.minds.engine import seats
from strongroom.players import Player
from strongroom.plugins import registry
from strongroom.plugins.registry import GAMES
from strongroom.referee.match import Match
from strongroom.referee.table import Table
from strongroom.terminal.main import main
from strongroom.testing.conformance import check_game
from strongroom.testing.engine_check import check
from strongroom.theory import shelf
from tests.examples.installing import EXAMPLES, install, install_bluff
from tests.missing import missing

pytestmark = pytest.mark.proof
VALUE = Fraction(3, 7)
ONE, TWO = Seat


def dealt(one: str, two: str) -> module.BluffState:
    return Bluff().start().play(Bluff().move(one)).play(Bluff().move(two))


def test_each_player_is_dealt_one_of_five_cards_that_the_other_does_not_have() -> None:
    start = Bluff().start()
    assert (start.actor, start.moves, start.odds) == (CHANCE, CARDS, (1 / 5,) * 5)
    second = start.play(CARDS[1])
    assert second.keeper is TWO
    assert second.moves == (CARDS[0], *CARDS[2:])
    assert second.odds == (1 / 4,) * 4
    with pytest.raises(NotLegal):
        second.play(CARDS[1])


def test_a_claim_that_is_judged_wrongly_wins_and_nothing_is_played_out_of_turn() -> None:
    for claim, reply, winner, reason in (
        ("2", BELIEVE, TWO, BluffReason.SEEN_THROUGH),
        ("2", DOUBT, ONE, BluffReason.FOOLED),
        ("3", BELIEVE, ONE, BluffReason.FOOLED),
        ("3", DOUBT, TWO, BluffReason.SEEN_THROUGH),
    ):
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


def test_a_player_sees_only_their_own_card_and_types_a_card_or_the_beginning_of_a_reply() -> None:
    state, words = dealt("2", "5"), Bluff().words
    view, parse = state.view(ONE), words.parse
    assert str(words.question(view)) == "Your card: 2\nClaim a card (1 to 5):"
    assert str(words.question(state.view(TWO))) == "Claim a card (1 to 5):"
    assert [parse(text, view) for text in ("3", "B", " doubt ")] == [CARDS[2], BELIEVE, DOUBT]
    for text in ("", "0", "6", "33", "believer"):
        with pytest.raises(NotUnderstood, match=r"Type a card, like 3\."):
            parse(text, view)
    after = state.play(CARDS[3])
    assert words.say(after.view(TWO)) == "Player 1: 4"
    assert str(words.question(after.view(TWO))) == "Your card: 5\nBelieve or doubt?"
    end = after.play(BELIEVE)
    assert end.outcome is not None
    assert words.ending(end.outcome) == "Player 1 fooled the other."


def test_it_passes_the_conformance_checks_before_it_is_registered() -> None:
    assert len(inspect.getsource(module).splitlines()) < 120
    assert "bluff" not in registry.names("game")
    check_game(Bluff(), seed=1)


def test_its_solution_is_proved_and_advises_what_it_plays() -> None:
    heard: list[str] = []
    solution = BluffSolution(
        Bluff(), BluffSolution.solve(Bluff(), lambda done, words: heard.append(words))
    )
    assert heard == ["value 3/7"]
    assert solution.certify(lambda done, words: None) == (VALUE, VALUE)
    claim, reply = dealt("2", "5").view(ONE), dealt("2", "5").play(CARDS[4]).view(TWO)
    assert solution.policy(claim)[CARDS[1]] == VALUE
    assert solution.worth.judge(claim).moves == pytest.approx(dict.fromkeys(CARDS, 3 / 7))
    assert solution.policy(reply) == solution.worth.judge(reply).moves == {BELIEVE: 0, DOUBT: 1}
    why = solution.effect(reply, DOUBT).why
    assert why == "You hold that card yourself, so the claim is a lie."
    assert solution.effect(claim, CARDS[0]) != solution.effect(reply, DOUBT)


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
    assert load("bluff").rules_page.startswith("# Bluff\n")
    assert registry.find_entry("theory", "bluff").__name__ == "BluffSolution"
    shipped, provenance = shelf.read(Bluff())
    assert provenance["command"] == "strongroom solve bluff --write"
    solution = BluffSolution(Bluff(), shipped)
    assert solution.certify(lambda done, words: None) == (VALUE, VALUE)
    assert (installed / "strongroom_bluff" / "bluff.npz").is_file()


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
    assert [(each["player"], each["responder"]) for each in figures] == [
        (name, seat) for name in registry.PLAYERS for seat in (1, 2)
    ]
    assert all(each["exact"] for each in figures)
    # A random reply is wrong half the time. Claims are random, so a claim is a lie 4 times in 5,
    # and always if the replier holds that card: doubting wins 4/5.
    values = [each["value"] for each in figures]
    assert values[:2] + values[-2:] == pytest.approx([3 / 7, 4 / 7, 1 / 2, 4 / 5])
    # A search always claims the same with the same card, so its claims can be read.
    assert values[3] == 1


CRACKER = load("safe-cracker")
UNTRAINED = tabular.Table(load(GAME))


@pytest.fixture(scope="module")
def policy() -> linear_policy.Policy:
    return self_play.train(CRACKER, decisions=20_000, seed=1)


@pytest.fixture(scope="module")
def learned() -> tabular.Table:
    return tabular.train("cost", games=60)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_the_packages_for_verifiers_install_under_their_names(tmp_path: Path) -> None:
    names = ("strongroom_duels", "strongroom_puzzles")
    install(tmp_path, *(EXAMPLES / "verifiers" / name for name in names))
    for name, found in zip(names, sorted(tmp_path.glob("*.dist-info")), strict=True):
        package = PathDistribution(found)
        assert package.name == name.replace("_", "-")
        assert package.requires == ["strongroom[verifiers]"]
        assert package.metadata["Description-Content-Type"] == "text/markdown"
        assert (tmp_path / name / "__init__.py").is_file()


@pytest.mark.parametrize("kind", [".py", ".sh", ".js"])
def test_an_engine_plays_all_five_games_by_the_rules(kind: str) -> None:
    if kind == ".js" and shutil.which("node") is None:
        missing("nodejs")
    (bot,) = (EXAMPLES / "engines").glob(f"*{kind}")
    report = check(seats(f"{bot}?seconds=60"), [load(name) for name in GAMES])
    assert (report.all_faults, report.notes) == ([], [])
    assert all(played.moves for played in report.games)


def refused(*arguments: str) -> str:
    """The only line of what an example says that refuses to run."""
    done = run(*arguments)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    return done.stderr


def played(policy: linear_policy.Policy) -> list[Move | None]:
    match = Match.start(CRACKER, turn_limit=30)
    record = Table(match, {seat: Trained(policy) for seat in Seat}).run().record
    return [step.move for step in record.steps]


def test_a_short_training_makes_the_agent_better_than_random(policy: linear_policy.Policy) -> None:
    name = CRACKER.name
    trained = measure(Agent({name: policy}), CRACKER, rounds=15, seed=1).figures[name]
    chance = measure("random", CRACKER, rounds=15, seed=1).figures[name]
    assert trained["score"] > chance["score"] + 0.1
    assert trained["cost_per_decision"] < chance["cost_per_decision"] / 2


def test_the_same_seed_learns_the_same() -> None:
    first, again, other = (self_play.train(CRACKER, 1_000, seed).weights[:64] for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    one, two, third = (tabular.train("result", 5, seed).weights for seed in (1, 1, 2))
    assert [*one] == [*two] != [*third]
    assert all((one[position] == two[position]).all() for position in one)


def test_an_agent_plays_the_same_after_it_was_written_and_read(
    policy: linear_policy.Policy, learned: tabular.Table, tmp_path: Path
) -> None:
    file = str(tmp_path / "agent.npz")
    linear_policy.write({CRACKER.name: policy}, file)
    (kept,) = linear_policy.read(file).values()
    assert played(kept) == played(policy)
    assert Agent({CRACKER.name: kept})(CRACKER, Random(1)).choose(CRACKER.start().view(Seat.ONE))
    learned.write(file)
    assert [*tabular.Table.read(file).weights] == [*learned.weights]


@pytest.mark.whole
def test_the_commands_of_self_play_train_and_measure(tmp_path: Path) -> None:
    trained, self_plays = (str(EXAMPLES / "training" / f"{x}.py") for x in ("trained", "self_play"))
    file, cut_off = tmp_path / "agent.npz", tmp_path / "cut-off.npz"
    cut_off.write_bytes(b"PK\x03\x04")
    for unreadable in (file, cut_off):
        assert "First: self_play.py" in refused(trained, str(unreadable))
    done = run(self_plays, str(file), "--decisions", "300", "--only", CRACKER.name)
    assert (done.returncode, done.stderr) == (0, "safe-cracker ...\n")
    assert run(trained, str(file), "--rounds", "2").stdout.startswith("Safe Cracker  ")


def test_a_few_games_teach_nearly_all_and_a_measurement_agrees(learned: tabular.Table) -> None:
    lost = cost(UNTRAINED)
    assert cost(learned) < 0.1 < lost
    measured = measure(UNTRAINED, GAME, rounds=10, seed=1, name="untrained")
    assert tabular.given_away(measured) == pytest.approx(lost, abs=0.1)


@pytest.mark.whole
def test_the_command_trains_a_table_and_its_engine_plays(tmp_path: Path) -> None:
    file, folder = str(tmp_path / "agent.npz"), EXAMPLES / "reinforcement"
    engine = str(folder / "tabular_engine.py")
    assert "First: tabular.py" in refused(engine, file)
    trained = run(str(folder / "tabular.py"), file, "--games", "3", "--rounds", "1")
    assert trained.stdout.startswith("Quantum Duel  ")
    assert "of a win a game" in trained.stdout
    checked = run("-m", "strongroom", "engine", "check", sys.executable, engine, file)
    assert "Nothing is wrong." in checked.stdout, checked.stderr + checked.stdout
