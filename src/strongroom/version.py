"""The version of the package, which records and tables carry."""

__version__ = "0.1.0"


def made_with(*packages: str) -> dict[str, str]:
    """The versions of what a report was computed with, these packages too, as its JSON data."""
    import platform
    from importlib.metadata import version

    import numpy as np

    return {
        "strongroom": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        **{name: version(name) for name in packages},
    }
