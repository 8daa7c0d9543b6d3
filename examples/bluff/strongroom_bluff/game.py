"""Bluff: claim a card, your own or another; the opponent believes you or doubts you."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

from strongroom import contract
from strongroom.contract import CHANCE, NAMES, Move, Names, Outcome, Phase, Question, Seat, View


@dataclass(frozen=True, slots=True)
class Token(Move):
    """A card, dealt or claimed, written `3`; or a reply, written `believe` or `doubt`."""

    text: str

    def __str__(self) -> str:
        return self.text


CARDS = tuple(map(Token, "12345"))
BELIEVE, DOUBT = REPLIES = (Token("believe"), Token("doubt"))


class BluffReason(contract.Reason):
    """Whoever judges a claim rightly wins; if it is judged wrongly, whoever made it."""

    FOOLED = "fooled"
    SEEN_THROUGH = "seen through"


class Bluff(contract.Game):
    """Claim one of five cards, and make the other judge it wrongly."""

    name = "bluff"
    reasons = BluffReason
    secrets_each, most_turns = 1, 2  # a card each; a claim and a reply

    def start(self) -> BluffState:
        """Before the deal."""
        return BluffState.first(self, None, CHANCE)

    @cached_property
    def actions(self) -> contract.Actions:
        """The replies; then the cards, dealt in the set-up and claimed in a turn."""
        cards = contract.Block(CARDS, Phase.SET_UP | Phase.CHANCE | Phase.TURN)
        return contract.Actions(contract.Block(REPLIES, Phase.TURN), cards)


class BluffState(contract.State[Bluff, None, Move]):
    """A card for each player, a claim and a reply; there is no board."""

    __slots__ = ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """Chance deals a card that is left, Seat.ONE claims any, Seat.TWO replies."""
        if self.actor is CHANCE:
            return tuple(card for card in CARDS if card not in self.secrets[0])
        return {Seat.ONE: CARDS, Seat.TWO: REPLIES, None: ()}[self.actor]

    @property
    def odds(self) -> tuple[float, ...]:
        """Every card that is left is as likely as any other."""
        return (1 / len(self.moves),) * len(self.moves) if self.actor is CHANCE else super().odds

    @property
    def private(self) -> bool:
        """The question shows the actor's card, so it is asked out of the other's sight."""
        return True

    def play(self, move: Move) -> Self:
        """A card is dealt, a card is claimed, or a reply ends the game."""
        if move not in self.moves:
            raise contract.NotLegal(f"{move} cannot be played now.", "First a claim, then a reply.")
        if self.actor is CHANCE:
            return self.keep(move)
        if self.actor is Seat.ONE:
            return self.after(contract.Event(Seat.ONE, move), None, Seat.TWO)
        right = BELIEVE if self.log[0].move == self.secrets[0][0] else DOUBT
        winner = Seat.TWO if move == right else Seat.ONE
        reason = BluffReason.SEEN_THROUGH if move == right else BluffReason.FOOLED
        return self.after(contract.Event(Seat.TWO, move), None, None, Outcome(winner, reason))


class BluffWords(contract.Words[Bluff]):
    """What is said at the table of Bluff."""

    title = "Bluff"

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a claim or a reply, with the card of the player who is asked."""
        own = f"Your card: {view.secret[0]}" if view.seat is view.actor else ""
        if view.actor is Seat.ONE:
            return Question("Claim a card (1 to 5): ", "Type a card, like 3.", own)
        return Question("Believe or doubt? ", "Type believe or doubt (b or d).", own)

    def understand(self, text: str, view: View) -> Move:
        """A card, or a reply or its beginning."""
        for move in self.game.actions:
            if text and str(move).startswith(text.lower()):
                return move
        raise contract.NotUnderstood(f"Not {contract.quote(text)}.", self.question(view).accepted)

    def announce(self, view: View, names: Names = NAMES) -> str:
        """The claim or the reply."""
        return self.narrate(view, names)

    def win_text(self, outcome: Outcome) -> str:
        """Why it was won: by whoever fooled the other, or by whoever was not fooled."""
        return "fooled the other" if outcome.reason is BluffReason.FOOLED else "was not fooled"


Bluff.words_type = BluffWords
