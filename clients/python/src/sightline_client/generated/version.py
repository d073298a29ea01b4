"""Made from openapi.json by clients/generate; do not edit."""

__version__ = "0.1.0"
