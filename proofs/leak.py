"""Search for leaked secrets in every byte that is sent, logged, counted or stored.

    python proofs/leak.py --pairs 50

Canaries: in a game with long secrets, the secrets, nonces, tokens and seeds are searched for in
every spelling: in everything that the opponent, a spectator and strangers get, in logs and
metrics, and in the parts of the database other than the journal.

Pairs: two games that differ only in one player's secret give the opponent and the spectators the
same frames, byte for byte, until the rules themselves make the answers differ. Ids and digests,
which differ in every game, are compared by length, and times not at all. Half of the pairs are
played without aids: then no frame says what is still possible or what to play.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import httpx
from canaries import Canaries, Tally
from playing import fresh
from serving import PATIENCE, Server, served
from talking import Duel, Talk, duel

from strongroom.contract import Json, Seat
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.match import Match

HIDING: Final = tuple(name for name in GAMES if load(name).secrets_each)
"""The games with secrets."""
LONGEST: Final = 40
"""The most steps compared in a pair of games."""
TRIES: Final = 40
"""How many moves are tried to find one that looks the same in both games."""
TIMES: Final = re.compile(r'"(time|created|at|away_since|left)":(\[[0-9.,]*\]|[0-9.]+)')
DIGESTS: Final = re.compile(r"[0-9a-f]{32,}")


@dataclass(frozen=True)
class Turn:
    """A seat's moves in the two games of a pair: equal, or different if they are hidden."""

    seat: Seat
    moves: tuple[str, str]


def script(name: str, hider: Seat, random: Random) -> list[Turn]:
    """Turns of two games that differ only in what one seat hides from the others."""
    match = Match.start(load(name))
    pair, turns = (match, match), list[Turn]()
    while len(turns) < LONGEST:
        following = next(filter(None, (_next(pair, hider, random) for _ in range(TRIES))), None)
        if following is None:
            break
        turn, pair = following
        turns.append(turn)
    return turns


def _next(
    pair: tuple[Match, Match], hider: Seat, random: Random
) -> tuple[Turn, tuple[Match, Match]] | None:
    one, two = pair
    actor = one.actor
    if not isinstance(actor, Seat) or actor is not two.actor:
        return None
    move = random.choice(one.view(actor).moves)
    hides = actor is hider and one.state.keeper is hider
    other = random.choice(two.view(actor).moves) if hides else move
    if other not in two.view(actor).moves or (hides and other == move):
        return None
    after = one.step(actor, move), two.step(actor, other)
    if any(after[0].view(eye) != after[1].view(eye) for eye in (hider.other, None)):
        return None
    if after[0].outcome is not None:
        return None
    return Turn(actor, (str(move), str(other))), after


class Watched:
    """One game of a pair, and every frame sent to each of its viewers."""

    def __init__(self, server: Server, name: str, hider: Seat, aids: bool = False) -> None:
        self._closing = ExitStack()
        self.duel: Duel = duel(server.address, name, aids=aids)
        self.hider = hider
        seeds = ("1" * 32, "2" * 32)
        self.talks: dict[object, Talk] = {}
        for seat in Seat:
            talk = self.duel.sit(seat.value, words=True, seed=seeds[seat.index])
            self.talks[seat] = self._closing.enter_context(talk)
            talk.hear("welcome")
        for talk in self.talks.values():
            while talk.seen.view is None:
                talk.hear("welcome")
        for words in (True, False):
            talk = self._closing.enter_context(self.duel.watch(words=words))
            talk.hear("welcome")
            self.talks[words] = talk
        self.quiet()
        self._begin = {who: len(talk.texts) for who, talk in self.talks.items()}

    def close(self) -> None:
        """Close the connections."""
        self._closing.close()

    def quiet(self) -> None:
        """Receive everything sent so far."""
        for talk in self.talks.values():
            talk.hear_until_quiet()

    def do(self, turn: Turn, which: int) -> None:
        """Make a move, and let every viewer receive it."""
        talk = self.talks[turn.seat]
        number = talk.move(turn.moves[which])["number"]
        for other in self.talks.values():
            while other.seen.number < number:
                other.hear("entries")

    def refuse(self, seat: Seat, text: str) -> None:
        """Send a move that is refused."""
        talk = self.talks[seat]
        talk.ask(text)
        assert talk.hear("refused", "error", "entries")["type"] == "refused"

    def read(self, seat: Seat, text: str) -> None:
        """Have a move read back without making it."""
        talk = self.talks[seat]
        talk.say("read", id=fresh(), number=talk.seen.number + 1, move=text)
        talk.hear("read")

    def hint(self, seat: Seat) -> None:
        """Ask for a hint."""
        talk, id = self.talks[seat], fresh()
        talk.say("hint", id=id, number=talk.seen.number + 1)
        talk.hear("hint", "error")
        self.quiet()

    def heard(self, who: object) -> list[str]:
        """Every frame sent to a viewer since the game began, with random parts made equal."""
        texts = self.talks[who].texts
        found = [text for text in texts[self._begin[who] :] if '"pong"' not in text]
        whole = [text for text in texts if '"welcome"' in text][-1:]
        return [alike(text) for text in whole + found]

    def aids_sent(self) -> list[str]:
        """Every frame that told a viewer what is still possible, or what to play."""
        texts = [text for talk in self.talks.values() for text in talk.texts]
        return [text for text in texts if is_aid(json.loads(text))]

    def others(self) -> tuple[object, ...]:
        """The viewers from whom the secret is hidden."""
        return (self.hider.other, True, False)


def is_aid(frame: Json) -> bool:
    """Whether a frame tells what is still possible, what to play, or that somebody was told."""
    words = frame.get("words") or {}
    listed = any(words.get(name) for name in ("left", "codes", "count"))
    taken = any("hint" in entry for entry in frame.get("entries", ()))
    return listed or taken or frame["type"] == "hint"


def alike(text: str) -> str:
    """A frame with its times, ids and digests replaced; ids and digests keep their lengths."""
    timed = TIMES.sub(lambda found: f'"{found[1]}":0', text)
    return DIGESTS.sub(lambda found: "f" * len(found[0]), timed)


def compare(server: Server, name: str, hider: Seat, random: Random, tally: Tally) -> None:
    """Play a pair of games, and compare the frames sent to the viewers who may not know."""
    turns = script(name, hider, random)
    extras = [random.random() for _ in turns]
    aids = random.random() < 0.5
    games = [Watched(server, name, hider, aids) for _ in range(2)]
    with ExitStack() as closes:
        for which, game in enumerate(games):
            closes.callback(game.close)
            for turn, extra in zip(turns, extras, strict=True):
                if extra < 0.2:
                    game.refuse(turn.seat, "no such move")
                elif extra < 0.25 and not game.talks[turn.seat].view.setting_up:
                    game.hint(turn.seat)
                elif extra < 0.5:
                    game.read(turn.seat, turn.moves[which])
                game.do(turn, which)
            game.quiet()
        for who in games[0].others():
            one, two = (game.heard(who) for game in games)
            tally.frames += len(one)
            for first, second in zip(one, two, strict=False):
                if first != second:
                    tally.wrong.append(f"{name}, {hider} hides: {first} is not {second}")
                    break
            if len(one) != len(two):
                tally.wrong.append(f"{name}, {hider} hides: {len(one)} frames, not {len(two)}")
        if not aids:
            helped = [text for game in games for text in game.aids_sent()]
            tally.wrong += [f"{name}, without aids: {text}" for text in helped]
        infos = [alike(_get(server, f"/api/games/{game.duel.id}")) for game in games]
        if infos[0] != infos[1]:
            tally.wrong.append(f"{name}, {hider} hides: {infos[0]} is not {infos[1]}")
    tally.steps += len(turns)
    tally.pairs[name] += 1


def _get(server: Server, path: str) -> str:
    return httpx.get(server.address + path, timeout=PATIENCE).text


def leak(folder: Path, pairs: int, seed: int, tally: Tally) -> None:
    """Search for canaries once, and compare `pairs` pairs for each game and seat."""
    database = folder / "canaries.db"
    with served(str(database), folder / "canaries.log", "--fast") as server:
        Canaries(server, database, tally).run()
    with served(str(folder / "games.db"), folder / "log", "--fast") as server:
        for number in range(pairs):
            for name in HIDING:
                for hider in Seat:
                    compare(server, name, hider, Random(f"{seed}-{number}"), tally)
            if sys.stderr.isatty():
                print(f"\r{number + 1}/{pairs} pairs of each ", end="", file=sys.stderr, flush=True)


def main() -> int:
    """Run the proof with the options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--pairs", type=int, default=50, help="number of pairs for each game and seat (50)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the secrets and moves (1)")
    chosen = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        leak(Path(name), chosen.pairs, chosen.seed, tally)
    print(tally)
    for trouble in tally.wrong[:10]:
        print(f"  wrong: {trouble[:2000]}")
    kept = "nobody was sent anything that reveals a secret"
    print(f"FAILED: {len(tally.wrong)} failures" if tally.wrong else f"PASSED: {kept}")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
