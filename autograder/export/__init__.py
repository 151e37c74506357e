"""Marks as files for Canvas, Moodle and spreadsheets."""
