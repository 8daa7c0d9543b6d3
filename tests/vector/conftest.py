"""Without JAX and Pgx there is nothing to test here; with them, tests compile quickly."""

from __future__ import annotations

import os
from importlib.util import find_spec

MISSING = [library for library in ("jax", "pgx") if find_spec(library) is None]

if MISSING and os.environ.get("CI") == "true":
    raise RuntimeError(f"{' and '.join(MISSING)} must be installed in continuous integration")

collect_ignore_glob = ["test_*.py"] if MISSING else []

QUICKLY = (
    "--xla_backend_optimization_level=0",
    "--xla_llvm_disable_expensive_passes=true",
    "--xla_cpu_use_fusion_emitters=false",
    "--xla_cpu_parallel_codegen_split_count=1",
)
"""Let compiling take a third as long: a test runs few moves, so that slow code costs less."""

# XLA reads them when it first compiles, here and in the programs that tests start.
os.environ["XLA_FLAGS"] = " ".join([*QUICKLY, os.environ.get("XLA_FLAGS", "")])
