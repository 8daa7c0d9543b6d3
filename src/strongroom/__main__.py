"""The entry point of `python -m strongroom`."""

import sys

from strongroom.terminal.main import main

if __name__ == "__main__":
    sys.exit(main())
