"""The duels of strongroom as a package of verifiers: `vf-eval strongroom-duels`."""

from strongroom.doors.verifiers import ChatHarness, DuelEnv, DuelTaskset, load_environment

__all__ = ["ChatHarness", "DuelEnv", "DuelTaskset", "load_environment"]
