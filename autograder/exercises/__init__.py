"""One file an exercise: the half only an instructor has. Each defines one `KEY`."""
