"""The instructor's report on a graded class."""
