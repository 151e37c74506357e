"""The instructor's half: the answer keys, the judge and the course commands.
Imports kqa_core, never the reverse.
"""
