"""What a table makes of a server's messages, without a server: sentences, clocks and questions."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from strongroom.contract import Json, NotLegal, Seat
from strongroom.remote.clock import RemoteClock
from strongroom.remote.connection import BACK, GONE, LOST, RemoteConnection
from strongroom.terminal.table.remote_inbox import FormerGame, Interrupted, RemoteInbox
from tests.remote.test_seat import info_of, told, welcomed

AWAY = "Bob is away. After 120 seconds you may type claim to win the game."


class Inbox(RemoteInbox):
    """The inbox of Ada, who plays Bob, and hears what the test lets the server send."""

    def __init__(self, number: int = 3, former: FormerGame | None = None) -> None:
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
        inbox.heard()


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
    _, _, refusal = inbox.taken()
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
    former = FormerGame(before.place, before.connection, "Bob")
    assert former.asked == "Bob is asked for a rematch."
    left = "Bob has left, and may not answer. You can quit; your place is kept."
    before.connection._put(before.game(bob_leaves))
    assert Inbox(former=former).take() == [left]
    assert former.asked == f"Bob is asked for a rematch. {left}"
    before.connection._put(before.game(lambda info: None))
    assert former.take() == ["Bob is back."]
