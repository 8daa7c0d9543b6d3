"""Packages of others, as an installer leaves them."""

from __future__ import annotations

from pathlib import Path

BLUFF = "[strongroom.games]\nbluff = strongroom_bluff.game:Bluff\n"


def add_package(folder: Path, name: str, points: str = "", code: str = "", **parts: str) -> Path:
    """A package of one module with entry points; `parts`: its metadata."""
    info = folder / (name if name.endswith("-info") else f"{name}-1.dist-info")
    info.mkdir(parents=True)
    if points:
        (info / "entry_points.txt").write_text(points, encoding="latin-1")
    if parts:
        told = {"Metadata-Version": "2.1", "Name": name, **parts}
        (info / "METADATA").write_text("".join(f"{key}: {told[key]}\n" for key in told))
    if code:
        (folder / f"{name}.py").write_text(code)
    return folder
