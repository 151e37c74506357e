"""One file an exercise: the half a student may see. Each defines one `EXERCISE`."""
