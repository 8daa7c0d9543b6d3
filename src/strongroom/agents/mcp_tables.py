"""The games of a server's clients: each plays one seat or watches, and reaches only its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Final, NamedTuple

from strongroom.agents.dialogue import Dialogue
from strongroom.contract import YOU, Game, NotLegal, Refusal, Seat, View, owned
from strongroom.players import called, check, player, stand_in
from strongroom.players.drive import Drive
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.match import Match
from strongroom.referee.randomness import Seed, draws, fresh_token, nonces, stream
from strongroom.referee.record import PERSON, Record, Sitter
from strongroom.theory.hints import advise

EACH: Final = 20
"""How many games one client holds; one more drops the game that it left alone for longest."""
ALL: Final = 1000
"""How many games all clients hold together; one more drops a game of the address with the most."""


class Held(NamedTuple):
    """A game, and who started it."""

    client: str | None
    address: str
    table: Table


class Table:
    """A game: the client plays the seat that has no player, or watches if both have one.

    >>> from strongroom import load
    >>> table = Table(load("quantum-duel"), {Seat.TWO: "master"}, seed=1)
    >>> table.move("4")
    >>> table.text.splitlines()[:2]
    ['You are Player 1, against Master.', '1. You: 4']
    """

    def __init__(self, game: Game, players: Mapping[Seat, str], seed: Seed = None) -> None:
        self.seat = next((seat for seat in Seat if seat not in players), None)
        """The client's seat; None if it watches."""
        plays = {seat: stand_in(name, game) for seat, name in players.items()}
        self.instead = " ".join(dict.fromkeys(told for _, told in plays.values() if told))
        """Which player plays instead of the one named, in a sentence; empty if none does."""
        names = {seat: called(plays[seat][0]) if seat in plays else YOU for seat in Seat}
        if names[Seat.ONE] == names[Seat.TWO]:
            names = {seat: f"{name} {seat.value}" for seat, name in names.items()}
        self.names = names
        """What the players are called."""
        seated = {}
        for seat, (name, _) in plays.items():
            purpose = f"player {seat.value}" if self.seat is None else "opponent"
            seated[seat] = player(name, game, stream(seed, purpose))
            check(seated[seat])
        kinds = {seat: name.partition(":")[0] for seat, (name, _) in plays.items()}
        one, two = (Sitter(names[seat], kinds.get(seat, PERSON)) for seat in Seat)
        match = Match.start(game, (one, two), TURN_LIMIT, draws(seed), nonces(seed))
        self._drive = Drive(match, seated)
        self._in_use = Lock()
        self._is_dropped = False
        self._drive.run(0 if self.seat is None else None)

    @property
    def record(self) -> Record:
        """What was played so far."""
        return self._drive.match.record

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.record.outcome is not None

    @property
    def view(self) -> View:
        """What the client may know now."""
        return self._drive.match.view(self.seat)

    @property
    def text(self) -> str:
        """What the client is told now: what it knows and is asked, what it sees, or the end."""
        view, words, dialogue = self.view, self.record.game.words, self._dialogue
        if self.seat is not None and view.actor is self.seat:
            return dialogue.ask(view)
        if self.seat is not None:
            lines = [*dialogue.known(view)]
        else:
            one, two = self.names.values()
            lines = [f"{one} plays against {two}.", *words.notes(view, self.names)]
        lines += dialogue.board(view)
        if view.outcome is not None:
            ending = words.ending(view.outcome, self.names)
            lines += [*self._revealed(view), f"The game is over: {ending}"]
        elif view.setting_up:
            lines.append(f"Secret choices made so far: {view.number}.")
        return "\n".join(lines)

    def _revealed(self, view: View) -> Iterator[str]:
        """The secrets that the end of a game reveals and its viewer did not know."""
        words = self.record.game.words
        for seat, secrets in zip(Seat, view.secrets or ((), ()), strict=True):
            if secrets and seat is not self.seat:
                told = "; ".join(words.text(each).rstrip(".") for each in secrets)
                yield f"{owned(self.names[seat])} {words.secret_name}: {told}."

    @property
    def _dialogue(self) -> Dialogue:
        other = "" if self.seat is None else self.names[self.seat.other]
        return Dialogue(self.record.game, opponent=other)

    @contextmanager
    def alone(self) -> Iterator[Table]:
        """The game for one request; a refusal while another one is not answered yet."""
        if not self._in_use.acquire(blocking=False):
            told = "Another request for this game is not answered yet."
            raise Refusal(told, "Wait for its answer, then try again.")
        try:
            yield self
        finally:
            self._in_use.release()
            if self._is_dropped:
                self._abandon()

    def drop(self) -> None:
        """Leave the game, once a request for it that is in progress has been answered."""
        self._is_dropped = True
        self._abandon()

    def _abandon(self) -> None:
        if self._in_use.acquire(blocking=False):
            try:
                self._drive.abandon()
            finally:
                self._in_use.release()

    def move(self, line: str) -> None:
        """Make the client's move, and let chance and the opponent go on; or a refusal."""
        seat, view, words = self._to_move(), self.view, self.record.game.words
        try:
            self._drive.play(seat, words.parse(line, view))
        except Refusal as refusal:
            raise words.refused(refusal, view) from None
        self._drive.run()

    def resign(self) -> None:
        """End the game as the client's loss."""
        self._drive.resign(self._to_move())

    def hint(self) -> str:
        """The best moves and why; the record says that the client asked."""
        seat = self._to_move()
        told = "\n".join(advise(self.view).sentences(self.record.game.words))
        self._drive.hinted(seat)
        return told

    def watch(self, moves: int) -> None:
        """Let the players that the client watches make so many moves."""
        if self.seat is not None:
            raise Refusal("You play this game.", "Make your moves with the tool move.")
        if not self.over:
            self._drive.run(moves)

    def _to_move(self) -> Seat:
        """The client's seat, whose turn it is; or a refusal."""
        if self.seat is None:
            raise Refusal("You watch this game.", "Use the tool watch to see it go on.")
        if not self.over:
            self._drive.run()  # an opponent that stopped in the middle of its turn is asked again
        if self.over:
            raise NotLegal("The game is over.", "Use the tool review, or start another game.")
        return self.seat


class Tables:
    """All games of all clients, each under an id that nobody can guess."""

    def __init__(self, each: int = EACH, in_all: int = ALL) -> None:
        self._each, self._in_all = each, in_all
        self._held: dict[str, Held] = {}  # least recently used first
        self._changing = Lock()

    def add(self, client: str | None, table: Table, address: str = "") -> tuple[str, str]:
        """Hold a game for a client; its id, and a sentence if another game was dropped for it.

        None stands for all clients without a session, who are told apart by what ids they know.
        Sessions cost nothing, so one address with many of them pushes out its own games first.
        """
        number, dropped, without = fresh_token(), "", None
        with self._changing:
            own = [each for each, held in self._held.items() if held.client == client]
            if client is not None and len(own) >= self._each:
                without = self._held.pop(own[0])
                dropped = f"Game {own[0]} was dropped: you can have {self._each} at a time."
            elif len(self._held) >= self._in_all:
                counts = Counter(held.address for held in self._held.values())
                most = max(counts.values())
                oldest = next(k for k, v in self._held.items() if counts[v.address] == most)
                without = self._held.pop(oldest)
            self._held[number] = Held(client, address, table)
        if without is not None:
            without.table.drop()
        return number, dropped

    def find(self, client: str | None, number: str) -> Table:
        """The game of this client with this id; or a refusal, which tells nothing of others."""
        with self._changing:
            held = self._held.get(number)
            if held is None or held.client != client:
                raise Refusal(
                    "You have no game with this id; it may have been dropped for newer ones.",
                    "Use the id that start_game gave you, or start another game.",
                )
            self._held[number] = self._held.pop(number)
            return held.table

    def of(self, client: str) -> dict[str, Table]:
        """The games of a client by their ids, the most recently used last."""
        with self._changing:
            return {each: held.table for each, held in self._held.items() if held.client == client}
