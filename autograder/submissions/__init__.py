"""Submissions: received, stored, read, and put into the instructor's notebook."""
