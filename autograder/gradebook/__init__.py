"""nbgrader's gradebook: what is recorded there, lateness, feedback pages."""
