"""Helpers for the checks of several notebooks. The engine behind `check()` uses none of it, and it holds no
exercise.

Helpers for one notebook are in its own `exercises` folder, in a file whose name begins with an underscore.
"""
