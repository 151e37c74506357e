"""The instructor's jobs: build, prove, grade, report."""
