# %% [markdown]
# # Start here
#
# In this course you build attention by hand, train a small Transformer on your own machine, and find out what it
# knows and what it makes up. You read each notebook from top to bottom. Where it says **Exercise**, you write a few
# lines, and the course tells you at once whether they are right.
#
# This notebook takes ten minutes. When you leave it you can
#
# 1. answer an exercise, check it, and ask for a hint,
# 2. tell the four outcomes *right*, *not yet*, *error* and *unattempted* apart,
# 3. see how far you have come and where you left off, and start an exercise again,
# 4. say which two data sets the course uses.
#
# Click into the cell below and press Shift+Enter. That runs it.

# %% role="setup"
import torch

from kqa_core.check import attempted, check, cockpit, hint, progress, reset

# %% [markdown]
# ## Something that moves
#
# Attention compares a *query* with some *keys*, turns the scores into weights, and returns the weighted average of
# the *values*. Below, two keys score 1 and 0, and β says how sharply the query tells them apart. Move the slider, or
# type a number beside it. At β = 0 both values count the same; as β grows, one value takes all.


# %%
def two_values(figure, beta):
    weight = torch.softmax(torch.tensor([beta, 0.0]), dim=0).tolist()
    axes = figure.subplots()
    axes.bar(["the value whose key scores 1", "the value whose key scores 0"], weight, color=[BLUE, ORANGE])
    axes.set(ylim=(0, 1), ylabel="weight")
    return f"At β = {beta:.1f} the weights are {weight[0]:.2f} and {weight[1]:.2f}."


from kqa_core.show import BLUE, ORANGE, live_figure

live_figure(two_values, beta=(0.0, 8.0, 0.1, 1.0))

# %% [markdown]
# ## An exercise
#
# An exercise has a text, a cell for your answer, and a check. The line under its heading says how many points it
# gives, how hard it is, how much rests on it later, and how long it usually takes. This one is for practice and gives
# no points.

# %% [markdown] exercise="weighted_average" role="statement"
# You are given `values`, a tensor of shape `(n, d)`: n rows of d numbers. And `weights`, a tensor of shape `(n,)`
# whose entries add up to 1. Return the weighted average of the rows, a tensor of shape `(d,)`.
#
# For example, the rows `[2, 0]` and `[0, 4]` with weights `[0.5, 0.5]` average to `[1, 2]`.


# %% exercise="weighted_average" role="solution"
def weighted_average(values, weights):
    """The average of the rows of values (n, d) with the given weights (n,): a tensor of shape (d,)."""
    raise NotImplementedError("exercise weighted_average: replace this line with your answer")


# %% exercise="weighted_average" role="check"
check("weighted_average", weighted_average)

# %% [markdown]
# Run the check before you write anything: it says *unattempted*. Now put your answer in place of the line that says
# `raise`, run that cell, and check again. Depending on what you wrote, the check says
#
# - **right**: done, and the points are counted;
# - **not yet**: the function runs, and what it returns is not what was asked for. The line says in what way;
# - **error**: your function stopped. The line names the exception and the line of your cell where it happened.
#
# You may check as often as you like. What counts in the end is what you hand in: it is checked once more, with other
# inputs.
#
# The next cell shows what your function makes of the picture above. It waits until the exercise is done.

# %%
values = torch.tensor([[2.0, 0.0], [0.0, 4.0]])
for beta in (0.0, 1.0, 8.0):
    average = attempted(lambda beta: weighted_average(values, torch.softmax(torch.tensor([beta, 0.0]), dim=0)), beta)
    if average is not None:
        print(f"β = {beta}: {[round(float(x), 2) for x in average]}")

# %% [markdown]
# ## When you are stuck
#
# Every exercise has three hints: a nudge, the method, and a step worked out. Each call gives the next one. They cost
# no points.

# %%
hint("weighted_average")

# %% [markdown]
# ## Break it
#
# A check is worth something only if it notices mistakes. Here is an average that forgets its weights. It looks right,
# and for equal weights it even is. Run the cell and read what the check says.


# %% tags=["raises-exception"]
def forgetful(values, weights):
    return values.mean(dim=0)


check("weighted_average", forgetful)

# %% [markdown]
# ## How far you have come
#
# The cockpit shows all notebooks at a glance: what is done, what not yet, what nobody has tried, the points, the hints
# you took and about how long it took you. At its top stands where you left off; the link leads there. Come back to this
# notebook whenever you like and run the cell again. What you have done is kept in a file of yours
# (`.kqa/progress.json`), so it survives a restart. An exercise that was right once stays done, whatever you break later.

# %% tags=["nbval-ignore-output"]
cockpit()

# %% [markdown]
# At the end of each notebook, `progress()` says the same of the notebooks you have begun, in fewer words. At a prompt,
# `kqa progress` shows the cockpit as text.
#
# ### Start an exercise again
#
# If an answer has become a thicket, save the notebook, run `reset("weighted_average")` in a cell of its own, and then choose
# *Reload Notebook from Disk* in the File menu. The cell is as it was handed out, and the exercise is unattempted. Nothing is
# lost: what you had written is kept in `.kqa/kept`. The same at a prompt is `kqa reset weighted_average`.

# %% [markdown]
# ## The two data sets
#
# **A small world.** A text that tells of people who never lived: where they were born, and other things about them.
# Because we made it up, we know what a model could have learnt and what it can only guess. You will pretrain on the
# text and then ask *Where was … born?* It comes in three sizes; the smallest trains in seconds.
#
# **Short reviews.** Sentences that praise or blame, made so that counting words is not enough to tell which. They come
# with the notebook on fine-tuning.
#
# Nothing in the course needs a network.
#
# ## Your machine
#
# The course runs on two processor cores without a GPU. This is what yours has; if something is missing, the last
# lines say how to get it.

# %% tags=["nbval-ignore-output"]
from kqa_core.commands.machine import doctor

doctor()

# %% [markdown]
# Next: **01 attention as a lookup**, where two values are mixed on purpose.
