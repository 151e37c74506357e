# %% [markdown]
# # Sources
#
# In this notebook you answer in words. A person reads your answers and marks them by a rubric.

# %% role="setup"
from kqa_core.check import hint, progress, solution

# %% [markdown] exercise="why_two_sources" role="statement" points=3 title="Why two sources" minutes=10
# A historian finds the same date in two chronicles. When does the second make the date more certain, and when
# does it not? Answer in a few sentences.
#
# Hint: Where may the writer of the second chronicle have found the date?
#
# Hint: Think of two witnesses who have talked with each other.
#
# Hint: If one copied from the other, how many people have said the date?

# %% [markdown] exercise="why_two_sources" role="model_answer"
# The second chronicle makes the date more certain if its writer knew it from elsewhere: two mistakes rarely
# agree. If one was copied from the other, or both from a third, a mistake was copied too.

# %% [markdown] exercise="why_two_sources" role="rubric"
# - 1: Says that independent sources make a date more certain
# - 1: Names copying, or a common source
# - 1: Says that a copy repeats a mistake
# - not: Two sources are always better than one.
