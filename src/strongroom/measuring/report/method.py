"""How a player was measured, how to check it and how to cite it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from strongroom.measuring.figures import Figures
from strongroom.measuring.report.parts import listed, section, table
from strongroom.referee.randomness import describe_seed


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
                describe_seed(each.seed, each.seed_known).removeprefix("seed "),
                ", ".join(f"{name} {version}" for name, version in each.versions.items()),
            )
            for each in players
        ),
        "The protocol",
    )
    spent = table(
        (
            *("game", "player", "games", "luck (z)", "forfeits", "illegal", "seconds", "tokens"),
            *("cost ($)", "V is"),
        ),
        (
            (
                game.title,
                each.player,
                f"{game.games:,}",
                "–" if game.luck_z is None else f"{game.luck_z:.1f}".replace("-", "−"),
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
        "<p>Luck (z) is the luck that was taken out, as a multiple of its standard error: 4 and "
        "more is hardly luck. A player who knows the seed can know what is hidden, so a seed that "
        "is drawn once the player is named is worth more than one that was known beforehand.</p>"
    )
    check = (
        "<p>To replay every game and recompute every figure: "
        "<code>strongroom measure --check FILE</code>, with the JSON file of this report. How long "
        "moves took, on which versions of Python and numpy, and when the seed was drawn cannot be "
        "checked.</p>"
    )
    return section("How it was measured", f"{reading}{protocol}{spent}{check}{_citation(first)}")


def warnings(players: Sequence[Figures]) -> str:
    """What to suspect of games that had too much luck; empty if nothing."""
    told = [escape(sentence) for each in players for sentence in each.warnings]
    return section("Too much luck", "".join(f"<p>{each}</p>" for each in told)) if told else ""


def _citation(each: Figures) -> str:
    version = each.versions["strongroom"]
    titles = listed([game.title for game in each.results.values()])
    return (
        f'<p class="cite">Cite as: {escape(each.player)} against {escape(each.against)} at '
        f"{escape(titles)}; {each.rounds:,} rounds in seats {escape(each.seats)}, "
        f"{describe_seed(each.seed, each.seed_known)}; the exact measure, strongroom "
        f"{escape(version)}.</p>"
    )
