"""What the client and the server exchange, where OpenEnv looks for it."""

from strongroom.doors.openenv import (
    StrongroomAction,
    StrongroomObservation,
    StrongroomState,
)

__all__ = ["StrongroomAction", "StrongroomObservation", "StrongroomState"]
