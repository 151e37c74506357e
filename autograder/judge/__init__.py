"""From an answer to a verdict. The process that decides never runs the code that it judges."""
