"""Keys, Queries, Attention: what a student of the course imports."""

__version__ = "0.2.0"
