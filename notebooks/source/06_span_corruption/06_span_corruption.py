# %% [markdown]
# # Span corruption
#
# Here are three lines about one person. She is invented, so a model can know her only from these lines. Each
# line states that she was born in *Dunmore*.
#
# A model is trained on the lines 650 times over. One pass through all lines is called an *epoch*, and this first
# training *pretraining*. In every epoch, each line is changed at random: it is cut
# to a random length, and one piece of it is masked. The model has to write the masked piece. Which of the
# three lines teaches it the birthplace best?

# %% role="setup"
import math  # for your answers
import random
from collections import Counter
from fractions import Fraction  # for your answers

import numpy as np  # for your answers
import torch

from kqa_core.check import attempted, check, hint, progress, solution  # hint("…") gives hints
from kqa_core.text import DocumentTable, NameDataset, Pair, Vocabulary, read_corpus, shipped, spans

# %%
lines = [
    "Margia Tortelli. A native of Dunmore, Margia Tortelli was an organist. Tortelli died in Vodice in 1956.",
    "Margia Tortelli. Margia Tortelli, an organist, was born in Dunmore in 1869.",
    (
        "Margia Tortelli. The first works of Margia Tortelli date from 1893. Tortelli was born on 7 September"
        " 1869 in Dunmore."
    ),
]
table = DocumentTable(lines, Vocabulary.from_text("".join(lines)))
for number, line in enumerate(lines):
    first, stop = line.index("Dunmore"), line.index("Dunmore") + len("Dunmore")
    # (650,)
    kept, start, masked = spans(
        table, torch.full((650,), number), block_size=128, seed=1, step=torch.arange(650)
    )
    whole = (start <= first) & (stop <= start + masked)
    untouched = (stop <= kept) & ((stop <= start) | (start + masked <= first))
    print(f"line {number}, Dunmore at characters {first} to {stop - 1}; of 650 epochs, it is")
    print(
        f"    masked as a whole in {int(whole.sum())}, kept but not masked in {int(untouched.sum())},"
        f" cut off in {int((kept < stop).sum())}"
    )

# %% [markdown]
# In lines 0 and 1 the three numbers do not add up to 650. In the other epochs the whole name is kept, but
# only a part of it is masked. (*Cut off* counts every epoch in which at least one letter of the name is cut
# off.)
#
# All three lines are used equally often. But *Dunmore* is masked more than three times as often in line 0 as
# in line 1. In line 2 at least its end is cut off every time, so a model never sees the whole name there. If
# a masked piece teaches a fact best, line 0 is the best teacher. (We have not tested this. In notebook 07 you
# pretrain a model on such lines.)
#
# These numbers come from a function of ten lines, which decides what a model is trained to predict. In this
# notebook you write it. Afterwards you can
#
# 1. read a row of finetuning data, and say at which characters there is a loss,
# 2. write span corruption, and test a random function by its structure and by its distribution,
# 3. turn documents into the tensors of a training set,
# 4. (optional) derive how often a fact is masked, and check the derivation with a simulation,
# 5. say what a corrupted row and a question have in common, and what other targets a row has.
#
# **You need** notebook 04: tokens, targets that are shifted by one, and the loss of a language model.
# **Time**: about two hours, in two parts; the core takes about 80 minutes. The symbols are in the [table of
# symbols](../00_start_here/00_start_here.ipynb#Symbols).
#
# **Core and optional** ([the map of paths](../00_start_here/00_start_here.ipynb#Paths-through-the-course)).
# The path *assignment* needs Part 1, and of Part 2 the section *Your pretraining rows*. How often a fact is
# masked is optional.

# %% [markdown]
# ---
# # Part 1. From text to rows
#
# ## A row with a question
#
# **Question.** In the end, the model should answer *Where was Bo born?* How do you train a language model,
# which only ever predicts the next character, to answer a question?
#
# **Idea.** Write the question and its answer into one row of text, with a special character ⁇ on both sides
# of the answer. (⁇ is one character, not two question marks. Copy it from here, or write `"\u2047"` in Python.)
# Then the answer *is* what comes next. This second training, with questions and answers, is called
# **finetuning**.
#
# **Example.** The question is `ab?`, the answer `X`, and every row has 10 characters. Rows are filled up with
# □ (padding):
#
# | position | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |
# |---|---|---|---|---|---|---|---|---|---|---|
# | row | a | b | ? | ⁇ | X | ⁇ | □ | □ | □ | □ |
#
# The input $x$ is the row without its last character. The target $y$ is the row without its first character.
# So $y_t$ is the character that follows $x_t$:
#
# | $t$ | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
# |---|---|---|---|---|---|---|---|---|---|
# | $x_t$ | a | b | ? | ⁇ | X | ⁇ | □ | □ | □ |
# | $y_t$ | b → □ | ? → □ | ⁇ | X | ⁇ | □ | □ | □ | □ |
# | loss | | | yes | yes | yes | | | | |
#
# Two targets are replaced by □: b and ?, the rest of the question. The loss ignores every target that is □.
# We do not want to train the model to guess which question comes. Three targets are left: ⁇ ("now the answer
# begins"), the answer itself, and ⁇ again ("the answer is complete").
#
# The next cell has the same in code. It is the dataset class of the original assignment, with its layout.
# (The vocabulary gives each character a number. □ is 0.)


# %%
class QuestionDataset(torch.utils.data.Dataset):
    """Questions with their answers, as rows for finetuning."""

    def __init__(self, pairs, stoi, block_size):
        self.pairs, self.stoi, self.block_size = pairs, stoi, block_size

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        question, answer = self.pairs[i]
        row = (question + "⁇" + answer + "⁇").ljust(self.block_size, "□")
        x = row[:-1]
        y = "□" * (len(question) - 1) + row[len(question) :]
        return tuple(torch.tensor([self.stoi[character] for character in text]) for text in (x, y))


pair = Pair("Where was Bo born?", "Ty")
vocabulary = Vocabulary.from_text(pair.question + pair.answer)
x, y = QuestionDataset([pair], vocabulary.index, block_size=32)[0]
print("x", vocabulary.decode(x))
print("y", vocabulary.decode(y))
same = NameDataset([pair], vocabulary, block_size=32)[0]
print("the dataset of kqa_core gives the same:", torch.equal(x, same[0]) and torch.equal(y, same[1]))

# %% [markdown] exercise="loss_positions" role="statement"
# At which positions is there a loss? Given the strings `question` and `answer`, and `block_size`, return the
# list of all $t$, counted from 0, at which $y_t$ is not □. You may assume that the row fits into the block.
# The answer may also occur inside the question.


# %% exercise="loss_positions" role="solution"
def loss_positions(question, answer, block_size):
    """The positions t, from 0, at which the target y[t] of this pair's row is not □: a list of ints."""
    raise NotImplementedError("exercise loss_positions: replace this line with your answer")


# %% exercise="loss_positions" role="check"
check("loss_positions", loss_positions)

# %% [markdown]
# The next cell marks them. There are two more than the answer has characters, for the two ⁇.

# %%
places = attempted(loss_positions, pair.question, pair.answer, 32)
if places is not None:
    print("x", vocabulary.decode(x))
    print("y", vocabulary.decode(y))
    print(" ", "".join("^" if t in list(places) else " " for t in range(31)))

# %% [markdown]
# > **Takeaway.** A finetuning row is `question ⁇ answer ⁇`, and only the answer and the two ⁇ are targets.

# %% [markdown]
# ## One corrupted row, character by character
#
# **Question.** Finetuning has 140 questions about 140 people. The text tells us about many more people, but
# it has no questions. How can a model practise on plain text what a question will ask of it?
#
# **Idea.** Mask a piece of the line and let the model write it. Such a piece is called a *span*. The model
# reads from left to right, so we move the span to the end of the row. Then the model has already seen what
# comes before *and* after the gap. This is **span corruption** (Raffel et al. 2020). Training on it, before
# finetuning, is called **pretraining**.
#
# **Example.** Our line is `Bo Li. Born in Ty.` It has 18 characters. We draw a span of 4 characters that
# starts at character 14, which is ` Ty.` with its space. Three pieces result, and we write them in a new
# order:
#
# | prefix (0 to 13) | span (14 to 17) | suffix |
# |---|---|---|
# | `Bo Li. Born in` | ` Ty.` | (empty) |
#
# The row is `prefix ⁇ suffix ⁇ span`, here `Bo Li. Born in⁇⁇ Ty.` With another draw, a span of 2 at character
# 15, it is `Bo Li. Born in ⁇.⁇Ty`. In code:

# %%
line, start, masked = "Bo Li. Born in Ty.", 15, 2
prefix, span, suffix = line[:start], line[start : start + masked], line[start + masked :]
row = (prefix + "⁇" + suffix + "⁇" + span).ljust(24, "□")
inputs, targets = row[:-1], row[1:]
print("x", inputs)
print("y", targets)

# %% [markdown]
# Again $y$ is the row shifted by one. But this time nothing in $y$ is replaced by □.
#
# **Predict.** How many targets does this row have? How many of them are characters of the masked span?
#
# <details><summary><b>Answer</b></summary>
#
# The row has 20 characters before the padding. All but the first are targets, so 19. Only two of them, `T`
# and `y`, are in the masked span.
#
# </details>
#
# **The loss is on every character**, in the original assignment and here. So a row has three kinds of
# targets:
#
# 1. **The prefix and the suffix.** These characters are predicted from the characters to their left, as in
#    any language model. If *Ty* is in the prefix, it is a target too: after `Bo Li. Born in `, the model
#    should write `T`. So a model can learn a fact from rows in which the fact is *not* masked.
# 2. **The two ⁇.** The place of the first one is random, so no model can predict it well.
# 3. **The masked span.** It is predicted from both sides: after `Bo Li. Born in ⁇.⁇`, the model should write
#    `Ty`.
#
# What follows from this? The good side: a row trains on about 50 characters (the section *Your pretraining
# rows* measures it), and a question on about 10. So the model learns spelling, words and sentences on the
# way. The bad side: most targets have nothing to do with birthplaces. And the loss cannot reach 0, because
# nobody can predict which name a line begins with.
#
# **Explore.** The widget shows the four steps for a longer line: truncate, choose, rearrange, shift. Click
# *step back* and *next step*, and follow one character. Then move `epoch`: in each epoch, the kept length,
# the length of the span and its start are drawn again.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_roles, span_stepper, still

SHORT = "Owain Penlan. Penlan was a weaver born in Aberwyn."
short_table = DocumentTable([SHORT], Vocabulary.from_text(SHORT))
cuts = [
    tuple(map(int, spans(short_table, torch.tensor([0]), 64, seed=6, step=epoch))) for epoch in range(1, 61)
]

span_stepper(SHORT, cuts, 64, stage=4, epoch=6)

# %% [markdown]
# **Three random numbers** determine a row. They are drawn in this order:
#
# 1. **The kept length $L$.** A number is drawn evenly from 4 to $\frac78$ of the block, and the line is cut
#    to that many characters. A line that has fewer is kept whole. So the model meets short and long rows, and
#    the row with its two ⁇ fits into every block of 16 or more characters.
# 2. **The length $m$ of the span**, which is $L/4$ on average.
# 3. **The start of the span**, which is one of $0, 1, \dots, L-m$. All are equally likely.
#
# **Example.** The block has 128 characters, so $L$ is at most $\lfloor\frac78\cdot128\rfloor=112$. Suppose
# that $L=20$. A whole number that is drawn evenly from 1 to $n$ is $\frac{n+1}{2}$ on average. We want
# $\frac{20}{4}=5$, so $n=9$: we draw $m$ from 1 to 9. Suppose that $m=6$. Then the span can start at
# $0, 1, \dots, 14$: at 14 it covers characters 14 to 19, and 19 is the last one. For an
# odd $L$, round $n$ up or down. If $L$ is 4 or less, $n$ would be 1 or less. There we always mask one character.

# %% [markdown] exercise="corrupt_span" role="statement"
# Write these steps. `document` is a string. `rng` is a `random.Random`; draw every random number from it.
#
# 1. Draw a whole number from 4 to ⌊7/8 · `block_size`⌋, all equally likely. Keep that many characters from
#    the beginning of the document, or the whole document if it has fewer. $L$ is the number of characters
#    that you keep.
# 2. Choose a span of $m$ characters to mask. $m$ is random, at least 1 (0 only if nothing is there), and
#    $L/4$ on average for *every* $L$. A deviation of 1½ characters at most is allowed, because $L/4$ is often
#    not a whole number. Given $m$, every start from 0 to $L-m$ is equally likely.
# 3. Return the prefix, ⁇, the suffix, ⁇ and the span, joined into one string. Add no spaces, and keep all
#    spaces of the document.
#
# The empty document gives `⁇⁇`. Do not pad the row here.


# %% exercise="corrupt_span" role="solution"
def corrupt_span(document, block_size, rng):
    """A corrupted copy of document (str): prefix ⁇ suffix ⁇ masked span, unpadded. rng is a random.Random."""
    raise NotImplementedError("exercise corrupt_span: replace this line with your answer")


# %% exercise="corrupt_span" role="check"
check("corrupt_span", corrupt_span)

# %% [markdown]
# How can a check judge a *random* function? It does so in two ways. It looks at single rows: is each of them made
# of its document? And it looks at thousands of rows: averages, smallest and largest values, and where the spans
# are. Its limits are so wide that it refuses a right answer less than once in a million times.
#
# Here are four rows of yours, and the share of the kept text that your spans mask. It should be close to a
# quarter.


# %%
def pieces(rows):
    """(kept length, start of the span, length of the span) of each corrupted row."""
    parts = [row.split("⁇") for row in rows]
    return [(sum(map(len, part)), len(part[0]), len(part[2])) for part in parts]


rng = random.Random(6)
rows = attempted(lambda: [corrupt_span(lines[1], 128, rng) for _ in range(5_000)])
if rows is not None:
    print(*rows[:4], sep="\n")
    kept, _, masked = zip(*pieces(rows), strict=True)
    print(f"masked: {100 * sum(masked) / sum(kept):.1f} % of what is kept")

# %% [markdown]
# ### Break it
#
# A data loader can use several *workers*: processes that prepare batches side by side. Each of them gets a
# copy of the random generator. If all copies start from the same seed, all workers draw the same masks, and
# they draw them again in the next epoch. Nothing crashes, and the loss falls. Here is this mistake in one
# line. The check notices it.


# %% tags=["raises-exception"]
def same_mask_every_time(document, block_size, rng):
    return corrupt_span(document, block_size, random.Random(0))


check("corrupt_span", same_mask_every_time, record=False)

# %% [markdown]
# > **Takeaway.** Span corruption turns a line into `prefix ⁇ suffix ⁇ span`, with a new random span in each
# > epoch. It masks a quarter of the kept text. But every character of the row is a target, masked or not.

# %% [markdown]
# ## A training set
#
# Training needs numbers: the index of every character, $x$ and $y$ shifted by one, all rows of one length.
#
# **Example.** Let the block size be 8 and the row `a⁇c⁇b`. Padded, it is `a⁇c⁇b□□□`. With the indices □ 0, ⁇
# 1, a 2, b 3 and c 4, it becomes $(2, 1, 4, 1, 3, 0, 0, 0)$. So $x=(2,1,4,1,3,0,0)$ and $y=(1,4,1,3,0,0,0)$.

# %% [markdown] exercise="corruption_example" role="statement"
# Return `(x, y)` for one document: corrupt it as before, pad the row at its end with □ to `block_size`
# characters, and replace each character by its index in the dictionary `stoi`. x is the row without its last
# character, y the row without its first, both long tensors of shape `(block_size - 1,)`. Every character of
# the row stays a target.
#
# Call your `corrupt_span`. (This exercise does not check again how often each span is drawn.)


# %% exercise="corruption_example" role="solution"
def corruption_example(document, block_size, stoi, rng):
    """Inputs x and targets y of one corrupted document: two long tensors (block_size - 1,)."""
    raise NotImplementedError("exercise corruption_example: replace this line with your answer")


# %% exercise="corruption_example" role="check"
check("corruption_example", corruption_example)

# %% [markdown]
# With your function, a dataset takes a few lines more. It corrupts a document *when it is asked for*: the
# same index gives another row in the next epoch.


# %%
class CorruptionDataset(torch.utils.data.Dataset):
    """Documents, each corrupted anew whenever it is taken."""

    def __init__(self, documents, block_size, stoi, seed):
        self.documents, self.block_size, self.stoi = documents, block_size, stoi
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.documents)

    def __getitem__(self, i):
        return corruption_example(self.documents[i], self.block_size, self.stoi, self.rng)


letters = Vocabulary.from_text("".join(lines))
dataset = CorruptionDataset(lines, 96, letters.index, seed=3)
for epoch in (1, 2):
    example = attempted(lambda: dataset[1])
    if example is not None:
        print(f"epoch {epoch}: x", letters.decode(example[0]))
        print("         y", letters.decode(example[1]))

# %% [markdown]
# The class also has the weakness that you saw in *Break it*: the generator belongs to the dataset. A
# `DataLoader` with two workers copies the dataset, and so both copies draw the same numbers, again in each
# epoch. In one process, as here, there is only one copy. For several workers, give each copy a new generator
# in the loader's `worker_init_fn`, with the seed `torch.initial_seed()`: it differs from worker to worker and
# from epoch to epoch.
#
# > **Takeaway.** A dataset for pretraining draws a new corruption every time a document is taken. The model
# > hardly ever sees the same row twice.

# %% [markdown]
# ---
# # Part 2. What a model is asked to predict
#
# ## Where the spans are (optional)
#
# **Question.** Two questions sound alike, and have very different answers. How often is one given character
# masked? And how often are ten characters in a row masked *together*, as the name of a place would have to
# be?
#
# **Predict.** Take the second half of a line of 117 characters. In what percentage of the rows is one
# character masked there, and in what percentage are ten together? Guess both before you run the next cell.

# %% tags=["nbval-ignore-output"]
long_rows = attempted(lambda: [corrupt_span(lines[2], 128, rng) for _ in range(5_000)])
(
    still(draw_roles, (9, 3.6), cuts=pieces(long_rows), total=len(lines[2]), width=10)
    if long_rows is not None
    else None
)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# A single character in the second half is masked in 15 % of the rows or fewer, ten together in 9 % or fewer.
# Towards the end of the line, both shrink to nothing. (The exact shares depend on how your function draws $L$
# and $m$. These are for even draws.)
#
# </details>
#
# The picture shows, for each character of the line, what happens to it in your 5,000 rows. In the upper area
# the character is cut off. In the middle area it is kept, but not masked, so it is predicted from its left.
# In the hatched area it is masked. The dashed line is the share of rows in which this character and the nine
# after it are masked together.
#
# The dashed line rises at first, because few spans cover the first characters of a line. It falls later,
# because a line that was cut short has no late characters. This explains the third line of the opening: its
# place ends after character 112, and a line is never kept that long.
#
# > **Takeaway.** How often a single *character* is masked says little about how often a *fact* is masked. A
# > fact is masked only if the span covers all of it, and late facts are mostly cut off.

# %% [markdown]
# ## How often is a fact masked? (optional)
#
# Counting in a simulation gives a number, and with another seed another number. It does not say why. So let
# us derive it.
#
# The lengths $L$ and $m$ are drawn first. Their *distribution* is a table that gives each pair $(L, m)$ its
# probability. Then the start $s$ is drawn evenly from $0, 1, \dots, L-m$. The span covers the characters
# $s, \dots, s+m-1$.
#
# **Example.** Suppose that always $L=8$ and $m=5$. The start can be 0, 1, 2 or 3. The fact is at characters 5
# and 6. Which spans cover it?
#
# | start $s$ | span covers | covers 5 and 6? |
# |---|---|---|
# | 0 | 0 to 4 | no |
# | 1 | 1 to 5 | no: 6 is missing |
# | 2 | 2 to 6 | yes |
# | 3 | 3 to 7 | yes |
#
# Two of four starts, so the fact is masked with probability $\frac12$. In 100 epochs we expect 50.
#
# **Predict.** What if in half of the epochs $L=6$ and $m=4$?
#
# <details><summary><b>Answer</b></summary>
#
# Then character 6 is cut off in these epochs, and the fact cannot be masked. We expect
# $100\cdot(\frac12\cdot\frac12+\frac12\cdot 0)=25$.
#
# </details>

# %% [markdown] exercise="exposures" role="statement"
# `law` is the distribution: a dictionary from pairs `(L, m)` to probabilities, which add up to 1. Return in
# how many of `epochs` epochs you expect that all characters `start`, …, `stop - 1` of a line are masked
# together (`start < stop`). Each epoch draws anew. The result is a float. Leave `law` as it is.


# %% exercise="exposures" role="solution"
def exposures(law, start, stop, epochs):
    """The expected number of epochs in which characters start … stop − 1 are all masked.
    law: {(L, m): probability}.
    """
    raise NotImplementedError("exercise exposures: replace this line with your answer")


# %% exercise="exposures" role="check"
check("exposures", exposures)

# %% [markdown]
# Now compare your formula with counting, for ten characters at different places of the third line. The
# distribution of $(L, m)$ is counted in your own 5,000 rows. The two numbers need not agree exactly: the
# formula uses the fact that all starts are equally likely, and the simulation has drawn only some of them.

# %%
if long_rows is not None:
    drawn = pieces(long_rows)
    law = {pair: count / len(drawn) for pair, count in Counter((L, m) for L, _, m in drawn).items()}
    for first in (20, 50, 80, 100):
        derived = attempted(exposures, law, first, first + 10, 650)
        if derived is None:
            break
        counted = sum(start <= first and first + 10 <= start + m for _, start, m in drawn)
        print(
            f"characters {first:3} to {first + 9:3}: derived {float(derived):5.1f}, "
            f"counted {650 * counted / len(drawn):5.1f} of 650 epochs"
        )

# %% [markdown]
# Even at the best place, a fact of ten characters is masked in about one epoch of seven, and near the end of
# a long line almost never. This does not mean that the model cannot learn it: if the fact is kept, it is
# still a target, predicted from its left. But such a target looks less like a question. You test in notebook
# 07 how much a model learns from all of this.
#
# A later recipe masks names, places and years on purpose (*salient spans*, Guu et al. 2020). You meet it in
# notebook 08b (optional).

# %% [markdown] exercise="why_spans" role="statement"
# Write a corrupted row about a person and a finetuning row about the same person under each other. Then
# answer in four to six sentences.
#
# 1. What do the two rows have in common, and what must a model have stored to get the end of either one
#    right?
# 2. Why is the suffix placed *before* the masked span, and why is the span drawn anew in every epoch?
# 3. The loss is on every character. What else does the model learn from a row, besides filling the gap?

# %% [markdown] exercise="why_spans" role="written"
# (your answer)

# %% [markdown]
# ## Your pretraining rows
#
# In notebook 07 you pretrain a model on your own rows. The text there is a *small world*: documents about
# invented people, and questions about their birthplaces. The next cell takes one batch of your rows from this
# text, as training will.

# %%
corpus = read_corpus(shipped("world/small"))
world_set = CorruptionDataset(corpus.documents, 128, corpus.vocabulary.index, seed=0)
batch = attempted(lambda: [world_set[i] for i in range(64)])
if batch is not None:
    xs, ys = (torch.stack(each) for each in zip(*batch, strict=True))  # (64, 127) each
    print(
        f"{len(world_set)} documents, {len(corpus.vocabulary)} different characters; one batch: x and y"
        f" {tuple(xs.shape)}"
    )
    for row in xs[:3]:
        print(corpus.vocabulary.decode(row).rstrip("□"))
    print(f"targets that are not padding: {100 * (ys != 0).double().mean():.0f} %")

# %% [markdown]
# More than half of the batch is padding: of 127 targets in a row, about 50 count. Padding costs computing
# time, although it has no loss. Notebook 07 cuts off the columns that are padding in every row.
#
# **Keep your `corrupt_span`.** The third part of notebook 07 asks you to paste it there, and pretrains a
# model on its rows.
#
# <details><summary><b>Going deeper (optional): the same, all rows of a batch at once</b></summary>
#
# A Python function that is called for each line is slow: corrupting 64 lines can take a good part of the time
# of a training step. The course's own training puts all documents end to end into one tensor. For each
# position of each row, it computes from which index of that tensor the character comes, and then gathers all
# characters in one operation (`kqa bench corruption` measures the difference).
#
# Its random numbers do not come from a generator that moves on. They are a function of three numbers: seed,
# step and row (a *counter-based* generator, Salmon et al. 2011). So a batch is the same on every machine,
# with any number of workers, and after a restart in the middle of an epoch. The mistake of *Break it* cannot
# happen. `corrupt_batch` in `kqa_core.text` is this function.
#
# </details>

# %%
progress()

# %% [markdown]
# ## Summary
#
# - A finetuning row is `question ⁇ answer ⁇`, with a loss on the answer and the two ⁇ only.
# - A corrupted row is `prefix ⁇ suffix ⁇ span`, with a loss on every character. Both rows end with a piece
#   that is missing from the text before it.
# - Three random numbers determine a row: how much is kept, how long the span is, where it starts.
# - (Optional part) A fact is masked only if the span covers it completely. How often this happens depends on where the fact
#   is in its line.
#
# ## Test yourself
#
# **1.** A row is `Bo Li⁇Ty.⁇. Born in `. Which line was corrupted, and what was masked?
#
# <details><summary><b>Answer</b></summary>
#
# Prefix + span + suffix: `Bo Li` + `. Born in ` + `Ty.` gives `Bo Li. Born in Ty.` The masked span is
# `. Born in `.
#
# </details>
#
# **2.** Your friend says: "The model was never asked for Dunmore, because Dunmore was never masked." Is that
# right?
#
# <details><summary><b>Answer</b></summary>
#
# Only if Dunmore was also cut off every time. If it was kept, it was a target in the prefix or in the suffix,
# predicted from the text to its left.
#
# </details>
#
# **3.** (Optional part) Always $L=10$ and $m=2$. In how many of 90 epochs do you expect that characters 4 and 5 are both
# masked?
#
# <details><summary><b>Answer</b></summary>
#
# The start is one of $0, \dots, 8$, nine values. Only start 4 covers both. So $90\cdot\frac19=10$.
#
# </details>

# %% [markdown]
# **Next:** [07 Pretrain, finetune,
# evaluate](../07_pretrain_finetune_evaluate/07_pretrain_finetune_evaluate.ipynb). There you train a model
# on these rows and measure what it knows.
