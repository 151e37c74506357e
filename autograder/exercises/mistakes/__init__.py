"""Rejected answers of exercises that have too many for one file. The docstring of each is its student's sentence."""
