# %% [markdown]
# # Tables
#
# In this notebook you work with tables of pandas.

# %% role="setup"
import pandas as pd

from kqa_core.check import attempted, check, hint, progress, solution

# %% [markdown]
# Each row of a table is a sale:

# %%
sales = pd.DataFrame({"shop": ["north", "south", "north"], "euros": [5, 7, 4]})
sales

# %% [markdown] exercise="totals" role="statement" points=2 title="A total for each shop" minutes=10
# Return a table with a row for each shop: the columns `shop` and `euros`, where `euros` is the sum of the
# shop's sales. The largest sum comes first.
#
# Hint: Rows that belong together are a group.
#
# Hint: `groupby` makes groups; what do you do with the numbers of each?
#
# Hint: After `sum`, `sort_values` brings the rows into order, and `reset_index` makes the shop a column
# again.


# %% exercise="totals" role="solution"
def totals(sales):
    """A table with the columns shop and euros, the largest sum first."""
    sums = sales.groupby("shop")["euros"].sum()
    return sums.sort_values(ascending=False).reset_index()


# %%
attempted(totals, sales)


# %% exercise="totals" role="visible"
# A DataFrame stays where the student's code runs, and the check gets a Handle. What it needs of it, it asks
# for: `answer.attribute` and `answer.method` give values.
def frame_of(sales):
    """The argument, made where the student's code runs."""
    import pandas as pd

    return pd.DataFrame(sales)


def values(answer, frame):
    """A returned table as a dictionary of lists."""
    expect(isinstance(frame, Handle) and frame.type_name == "DataFrame", "return a DataFrame")
    columns = answer.method(answer.attribute(frame, "columns"), "tolist")
    expect(columns == ["shop", "euros"], f"the columns must be shop and euros; yours are {columns}")
    return answer.method(frame, "to_dict", "list")


def check(answer, rng):
    """Three sales in two shops."""
    sales = {"shop": ["north", "south", "north"], "euros": [5, 7, 4]}
    found = values(answer, answer(Build("course_exercises.totals:frame_of", (sales,))))
    expect(sorted(found["shop"]) == ["north", "south"], f"one row for each shop; yours are {found['shop']}")
    expect(found == {"shop": ["north", "south"], "euros": [9, 7]}, f"north has 9 and south 7; yours: {found}")
    return right("each shop has its total, the largest first")


# %% exercise="totals" role="key"
def inputs(rng):
    """Five tables of ten sales. The hidden check compares with the reference on such tables, too."""
    shops = ["north", "south", "east", "west"]
    tables = [
        {"shop": [rng.choice(shops) for _ in range(10)], "euros": [3**number for number in range(10)]}
        for _ in range(5)
    ]
    return [(Build("course_exercises.totals:frame_of", (table,)),) for table in tables]


def right_with_a_pivot_table(sales):
    table = sales.pivot_table(index="shop", values="euros", aggfunc="sum").reset_index()
    return table.sort_values("euros", ascending=False)[["shop", "euros"]]


def wrong_not_sorted(sales):
    """Each shop has its total, but the rows are in the order of the names: sort them by euros."""
    return sales.groupby("shop")["euros"].sum().reset_index()


def wrong_a_mean(sales):
    """You take the mean of each shop's sales. A total is their sum."""
    return sales.groupby("shop")["euros"].mean().sort_values(ascending=False).reset_index()
