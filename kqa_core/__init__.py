"""Keys, Queries, Attention: what a student of the course imports."""

__version__ = "0.1.0"
