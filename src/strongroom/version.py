"""The version of the package, which records and tables carry."""

__version__ = "0.1.0"
