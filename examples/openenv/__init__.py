"""The games of strongroom as an OpenEnv environment."""

from strongroom.agents.openenv_client import (
    StrongroomAction,
    StrongroomEnv,
    StrongroomObservation,
    StrongroomState,
)

__all__ = ["StrongroomAction", "StrongroomEnv", "StrongroomObservation", "StrongroomState"]
