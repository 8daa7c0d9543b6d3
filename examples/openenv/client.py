"""The client, where OpenEnv looks for it."""

from strongroom.agents.openenv import StrongroomEnv

__all__ = ["StrongroomEnv"]
