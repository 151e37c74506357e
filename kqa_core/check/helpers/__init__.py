"""Helpers for the checks of any course: arguments that were changed in place, an answer that is right only
sometimes, reading a number or a text. The engine behind `check()` uses none of it.

Helpers for one notebook are in its own `exercises` folder, in a file whose name begins with an underscore.
"""
