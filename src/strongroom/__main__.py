"""Lets `python -m strongroom` be the command."""

import sys

from strongroom.terminal.main import main

if __name__ == "__main__":
    sys.exit(main())
