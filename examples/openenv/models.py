"""What the client and the server exchange, where OpenEnv looks for it."""

from strongroom.agents.openenv_client import (
    StrongroomAction,
    StrongroomObservation,
    StrongroomState,
)

__all__ = ["StrongroomAction", "StrongroomObservation", "StrongroomState"]
