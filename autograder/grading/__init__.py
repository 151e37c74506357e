"""Grading a class: a ledger of what is judged, and the workers that judge."""
