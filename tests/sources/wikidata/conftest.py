"""The desk that connectors are tried at."""

from tests.sources.desk import desk

__all__ = ["desk"]
