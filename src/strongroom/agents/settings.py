"""Settings that several doors take, checked in one place."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

from strongroom.contract import Refusal, shown


def check_number(name: str, given: object, least: int) -> None:
    """Refuse a setting that is neither None nor a whole number, at least so large.

    >>> check_number("turn_limit", "10", least=1)
    Traceback (most recent call last):
    ...
    strongroom.contract.refusal.Refusal: turn_limit must be a whole number, at least 1, or None.
    """
    if given is not None and not (isinstance(given, Integral) and int(given) >= least):
        raise Refusal(f"{name} must be a whole number, at least {least}, or None.")


def check_choice(name: str, given: object, choices: Sequence[str]) -> None:
    """Refuse a setting that is none of the choices.

    >>> check_choice("reward", "money", ("result", "cost"))
    Traceback (most recent call last):
    ...
    strongroom.contract.refusal.Refusal: There is no reward 'money'. Choose from: result, cost.
    """
    if given not in choices:
        told = f"There is no {name.replace('_', ' ')} {shown(str(given))}."
        raise Refusal(told, f"Choose from: {', '.join(choices)}.")
