"""The client, where OpenEnv looks for it."""

from strongroom.agents.openenv_client import StrongroomEnv

__all__ = ["StrongroomEnv"]
