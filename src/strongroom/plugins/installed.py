"""Which extras are installed on this machine, found without importing any of them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from importlib.util import find_spec
from itertools import zip_longest
from typing import Final, NamedTuple

from strongroom.contract import Json, Refusal


class Extra(NamedTuple):
    """What an extra is for, and what it is tried by."""

    purpose: str
    module: str
    """The part of strongroom that needs it, or the library itself."""
    beside: tuple[str, str] | None = None
    """A library and its versions that its pages need, too; not declared where others forbid it."""


EXTRAS: Final = {
    "gg-bench": Extra("one environment, both seats", "strongroom.doors.gg_bench"),
    "gymnasium": Extra("one agent, any opponent", "strongroom.doors.gymnasium"),
    "inspect": Extra("evaluating models", "strongroom.doors.inspect", ("openai", ">=3.4")),
    "mcp": Extra("models' own clients", "strongroom.doors.mcp"),
    "openenv": Extra("one agent, over a socket", "strongroom.doors.openenv"),
    "openspiel": Extra("algorithms and searches", "strongroom.doors.openspiel"),
    "pettingzoo": Extra("agents in both seats", "strongroom.doors.pettingzoo"),
    "textarena": Extra("both seats, in text", "strongroom.doors.textarena"),
    "verifiers": Extra("training models", "strongroom.doors.verifiers"),
    "vector": Extra("games in batches, in JAX", "strongroom.vector"),
    "models": Extra("language models as players", "openai"),
    "server": Extra("strongroom serve", "strongroom.server.run"),
    "network": Extra("strongroom host and join", "websockets.sync.client"),
    "data": Extra("strongroom dataset --parquet", "pyarrow"),
    "arena": Extra("ratings", "choix"),
    "cluster": Extra("--cluster: many machines", "ray"),
    "theory": Extra("strongroom solve", "scipy.sparse"),
}
"""Every extra that somebody who plays, measures or trains may want, frameworks first."""
REQUIREMENT: Final = re.compile(
    r"""(?P<name>[\w.-]+)(?:\[.*?\])?\s*(?P<wanted>[^;]*?)\s*;.*extra\s*==\s*["'](?P<extra>[^"']+)"""
)
BOUND: Final = re.compile(r"(>=|<)\s*([\d.]+)")
LONGEST_TRY: Final = 120.0
"""How long an import may take, in seconds."""


class State(Enum):
    """Whether an extra can be used."""

    OPEN = "open"
    MISSING = "missing"
    OUTSIDE = "another version is needed"
    BROKEN = "broken"


@dataclass(frozen=True)
class Need:
    """A library that an extra needs."""

    name: str
    wanted: str
    """The versions that strongroom accepts, as in `>=16,<18`."""
    installed: str | None
    """The version that is there, if any."""

    @property
    def state(self) -> State:
        """Whether it is there, in a version that is accepted."""
        if self.installed is None:
            return State.MISSING
        return State.OPEN if accepted(self.installed, self.wanted) else State.OUTSIDE


@dataclass(frozen=True)
class Examined:
    """An extra, as it was found."""

    name: str
    needs: tuple[Need, ...]
    trouble: str = ""
    """Why it does not import, if that is known."""

    @property
    def state(self) -> State:
        """Whether it can be used: the worst of what it needs, unless it is broken."""
        states = {need.state for need in self.needs}
        for worst in (State.MISSING, State.OUTSIDE):
            if worst in states:
                return worst
        return State.BROKEN if self.trouble else State.OPEN

    @property
    def install(self) -> str:
        """The command that installs what is missing, and again what is broken."""
        lacking = [(need.name, need.wanted) for need in self.needs if need.state is not State.OPEN]
        if (beside := EXTRAS[self.name].beside) and lacking == [beside]:
            return f"pip install '{''.join(beside)}'"
        if self.state is State.BROKEN:  # pip takes what has metadata for installed
            again = " ".join(f"'{need.name}{need.wanted}'" for need in self.needs)
            return f"pip install --force-reinstall {again or 'strongroom'}"
        return f"pip install 'strongroom[{self.name}]'"

    def to_json(self) -> Json:
        """What was found, as JSON data."""
        return {
            "extra": self.name,
            "for": EXTRAS[self.name].purpose,
            "state": self.state.value,
            "needs": [
                {"name": need.name, "wanted": need.wanted, "installed": need.installed}
                for need in self.needs
            ],
            "trouble": self.trouble,
            "install": None if self.state is State.OPEN else self.install,
        }


def accepted(installed: str, wanted: str) -> bool:
    """Whether a version lies within bounds.

    >>> accepted("16.0", ">=16,<18"), accepted("18.0.1", ">=16,<18"), accepted("0.10", ">=0.9")
    (True, False, True)
    """
    for sign, bound in BOUND.findall(wanted):
        pairs = zip_longest(_release(installed), _release(bound), fillvalue=0)
        older = next((here < there for here, there in pairs if here != there), False)
        if older is (sign == ">="):
            return False
    return True


def _release(text: str) -> list[int]:
    """The numbers with which a version begins; what marks a pre-release is left out."""
    found = re.match(r"\d+(?:\.\d+)*", text)
    return [int(number) for number in found[0].split(".")] if found else []


def examine(names: Iterable[str] = EXTRAS, trying: bool = False) -> list[Examined]:
    """What is installed of these extras; with `trying`, each is imported in a process of its own.

    >>> [extra.name for extra in examine(["network"])]
    ['network']
    """
    needs: dict[str, list[Need]] = {name: [] for name in names}
    for each in _requirements():
        found = REQUIREMENT.match(each)
        if found and found["extra"] in needs:
            needs[found["extra"]].append(
                Need(found["name"], found["wanted"], _version(found["name"]))
            )
    extras = [Examined(name, tuple(sorted(found, key=str))) for name, found in needs.items()]
    return [_with_trouble(extra, trying) for extra in extras]


def _requirements() -> list[str]:
    try:
        return requires("strongroom") or []
    except PackageNotFoundError:
        told = "Install it, in a clone with: pip install --editable ."
        raise Refusal("strongroom is not installed as a package.", told) from None


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _with_trouble(extra: Examined, trying: bool) -> Examined:
    beside = EXTRAS[extra.name].beside
    if beside and extra.state is State.OPEN:
        extra = Examined(extra.name, (*extra.needs, Need(*beside, _version(beside[0]))))
    if extra.state is not State.OPEN:
        return extra
    undeclared = "" if extra.needs else "the strongroom that is installed declares no such extra"
    trouble = (
        undeclared
        or _missing_files(extra)
        or (_import_failure(EXTRAS[extra.name].module) if trying else "")
    )
    return Examined(extra.name, extra.needs, trouble)


def _missing_files(extra: Examined) -> str:
    """Which library has left its metadata behind, but no modules."""
    for need in extra.needs:
        tops = (distribution(need.name).read_text("top_level.txt") or "").split()
        if tops and not any(map(find_spec, tops)):
            return f"the files of {need.name} are gone"
    return ""


def _import_failure(module: str) -> str:
    """Why a module does not import; nothing if it does."""
    try:
        ran = subprocess.run(
            [sys.executable, "-c", f"import {module}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LONGEST_TRY,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"importing {module} takes more than {LONGEST_TRY:g} seconds"
    if ran.returncode == 0:
        return ""
    last = ran.stderr.strip().splitlines()[-1:] or [f"exit code {ran.returncode}"]
    return f"importing {module} fails: {last[0]}"
