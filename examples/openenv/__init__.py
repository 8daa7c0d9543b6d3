"""The games of strongroom as an OpenEnv environment."""

from strongroom.doors.openenv import (
    StrongroomAction,
    StrongroomEnv,
    StrongroomObservation,
    StrongroomState,
)

__all__ = ["StrongroomAction", "StrongroomEnv", "StrongroomObservation", "StrongroomState"]
