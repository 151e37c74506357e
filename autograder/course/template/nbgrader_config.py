"""nbgrader's settings for this course: run nbgrader from this directory."""

import os
from pathlib import Path

os.environ.setdefault("KQA_COURSE", str(Path(__file__).resolve().parent))  # checks and keys come from this folder

from autograder.build.nbgrader_stubs import configure

c = get_config()  # noqa: F821  # nbgrader provides it
configure(c)
c.CourseDirectory.course_id = "sorting"
