"""Saved games: one private file each, and an index of which was played last."""

from strongroom.terminal.store.folder import CannotSave, folder, new_file, played, typed_file
from strongroom.terminal.store.journal import Journal, read, read_text, save_copy
from strongroom.terminal.store.saved import (
    Saved,
    is_latest_unfinished,
    latest,
    latest_finished,
    latest_unfinished,
    look,
    numbered,
    saved_games,
)

__all__ = [
    "CannotSave",
    "Journal",
    "Saved",
    "folder",
    "is_latest_unfinished",
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
