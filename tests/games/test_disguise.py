"""A second set of words over the rules of Quantum Duel: other nouns and symbols, the same game."""

from __future__ import annotations

from random import Random

from strongroom.contract import (
    NAMES,
    Answer,
    Event,
    Move,
    Names,
    NotLegal,
    NotUnderstood,
    Outcome,
    Question,
    Refusal,
    Seat,
    View,
    Words,
    shown,
)
from strongroom.games.quantum_duel.rules import (
    CLEARED,
    FAILS,
    OBSERVATIONS,
    OPEN,
    Coin,
    Observe,
    QuantumDuel,
    QuantumDuelRule,
    Reply,
    unobserved,
)
from strongroom.players.drive import Drive
from strongroom.players.scripted import ScriptedPlayer
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.record import Record
from strongroom.testing.conformance import check_game
from strongroom.testing.playouts import playout

LAMPS = "abcdefg"
LIGHTS = {Seat.ONE: "sun", Seat.TWO: "moon", None: "dark"}
FATES: dict[Answer, str] = {
    FAILS: "goes out again",
    CLEARED: "burns, and a wind blows all of them out",
}


class LampWords(Words[QuantumDuel]):
    """Words about seven lamps on a wall, lit as suns and moons; a gust may blow one out."""

    title = "Seven Lamps"

    def text(self, move: Move) -> str:
        if isinstance(move, Observe):
            return LAMPS[move.cell - 1]
        if isinstance(move, Reply):
            return "blow" if move.challenge else "leave"
        assert isinstance(move, Coin)
        return "calm" if move.heads else "gust"

    def question(self, view: View, names: Names = NAMES) -> Question:
        assert isinstance(view.actor, Seat)
        name = names[view.actor]
        if view.history and view.history[-1].answer is OPEN:
            return Question(f"{name}, blow at it or leave it? ", "Say blow or leave.")
        dark = ", ".join(map(self.text, unobserved(view.board)))
        return Question(f"{name}, light a lamp: ", f"Dark are {dark}.", f"A {LIGHTS[view.actor]}:")

    def understand(self, text: str, view: View) -> Move:
        word = text.lower()
        for move in self.game.actions:
            if not isinstance(move, Coin) and self.text(move) == word:
                return move
        raise NotUnderstood(f"{shown(text)} is no lamp.", self.question(view).accepted)

    def welcome(self, view: View) -> str:
        return f"Seven lamps are dark.\n{self.picture(view)}"

    def announce(self, view: View, names: Names = NAMES) -> str:
        return f"{self.notes(view, names)[-1]}\n{self.picture(view)}"

    def picture(self, view: View) -> str:
        lit = zip(LAMPS, view.board, strict=True)
        return " ".join(f"{lamp}:{LIGHTS[seat]}" for lamp, seat in lit)

    def note(self, event: Event) -> str:
        said = self.text(event.move)
        return said if event.answer is OPEN else f"{said}, it {FATES.get(event.answer, 'burns')}"

    def notes(self, view: View, names: Names = NAMES) -> list[str]:
        def who(event: Event) -> str:
            return names[event.actor] if isinstance(event.actor, Seat) else "The wind"

        return [f"{who(event)}: {self.note(event)}" for event in view.history]

    def won(self, outcome: Outcome) -> str:
        return "lit four lamps in a row"

    def refused(self, refusal: Refusal, view: View) -> Refusal:
        lit = isinstance(refusal, NotLegal) and refusal.rule is QuantumDuelRule.UNOBSERVED_CELL
        reason = "That lamp is lit already." if lit else "That cannot be done now."
        return NotLegal(reason, self.question(view).accepted)


DISGUISED = QuantumDuel().in_words(LampWords)


def test_the_game_in_disguise_is_the_same_game_and_passes_the_same_checks() -> None:
    plain = load("quantum-duel")
    assert plain == DISGUISED
    assert hash(plain) == hash(DISGUISED)
    for seed in range(5):
        assert playout(DISGUISED, Random(seed)) == playout(plain, Random(seed))
    check_game(DISGUISED, seed=0)


def test_no_sentence_gives_the_disguise_away() -> None:
    said = []
    for state in playout(DISGUISED, Random(2)).states:
        for viewer in (Seat.ONE, Seat.TWO, None):
            view = state.view(viewer)
            told = DISGUISED.words.tell(view)
            said += [DISGUISED.words.page(view), str(told["notes"]), told["announcement"]]
            said += [told["prompt"], told["accepted"], told["heading"], told["ending"]]
            if isinstance(state.actor, Seat) and viewer is state.actor:
                for move in (*OBSERVATIONS, Reply(True)):
                    try:
                        state.play(move)
                    except Refusal as refusal:
                        said.append(str(DISGUISED.words.refused(refusal, view)))
    words = " ".join(said).lower()
    assert "lamp" in words
    assert "that lamp is lit already" in words
    for giveaway in ("cell", "observ", "challenge", "coin", "heads", "tails", "quantum", "chain"):
        assert giveaway not in words


def test_a_match_in_disguise_is_recorded_like_any_other() -> None:
    players = {
        Seat.ONE: ScriptedPlayer(DISGUISED, ["c", "D"]),
        Seat.TWO: ScriptedPlayer(DISGUISED, ["g", "leave", "a"]),
    }
    record = Drive(Match.start(DISGUISED), players).run().record
    assert [str(step.move) for step in record.steps] == ["3", "7", "4", "no", "1"]
    assert Record.loads(record.dumps()) == record
