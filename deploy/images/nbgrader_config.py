"""nbgrader's settings in both images: one course,
and ngshare as the exchange, because the pods share no folder.
"""

import os

from ngshare_exchange import configureExchange

c = get_config()  # noqa: F821  # nbgrader provides it
configureExchange(c)
c.CourseDirectory.course_id = "kqa"
if "KQA_COURSE" in os.environ:
    c.CourseDirectory.root = os.environ["KQA_COURSE"]
