"""How a player is referred to: by name, or as "you" if that is the name."""

from __future__ import annotations

from typing import Final

YOU: Final = "You"
"""The name of a person who plays alone at a keyboard and gave no name."""


def owned(name: str) -> str:
    """The possessive form of a name, before a noun.

    >>> owned("Ada"), owned("You")
    ("Ada's", 'Your')
    """
    return "Your" if name == YOU else f"{name}'s"


def owner(name: str) -> str:
    """The possessive form of a name, without a noun after it.

    >>> owner("Ada"), owner("You")
    ("Ada's", 'yours')
    """
    return "yours" if name == YOU else f"{name}'s"


def whom(name: str) -> str:
    """The name within a sentence, not at its start.

    >>> whom("Ada"), whom("You")
    ('Ada', 'you')
    """
    return "you" if name == YOU else name


def does(name: str, does: str, do: str) -> str:
    """The name with the matching verb form.

    >>> does("Ada", "wins", "win"), does("You", "wins", "win")
    ('Ada wins', 'You win')
    """
    return f"{name} {do if name == YOU else does}"


def spoken_to(name: str, words: str) -> str:
    """Words addressed to a player, with the name in front.

    >>> spoken_to("Ada", "choose a cell"), spoken_to("You", "choose a cell")
    ('Ada, choose a cell', 'Choose a cell')
    """
    return words[:1].upper() + words[1:] if name == YOU else f"{name}, {words}"


def counted(name: str) -> str:
    """A name before a number, with a colon if the two would read as one.

    >>> counted("Ada"), counted("Player 1")
    ('Ada', 'Player 1:')
    """
    return f"{name}:" if name[-1].isdigit() else name


def turn_of(name: str) -> str:
    """Whose turn it is, as a heading.

    >>> turn_of("Ada"), turn_of("You")
    ("Ada's Turn", 'Your turn')
    """
    return f"{owned(name)} {'turn' if name == YOU else 'Turn'}"


def happened_to(name: str, clause: str) -> str:
    """A clause about "it", rewritten for a name within a sentence; empty for any other clause.

    >>> happened_to("Ada", "it was away."), happened_to("You", "it was away.")
    ('Ada was away.', 'you were away.')
    >>> happened_to("Ada", "its time ran out."), happened_to("You", "its time ran out.")
    ("Ada's time ran out.", 'your time ran out.')
    >>> happened_to("Ada", "nobody knows")
    ''
    """
    first, _, rest = clause.partition(" ")
    if first == "its":
        return f"{'your' if name == YOU else owned(name)} {rest}"
    if first != "it":
        return ""
    if name == YOU and rest.startswith("was "):
        rest = f"were {rest.removeprefix('was ')}"
    return f"{whom(name)} {rest}"
