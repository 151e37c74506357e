"""nbgrader's settings for everybody on this hub: one course and its exchange.
An instructor's server adds those of the course.
"""

import os
from pathlib import Path

c = get_config()  # noqa: F821  # nbgrader provides it
c.CourseDirectory.course_id = "kqa"
c.Exchange.root = str(Path(__file__).resolve().parents[1] / "exchange")
c.ExchangeCollect.check_owner = "KQA_TRY" not in os.environ  # on a hub for trying, all files have one owner
if "KQA_COURSE" in os.environ:
    c.CourseDirectory.root = os.environ["KQA_COURSE"]
if "KQA_STUDENT" in os.environ:
    c.CourseDirectory.student_id = os.environ["KQA_STUDENT"]
