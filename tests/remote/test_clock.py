"""The clocks of a game on a server, as a terminal shows them."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.remote.conftest import Serving, SomebodySits


def test_the_clocks_stand_still_while_the_connection_is_lost(
    serving: Serving, somebody: SomebodySits
) -> None:
    host = ("host", "quantum-duel", "--server", serving.url, "--vs", "random", "--name", "Ada")
    ada = somebody("ada", *host, "--clock", "5+3")
    ada.shows(r"You +X +\d:\d\d")
    serving.stop()
    ada.shows("Connection lost. Nothing is lost")
    stands, since = re.search(r"X +\d:\d\d", ada.shown), time.monotonic()
    assert stands
    while time.monotonic() < since + 2.5:  # a running clock would differ by then
        ada.presses("7")
        ada.shows("observe: 7")
        assert stands[0] in ada.shown
        ada.presses("\x7f")
        ada.shows("observe: *$|observe: *\n")
    serving.start()
    ada.shows("Reconnected|back")
    ada.until(lambda: stands[0] not in ada.shown, "the server's time")
