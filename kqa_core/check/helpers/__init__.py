"""What the checks of several notebooks share. The engine behind `check()` uses none of it, and it holds no exercise.

What only one notebook needs lies in its own `exercises` folder, in a file whose name begins with an underscore.
"""
