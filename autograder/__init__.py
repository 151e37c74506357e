"""What only an instructor has: the answer keys, the judge and the course commands. Imports kqa_core, never the reverse."""
