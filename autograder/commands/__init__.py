"""`kqa course …`, one file for each part of an instructor's week.
A command calls one function and prints what it returns.
"""
