"""Options: the choices that a game leaves open, as a frozen dataclass that validates itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from strongroom.contract.refusal import BadOption, harmless, shown
from strongroom.text.spelling import did_you_mean

YES_OR_NO = {
    **dict.fromkeys(("yes", "y", "true", "on", "1"), True),
    **dict.fromkeys(("no", "n", "false", "off", "0"), False),
}


def option(default: int | None, why: str, low: int = 0, high: int = 1) -> Any:
    """An option's field: its default, what it is for, and its range (a bool needs none)."""
    return field(default=default, metadata={"why": why, "low": low, "high": high})


@dataclass(frozen=True)
class Options:
    """The choices that a game leaves open; each value is checked when the options are made."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value, default = getattr(self, each.name), each.default
            if value is None and default is None:
                continue
            if isinstance(default, bool):
                if not isinstance(value, bool):
                    raise BadOption(f"{each.name} must be yes or no; you gave {_printed(value)}.")
                continue
            low, high = each.metadata["low"], each.metadata["high"]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                none = ", or none" if default is None else ""
                allowed = f"{each.name} must be a number from {low} to {high}{none}"
                raise BadOption(f"{allowed}; you gave {_printed(value)}.")

    @classmethod
    def named(cls, values: Mapping[str, Any]) -> Self:
        """The options with these values, or a refusal that names the existing options."""
        known = [each.name for each in fields(cls)]
        for name in values:
            if name not in known:
                there_are = f"Choose from: {', '.join(known)}." if known else "This game has none."
                meant = did_you_mean(name, known) or there_are
                raise BadOption(f"There is no option {shown(name)}.", meant)
        return cls(**values)

    @classmethod
    def typed(cls, texts: Mapping[str, str]) -> Self:
        """The options as typed at a command line: `4`, `none`, `yes`, `no`."""
        yes_or_no = {each.name for each in fields(cls) if isinstance(each.default, bool)}
        values: dict[str, Any] = {}
        for name, text in texts.items():
            word = text.strip().lower()
            if name in yes_or_no:
                values[name] = YES_OR_NO.get(word, word)
            elif word in ("none", "off", "unlimited"):
                values[name] = None
            else:
                values[name] = int(word) if re.fullmatch("-?[0-9]{1,9}", word) else word
        return cls.named(values)

    def to_json(self) -> dict[str, Any]:
        """The options by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def changed(self) -> list[str]:
        """The values that are not the defaults, as they are typed: `digits=4`."""
        usual = type(self)().to_json()
        return [f"{k}={v}" for k, v in self.to_json().items() if v != usual[k]]


def _printed(value: object) -> str:
    """A value as quoted in a refusal; Python itself refuses to print the very longest numbers."""
    if isinstance(value, int) and abs(value) >= 10**20:
        return "one with more than 20 digits"
    return harmless(str(value))
