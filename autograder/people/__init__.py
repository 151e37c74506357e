"""The people of a course: the roster, groups that submit together, and the graders of written answers."""
