"""nbgrader's settings for this course: run nbgrader from this directory."""

import os
from pathlib import Path

# checks and keys come from this folder
os.environ.setdefault("KQA_COURSE", str(Path(__file__).resolve().parent))

c = get_config()  # noqa: F821  # nbgrader provides it
try:
    from autograder.build.nbgrader_stubs import configure
except ImportError:
    # An environment without the grader, such as a JupyterHub's own, can list and collect, and mark by hand.
    # What would write a notebook or feedback without our preprocessors stops, because it cannot import them.
    c.GenerateAssignment.preprocessors = ["autograder.build.nbgrader_stubs.NameStubs"]
    c.GenerateFeedback.preprocessors = ["autograder.gradebook.rubric.StripRubric"]
else:
    configure(c)
c.CourseDirectory.course_id = "sorting"
