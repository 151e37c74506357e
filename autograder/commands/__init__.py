"""`kqa course …`, a file for each part of an instructor's week. A command prints a function's result."""
