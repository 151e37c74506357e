"""nbgrader's settings for this course: run nbgrader from this directory.

    nbgrader generate_assignment 01_attention_as_a_lookup
    nbgrader autograde 01_attention_as_a_lookup
    nbgrader generate_feedback 01_attention_as_a_lookup

A plain nbgrader run trusts the student's process; `kqa course grade` does not. Both fill the same gradebook.
"""

from nbgrader.converters import GenerateAssignment

from autograder.build.nbgrader_stubs import CODE_STUB, TEXT_STUB, release_preprocessors

c = get_config()  # noqa: F821  # nbgrader provides it

c.CourseDirectory.course_id = "kqa"
# The notebooks' text sources and what a run leaves behind are no part of an assignment.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", ".pytest_cache", ".kqa", "[0-9]*_*.py"]

c.GenerateAssignment.preprocessors = release_preprocessors(GenerateAssignment.class_traits()["preprocessors"].default())
c.ClearSolutions.code_stub = {"python": CODE_STUB}
c.ClearSolutions.text_stub = TEXT_STUB
# The autograded copy shows the grader each written answer's rubric; the student's feedback leaves it out.
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "autograder.gradebook.rubric.StripRubric",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
c.Execute.timeout = 600  # seconds a cell: some train a small model
