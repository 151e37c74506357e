"""check(), hint() and progress(): what a student calls in a notebook."""
