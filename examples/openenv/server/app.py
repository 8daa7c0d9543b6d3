"""The server: `uvicorn server.app:app`, or `python -m server.app --port 8000`."""

from argparse import ArgumentParser

import uvicorn

from strongroom.doors import openenv

app = openenv.app()


def main() -> None:
    """Serve on the port that the command line names."""
    parser = ArgumentParser(description="Serve strongroom as an OpenEnv environment.")
    parser.add_argument("--host", default="0.0.0.0")
    parser.add_argument("--port", type=int, default=8000)
    chosen = parser.parse_args()
    uvicorn.run(app, host=chosen.host, port=chosen.port)


if __name__ == "__main__":
    main()
