"""The client, where OpenEnv looks for it."""

from strongroom.doors.openenv import StrongroomEnv

__all__ = ["StrongroomEnv"]
