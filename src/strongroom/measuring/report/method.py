"""How a player was measured, how to check it and how to cite it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from strongroom.measuring.figures import Figures
from strongroom.measuring.report.parts import listed, section, table


def method(players: Sequence[Figures]) -> str:
    """The protocol, what was spent, and what the figures mean."""
    first = players[0]
    protocol = table(
        ("player", "opponent", "rounds", "seats", "turn limit", "seed", "versions"),
        (
            (
                each.player,
                each.against,
                f"{each.rounds:,}",
                each.seats,
                str(each.turn_limit),
                str(each.seed),
                ", ".join(f"{name} {version}" for name, version in each.versions.items()),
            )
            for each in players
        ),
        "The protocol",
    )
    spent = table(
        ("game", "player", "games", "forfeits", "illegal", "seconds", "tokens", "cost ($)", "V is"),
        (
            (
                game.title,
                each.player,
                f"{game.games:,}",
                f"{game.forfeits:,}",
                f"{game.illegal:,}",
                "–" if game.seconds is None else f"{game.seconds:,.1f}",
                "–" if game.tokens is None else f"{game.tokens:,}",
                "–" if game.money is None else f"{game.money:,.2f}",
                game.baseline or "–",
            )
            for each in players
            for game in each.results.values()
        ),
        "What was played and spent",
    )
    reading = (
        "<p>Everything in a game but the player's moves follows from the seed. The opponent's "
        "exact mixtures are known, so each result is V before the first move, minus what the "
        "player's decisions cost, plus luck, whose mean is zero whoever plays; the score is the "
        "result with luck taken out. A point is a hundredth of a won game. Where V is what a best "
        "response wins, no decision can cost less than nothing; with another V it can.</p>"
    )
    check = (
        "<p>To replay every game and recompute every figure: "
        "<code>strongroom measure --check FILE</code>, with the JSON file of this report.</p>"
    )
    return section("How it was measured", f"{reading}{protocol}{spent}{check}{_citation(first)}")


def _citation(each: Figures) -> str:
    version = each.versions["strongroom"]
    titles = listed([game.title for game in each.results.values()])
    return (
        f'<p class="cite">Cite as: {escape(each.player)} against {escape(each.against)} at '
        f"{escape(titles)}; {each.rounds:,} rounds in seats {escape(each.seats)}, seed "
        f"{each.seed}; the exact measure, strongroom {escape(version)}.</p>"
    )
