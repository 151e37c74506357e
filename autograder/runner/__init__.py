"""The code that runs inside the sandbox, beside the student's.
It imports nothing of `autograder` but this package.
"""
