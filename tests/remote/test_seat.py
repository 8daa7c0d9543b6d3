"""A remote seat folds frames into the referee's view; what a table's inbox makes of others."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from itertools import product
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Json, NotLegal, Refusal, Seat, View
from strongroom.plugins.registry import GAMES
from strongroom.referee.fairness import check, holds
from strongroom.referee.record import Record
from strongroom.remote.connection import BACK, GONE, LOST, RemoteConnection
from strongroom.remote.seat import GameInfo, Gap, RemoteClock, RemoteSeat, public
from strongroom.server.store import Deal, StoredGame, StoredRequest, StoredSeat, game_info
from strongroom.server.table import HostedGame, Proposal
from strongroom.terminal.table.remote import Interrupted, RemoteInbox
from tests.network_games import played
from tests.tries import JSON, tries

VIEWERS = (Seat.ONE, Seat.TWO, None)
AWAY = "Bob is away. After 120 seconds you may type claim to win the game."
games = pytest.mark.parametrize("name", GAMES)


def stored_of(record: Record) -> StoredGame:
    """The game of a record as a server stores it before the first move."""
    coins = record.coins
    assert coins is not None
    assert coins.seed is not None
    one, two = (
        StoredSeat(seat, sitter.name, sitter.player, token="t", seed=seed)
        for seat, sitter, seed in zip(Seat, record.sitters, coins.seeds, strict=True)
    )
    return StoredGame(record.id, Deal(record.game), coins.seed, 1.0, (one, two), started=1.0)


def info_of(record: Record) -> Json:
    return {**game_info(stored_of(record)), "claim_after": 120}


class Telling:
    """The frames that the table of a server has for one viewer of a finished record."""

    def __init__(self, record: Record, viewer: Seat | None) -> None:
        self.record, self.viewer = record, viewer
        table = HostedGame(stored_of(record))
        self.matches = [table.playing]
        for entry in record.entries:
            table.follow_entry(entry)
            self.matches.append(table.playing)

    def view(self, number: int) -> View:
        return self.matches[number].view(self.viewer)

    def _at(self, number: int) -> HostedGame:
        table = HostedGame(stored_of(self.record))
        table.advance(Proposal(self.matches[number], StoredRequest(1, number, None, ""), []))
        return table

    def welcome(self, number: int = 0) -> Json:
        told = self._at(number).welcome((self.viewer, False), info_of(self.record), 1.0)
        return cast("Json", json.loads(json.dumps(told)))

    def entries(self, have: int, upto: int) -> Json:
        told = self._at(upto).since(have, (self.viewer, False), 1.0)
        return cast("Json", json.loads(json.dumps(told)))


@cache
def told(name: str, seed: int, viewer: Seat | None) -> Telling:
    """Play a game for a viewer; cached, because playing takes time."""
    return Telling(played(name, seed), viewer)


def welcomed(telling: Telling, number: int = 0) -> RemoteSeat:
    seat = RemoteSeat(GameInfo.from_json(info_of(telling.record)))
    seat.welcome(telling.welcome(number))
    return seat


@games
@pytest.mark.parametrize("viewer", VIEWERS)
def test_entries_folded_one_by_one_give_the_referees_view(name: str, viewer: Seat | None) -> None:
    telling = told(name, 1, viewer)
    seat = welcomed(telling)
    for number in range(1, len(telling.matches)):
        before = len(telling.view(number - 1).history)
        news = seat.entries(telling.entries(number - 1, number))
        assert seat.view == telling.view(number)
        happened = len(telling.view(number).history) - before
        assert [*news.moments] == [public(telling.view(number))] * happened
    assert seat.is_over
    assert holds(check(telling.record, seat.evidence))
    assert not holds(check(played(name, 2), seat.evidence)), "what was seen matches no other record"


@games
@tries(0.1)
@given(st.integers(0, 3), st.sampled_from(VIEWERS), st.integers(0, 10**6).map(Random))
def test_overlapping_and_repeated_frames_give_the_same_view(
    name: str, seed: int, viewer: Seat | None, chance: Random
) -> None:
    telling = told(name, seed, viewer)
    seat, last = welcomed(telling), len(telling.matches) - 1
    count = 0
    while seat.number < last:
        upto = chance.randint(max(0, seat.number - 1), min(last, seat.number + 9))
        have = chance.randint(max(0, seat.number - 3), seat.number)
        upto = max(have, upto)
        news = seat.entries(telling.entries(have, upto))
        count += len(news.moments) + news.missed
        assert seat.view == telling.view(seat.number)
    assert count == len(telling.view(last).history), "each event is told once"


def test_every_moment_is_told_in_frames_of_any_size_where_nothing_is_hidden() -> None:
    for viewer, piece in product((Seat.TWO, None), (2, 3, 5, 1000)):
        telling = told("quantum-duel", 1, viewer)
        seat, last = welcomed(telling), len(telling.matches) - 1
        moments: list[View] = []
        for have in range(0, last, piece):
            news = seat.entries(telling.entries(have, min(have + piece, last)))
            assert news.missed == 0
            moments += news.moments
        boards = [telling.view(number).board for number in range(1, last)]  # then comes the end
        assert [view.board for view in moments] == boards


def test_a_gap_is_noticed_and_a_full_welcome_counts_what_was_missed() -> None:
    telling = told("digit-deductions", 1, Seat.ONE)
    seat = welcomed(telling, 2)
    with pytest.raises(Gap):
        seat.entries(telling.entries(3, 4))
    assert (seat.number, seat.view) == (2, telling.view(2))
    other = telling.welcome(5)
    other["game"]["coins"]["hash"] = "0" * 64
    news = seat.welcome(other)
    assert (news.missed, len(news.moments)) == (2, 1)
    assert seat.view == telling.view(5)
    assert seat.evidence.hash != "0" * 64, "a published hash cannot change later"
    for number in range(6, len(telling.matches) - 1):
        assert seat.view is not None
        before = seat.view.history
        seat.entries(telling.entries(number - 1, number))
        assert seat.view.history._link[0] is before._link, "it is extended without copying it"


@given(st.data())
def test_a_frame_with_arbitrary_content_is_accepted_or_refused(data: st.DataObject) -> None:
    telling = told("safe-code", 1, Seat.ONE)
    seat = welcomed(telling, 3)
    frame = data.draw(st.sampled_from([telling.welcome(5), telling.entries(3, 5)]))
    place: Any = frame
    while isinstance(place, dict | list) and place:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if data.draw(st.booleans()) or not isinstance(place[key], dict | list):
            place[key] = data.draw(JSON)
            break
        place = place[key]
    try:
        seat.welcome(frame) if frame["type"] == "welcome" else seat.entries(frame)
    except (Refusal, Gap):
        pass
    except (KeyError, TypeError):
        assert frame.get("type") not in ("welcome", "entries")


class Inbox(RemoteInbox):
    """The inbox of Ada, who plays Bob, and hears what the test lets the server send."""

    def __init__(self, number: int = 3, former: RemoteInbox | None = None) -> None:
        self.telling = told("digit-deductions", 1, Seat.ONE)
        place = welcomed(self.telling, number)
        super().__init__(place, RemoteConnection("ws://localhost", dict), former)

    @property
    def unanswered(self) -> Json | None:
        """The request that the server has not answered; mypy knows only who asked."""
        return self.request

    def hears(self, **frame: Any) -> list[str]:
        self.connection._put(frame)
        return self.take()

    def game(self, change: Callable[[Json], None]) -> Json:
        """The frame that tells of a change of the game."""
        info = deepcopy(info_of(self.telling.record))
        change(info)
        return {"type": "game", "game": info}


def bob_leaves(info: Json) -> None:
    info["seats"][1]["here"] = False


def test_a_player_is_told_when_the_other_leaves_and_returns() -> None:
    inbox = Inbox()
    assert inbox.hears(**inbox.game(bob_leaves)) == [AWAY]
    assert inbox.hears(**inbox.game(bob_leaves)) == []
    assert inbox.hears(**inbox.game(lambda info: None)) == ["Bob is back."]
    assert inbox.hears(**inbox.game(lambda info: info["seats"][0].update(here=False))) == []
    inbox.place.seat = None
    assert inbox.hears(**inbox.game(bob_leaves)) == ["Ada is back.\nBob is away."]


def test_what_the_other_says_is_told_in_one_line() -> None:
    inbox = Inbox()
    assert inbox.hears(type="phrase", seat=2, text="Good one") == ["Bob: Good one"]
    assert inbox.hears(type="phrase", seat=1, text="Good one") == []
    assert inbox.hears(type="phrase", seat="2", text="x") == []


def test_a_lost_connection_is_told_once_and_stops_the_clocks() -> None:
    inbox = Inbox()
    inbox.place.clock = RemoteClock((300.0, 65.0), Seat.ONE)
    lost = "Connection lost. Nothing is lost; reconnecting …"
    assert inbox.hears(type=LOST, why="") == [lost]
    assert inbox.place.clock.running is None
    assert inbox.hears(type=LOST, why="") == []
    assert inbox.hears(type=BACK) == ["Reconnected."]
    assert inbox.hears(type=BACK) == []
    restarts = "The server is restarting. Nothing is lost; you will be reconnected …"
    assert inbox.hears(type="closing", why="restart") == [restarts]
    assert inbox.hears(type="closing", why="") == []


@pytest.mark.parametrize(
    ("code", "why", "kept"),
    [
        (4001, "Another terminal or page has taken over this seat.", True),
        (4003, "The server does not know this seat: the link is wrong.", True),
        (4004, "This game no longer exists on the server.", False),
        (4005, "This game was taken back before it began.", False),
    ],
)
def test_a_seat_that_is_gone_says_why(code: int, why: str, kept: bool) -> None:
    inbox = Inbox()
    inbox.hears(type=GONE, code=code)
    assert (inbox.gone, inbox.is_kept, inbox.is_obsolete) == (why, kept, True)
    with pytest.raises(Interrupted):
        inbox.hear()


def test_a_frame_that_does_not_fit_ends_the_game_here_and_a_gap_does_not() -> None:
    inbox = Inbox()
    inbox.hears(**inbox.telling.entries(4, 5))
    assert (inbox.place.number, inbox.gone) == (3, None)
    inbox.hears(type="welcome", protocol=-1)
    assert inbox.gone


def test_a_refused_move_is_asked_for_again_with_the_servers_words() -> None:
    inbox = Inbox()
    request = inbox.ask({"type": "move", "move": "5-5"})
    assert request["number"] == inbox.place.number + 1
    refused = {"type": "refused", "kind": "NotLegal", "reason": "No\x1b[2J.", "accepted": "Else."}
    assert inbox.hears(**refused, id="another") == []
    assert inbox.request is request
    inbox.hears(**refused, id=request["id"])
    _, _, refusal = inbox.take_news()
    assert isinstance(refusal, NotLegal)
    assert str(refusal) == "No?[2J. Else."
    assert inbox.refused
    assert inbox.unanswered is None


def test_an_error_answers_its_request_and_a_stale_move_needs_no_words() -> None:
    inbox = Inbox()
    trouble = {"type": "error", "text": "The other player is here.\x07"}
    assert inbox.hears(**trouble, code="slow-down") == ["The other player is here.?"]
    assert inbox.hears(**trouble, code="any", id="another") == []
    claim = inbox.ask({"type": "claim"})
    assert inbox.hears(**trouble, code="slow-down", id=claim["id"]) == []
    assert inbox.request is claim, "it is sent again"
    assert inbox.hears(**trouble, code="not-yet", id=claim["id"]) == []
    assert (inbox.answer, inbox.unanswered) == ("The other player is here.?", None)
    for code, says, refused in (
        ("stale", [], False),
        ("any", ["The other player is here.?"], True),
    ):
        move = inbox.ask({"type": "move", "move": "5-5"})
        assert inbox.hears(**trouble, code=code, id=move["id"]) == says
        assert (inbox.unanswered, inbox.refused, inbox.changed) == (None, refused, True)


def test_a_hint_is_the_answer_and_only_the_others_hints_are_told() -> None:
    inbox = Inbox()
    hint = inbox.ask({"type": "hint"})
    inbox.hears(type="hint", id="another", text="5-5")
    assert inbox.request is hint
    inbox.hears(type="hint", id=hint["id"], text="Play 5-5.\x1b[2J")
    assert (inbox.unanswered, inbox.answer) == (None, "Play 5-5.?[2J")
    for seat, says in ((1, []), (2, ["Bob took a hint."])):
        entry = {"hint": seat, "time": 0.0}
        frame = {**inbox.telling.entries(3, 3), "number": inbox.place.number + 1}
        assert inbox.hears(**{**frame, "entries": [entry]}) == says


def test_a_rematch_is_announced_when_the_game_is_over() -> None:
    inbox = Inbox(len(told("digit-deductions", 1, Seat.ONE).matches) - 1)
    assert inbox.place.is_over
    asked = inbox.game(lambda info: info.update(rematch="ab" * 16))
    assert inbox.hears(**asked) == ["Bob wants a rematch."]
    assert inbox.hears(**asked) == [], "once"
    assert inbox.hears(**inbox.game(bob_leaves)) == []


def test_whoever_asked_for_a_rematch_is_told_whether_the_other_is_still_there() -> None:
    before = Inbox()
    again = Inbox(former=before)
    assert before.rematch_text == "Bob is asked for a rematch."
    left = "Bob has left, and may not answer. You can quit; your place is kept."
    before.connection._put(before.game(bob_leaves))
    assert again.take() == [left]
    assert before.rematch_text == f"Bob is asked for a rematch. {left}"
    before.connection._put(before.game(lambda info: None))
    assert again.take() == ["Bob is back."]
