"""nbgrader's settings for this course: run nbgrader from this directory.

    nbgrader generate_assignment 01_attention_as_a_lookup
    nbgrader autograde 01_attention_as_a_lookup
    nbgrader generate_feedback 01_attention_as_a_lookup

A plain nbgrader run trusts the student's process; `kqa course grade` does not. Both fill the same gradebook.
"""

import os
from pathlib import Path

os.environ.setdefault("KQA_COURSE", str(Path(__file__).resolve().parent))  # checks and keys come from this folder

from autograder.build.nbgrader_stubs import configure

c = get_config()  # noqa: F821  # nbgrader provides it
configure(c)
c.CourseDirectory.course_id = "kqa"
