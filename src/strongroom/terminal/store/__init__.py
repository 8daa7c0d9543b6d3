"""Saved games: one private file each, and a folder that knows which was played last."""

from strongroom.terminal.store.folder import CannotSave, folder, new_file, played, typed_file
from strongroom.terminal.store.journal import InUse, Journal, read, read_text, save_copy
from strongroom.terminal.store.saved import (
    Saved,
    latest,
    latest_finished,
    latest_unfinished,
    look,
    numbered,
    saved_games,
)

__all__ = [
    "CannotSave",
    "InUse",
    "Journal",
    "Saved",
    "folder",
    "latest",
    "latest_finished",
    "latest_unfinished",
    "look",
    "new_file",
    "numbered",
    "played",
    "read",
    "read_text",
    "save_copy",
    "saved_games",
    "typed_file",
]
