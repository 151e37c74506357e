# %% [markdown]
# # Sorting
#
# Many sorting methods rest on two small steps: insert one number into a sorted list, and merge two sorted
# lists. In this notebook you write both.

# %% role="setup"
from kqa_core.check import attempted, check  # hint("insert_sorted") gives a hint

# %% [markdown]
# ## Inserting one number
#
# A list is *sorted* if no number is larger than the number after it. For example, `[2, 5, 9]` is sorted.

# %% [markdown] exercise="insert_sorted" role="statement"
# `numbers` is a sorted list and `x` a number. Return a new sorted list that holds all of `numbers` and also
# `x`. A number that is there twice stays there twice.
#
# For example, `insert_sorted([2, 5, 9], 6)` is `[2, 5, 6, 9]`.


# %% exercise="insert_sorted" role="solution"
def insert_sorted(numbers, x):
    """A new sorted list with the sorted list numbers and x in it."""
    raise NotImplementedError("exercise insert_sorted: replace this line with your answer")


# %% exercise="insert_sorted" role="check"
check("insert_sorted", insert_sorted)

# %% [markdown]
# If you insert the numbers of any list one after the other, you sort it. This method is called *insertion
# sort*.

# %%
done = []
for number in (5, 2, 9, 2):
    done = attempted(insert_sorted, done, number)
    if done is None:
        break
    print(done)

# %% [markdown]
# ## Merging two lists

# %% [markdown] exercise="merge_sorted" role="statement"
# `left` and `right` are sorted lists. Return one sorted list that holds the numbers of both.
#
# For example, `merge_sorted([1, 4], [2, 4, 7])` is `[1, 2, 4, 4, 7]`.


# %% exercise="merge_sorted" role="solution"
def merge_sorted(left, right):
    """One sorted list with the numbers of the sorted lists left and right."""
    raise NotImplementedError("exercise merge_sorted: replace this line with your answer")


# %% exercise="merge_sorted" role="check"
check("merge_sorted", merge_sorted)
