"""The instructor's half: answer keys, judge and course commands. It imports kqa_core, never the reverse."""
