"""A real server with its own database, which can be killed, terminated and restarted."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from secrets import token_hex
from typing import Any

import httpx
from serving import SAME_LUCK
from starting import PATIENCE, STRONGROOM, Piped, Port, surroundings


class House:
    """A server in a subprocess."""

    def __init__(self, folder: Path, *more: str, packages: Path | None = None) -> None:
        """`packages`: a folder with further packages for the server."""
        self.folder = folder
        self._port = Port()
        self.address = f"{self._port.address}/"
        self._more = more
        self._packages = packages
        self._process: Piped | None = None

    def opens(self) -> House:
        """Start it, at the same address each time."""
        kept, log = str(self.folder / "games.db"), self.folder / "log"
        command = [*STRONGROOM, "serve", "--port", str(self._port.number), "--fast", "--no-limits"]
        environment = surroundings()
        if self._packages is not None:
            paths = (str(self._packages), environment.get("PYTHONPATH", ""))
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        command += ["--database", kept, *self._more]
        self._process = Piped(command, log=log, environment=environment, prepare=SAME_LUCK)
        said = self._process.stdout.readline()
        assert self.address in said, f"{said}{log.read_text()}"
        return self

    def _ends(self, by: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(by)
            with self._process:
                self._process.wait(PATIENCE)
            self._process = None

    def is_killed(self) -> None:
        """End it as a power cut does."""
        self._ends(signal.SIGKILL)

    def closes(self) -> None:
        """End it as an administrator does."""
        self._ends(signal.SIGTERM)

    def asked(self, path: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
        """Send a request without a browser, and return the server's answer."""
        method = "GET" if body is None else "POST"
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        address = self.address.rstrip("/") + path
        told = httpx.request(method, address, json=body, headers=headers, timeout=PATIENCE)
        told.raise_for_status()
        return told.json() if told.text.startswith("{") else told.text

    def arranges(self, game: str, opponent: str = "", **wishes: Any) -> tuple[str, ...]:
        """Create a game without a browser, and return the links to its seats in order."""
        seats = [token_hex(16)] if opponent else [token_hex(16), token_hex(16)]
        invitation = {} if opponent else {"invitation": token_hex(16)}
        form = {"game": game, "opponent": opponent or "link", "seat": "1", "name": "Ada"}
        form |= {"token": seats[0], **invitation, **wishes}
        made = self.asked("/api/games", form)["game"]["id"]
        if not opponent:
            body = {"name": "Bob", "token": seats[1], **invitation}
            self.asked(f"/api/games/{made}/join", body)
        return tuple(f"{self.address}#play/{made}/{token}" for token in seats)
