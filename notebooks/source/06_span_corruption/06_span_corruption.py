# %% [markdown]
# # Span corruption
#
# Here are three lines about one person, who never lived. Each tells where she was born. A model reads all three once an
# epoch, for 650 epochs, and each time a piece of the line is hidden, which the model must then write. How often is it
# asked for *Dunmore*?

# %% role="setup"
import math  # for your answers
import random
from collections import Counter
from fractions import Fraction  # for your answers

import numpy as np  # for your answers
import torch

from kqa_core.check import attempted, check, hint, progress  # hint("…") gives hints
from kqa_core.text import DocumentTable, NameDataset, Pair, Vocabulary, spans

# %%
lines = [
    "Margia Tortelli. A native of Dunmore, Margia Tortelli was an organist. Tortelli died in Vodice in 1956.",
    "Margia Tortelli. Margia Tortelli, an organist, was born in Dunmore in 1869.",
    "Margia Tortelli. The first works of Margia Tortelli date from 1893. Tortelli was born on 7 September 1869 in Dunmore.",
]
table = DocumentTable(lines, Vocabulary.from_text("".join(lines)))
for number, line in enumerate(lines):
    place, end = line.index("Dunmore"), line.index("Dunmore") + len("Dunmore")
    _, start, masked = spans(table, torch.full((650,), number), block_size=128, seed=1, step=torch.arange(650))
    whole = (start <= place) & (end <= start + masked)
    print(f"Dunmore at characters {place} to {end - 1}: asked for as a whole {int(whole.sum()):3} times in 650 epochs")

# %% [markdown]
# All three lines were read equally often. From the last one, the model was never once asked where she was born.
#
# A model that is trained this way learns what it is asked for, so much of what it will know is decided before training
# begins, in a function of ten lines. You write it here. When you leave this notebook you can
#
# 1. say at which characters of a finetuning row the loss looks, and why not at the others,
# 2. write span corruption, and test a random function by its structure and its distribution,
# 3. turn a corrupted line into the two tensors that training takes,
# 4. derive how often a place is asked for, and check the derivation against a simulation,
# 5. say what a corrupted line and a question have in common.

# %% [markdown]
# ## What finetuning reads
#
# Begin at the end. After pretraining, the model is shown questions with their answers. Each becomes one row of
# `block_size` characters: the question, the sign ⁇, the place, ⁇ again, and then □ up to the end. ⁇ says *now you*, and
# *that was all*; □ only fills up.
#
# A language model learns to say the next character, so the row is used twice: x is all of it but the last character, y
# all of it but the first. Then y[t] is what follows x[t]. In y, the part that would ask for the question itself is
# replaced by □, whose index is 0, and the loss skips every target with index 0: nobody wants the model to guess whom it
# will be asked about.

# %%
pair = Pair("Where was Bo born?", "Ty")
vocabulary = Vocabulary.from_text(pair.question + pair.answer)
x, y = NameDataset([pair], vocabulary, block_size=32)[0]
print("x", vocabulary.decode(x))
print("y", vocabulary.decode(y))

# %% [markdown] exercise="loss_positions" role="statement"
# At which positions does the loss look? Given `question` and `answer`, two strings, and `block_size`, return the list of
# all t, counted from 0, at which y[t] is not □. You may assume that the row fits into the block.


# %% exercise="loss_positions" role="solution"
def loss_positions(question, answer, block_size):
    """The positions t, from 0, at which the target y[t] of this pair's row is not □: a list of ints."""
    raise NotImplementedError("exercise loss_positions: replace this line with your answer")


# %% exercise="loss_positions" role="check"
check("loss_positions", loss_positions)

# %% [markdown]
# Here they are under the row. There are two more of them than the place has characters.

# %%
places = attempted(loss_positions, pair.question, pair.answer, 32)
if places is not None:
    print("x", vocabulary.decode(x))
    print("y", vocabulary.decode(y))
    print(" ", "".join("^" if t in list(places) else " " for t in range(31)))

# %% [markdown]
# ## What pretraining reads
#
# A line of the text has no question in it. Span corruption makes one of it, in four steps. Go back to the first with *step
# back*, then forward, and watch where each character goes. Then move `epoch`, to see that chance decides anew each time: how
# much of the line is kept, how long the hidden span is, and where it begins.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_hidden, span_stepper, still

SHORT = "Owain Penlan. Penlan was a weaver born in Aberwyn."
short_table = DocumentTable([SHORT], Vocabulary.from_text(SHORT))
cuts = [tuple(map(int, spans(short_table, torch.tensor([0]), 64, seed=6, step=epoch))) for epoch in range(1, 61)]

span_stepper(SHORT, cuts, 64, stage=4, epoch=6)

# %% [markdown]
# The model reads from left to right. When it arrives at the second ⁇, it has seen what stood before the gap and what
# stood behind it; now it must write what is missing. Compare the end of such a row with the end of a finetuning row: ⁇,
# the missing piece, and nothing more.

# %% [markdown] exercise="corrupt_span" role="statement"
# Write the first three steps. `document` is a string, `rng` a `random.Random`, from which you draw every random number.
#
# 1. Keep the first L characters of the document, L random, at least 4 and at most ⌊7/8 · `block_size`⌋ (and no more than
#    there are). Every length from the smallest to the largest may occur. A document of fewer than 4 characters is kept as
#    it is.
# 2. Of what is kept, choose a span to hide. Its length is random, at least 1 where there is a character at all, and L/4
#    on average, whatever L is (off by 1½ characters at most). Given its length, every position of it within the kept text
#    is equally likely.
# 3. Return `prefix ⁇ suffix ⁇ span` as one string without the blanks: what stood before the span, what stood behind it,
#    and the span.
#
# From the empty document comes `⁇⁇`. Nothing is padded here.


# %% exercise="corrupt_span" role="solution"
def corrupt_span(document, block_size, rng):
    """A corrupted copy of document (str): prefix ⁇ suffix ⁇ masked span, unpadded. rng is a random.Random."""
    raise NotImplementedError("exercise corrupt_span: replace this line with your answer")


# %% exercise="corrupt_span" role="check"
check("corrupt_span", corrupt_span)

# %% [markdown]
# The visible check looks at single rows: whether each is made of its document. What is handed in is also judged as a
# whole, by thousands of rows: averages, ranges, and where the spans lie. A right answer is refused by bad luck less than
# once in a million times.
#
# Some rows of yours, and the share of the kept text that your spans hide. It should be close to a quarter.


# %%
def pieces(rows):
    """(kept length, start of the span, length of the span) of each corrupted row."""
    parts = [row.split("⁇") for row in rows]
    return [(sum(map(len, part)), len(part[0]), len(part[2])) for part in parts]


rng = random.Random(6)
rows = attempted(lambda: [corrupt_span(lines[2], 128, rng) for _ in range(5_000)])
if rows is not None:
    print(*rows[:4], sep="\n")
    kept, _, hidden = zip(*pieces(rows), strict=True)
    print(f"hidden: {100 * sum(hidden) / sum(kept):.1f} % of what is kept")

# %% [markdown]
# ## Where the spans lie
#
# Two questions that sound alike have very different answers: how often is one given character hidden, and how often are
# ten in a row hidden together, as a place's name would have to be? Before you run the next cell, guess both for the
# characters from 80 on.

# %% tags=["nbval-ignore-output"]
still(draw_hidden, (8, 3.5), cuts=pieces(rows), width=10) if rows is not None else None

# %% [markdown]
# The curve rises at first, because few spans reach the very beginning, and falls later, because a line that was cut short
# has no late characters to hide. That is why the third line of the opening taught nothing: its place ends behind
# character 112, and a line is never kept that long. Of the 500 birthplaces that the original assignment asks for, 479
# stand in the text, but only 462 of them before that border.
#
# ## Break it
#
# A data loader with several workers copies its random generator into each of them. If all start from one seed, all draw
# the same masks, and so they do again in the next epoch. Nothing crashes and the loss falls nicely. Here is that mistake
# in one line; the check notices.


# %% tags=["raises-exception"]
def same_mask_every_time(document, block_size, rng):
    return corrupt_span(document, block_size, random.Random(0))


check("corrupt_span", same_mask_every_time, record=False)

# %% [markdown]
# ## Into tensors
#
# Training takes numbers: every character's index, x and y one place apart, all rows of one length.

# %% [markdown] exercise="corruption_example" role="statement"
# Return `(x, y)` for one document: corrupt it as before, fill the row up with □ at its end to `block_size` characters,
# and replace each character by its index in the dictionary `stoi`. x is the row without its last character, y the row
# without its first, both long tensors of shape `(block_size - 1,)`. Unlike in finetuning, every character of the row
# stays a target. You may call your `corrupt_span`.


# %% exercise="corruption_example" role="solution"
def corruption_example(document, block_size, stoi, rng):
    """Inputs x and targets y of one corrupted document: two long tensors (block_size - 1,)."""
    raise NotImplementedError("exercise corruption_example: replace this line with your answer")


# %% exercise="corruption_example" role="check"
check("corruption_example", corruption_example)

# %%
letters = Vocabulary.from_text("".join(lines))
example = attempted(corruption_example, lines[1], 96, letters.index, random.Random(3))
if example is not None:
    print("x", letters.decode(example[0]))
    print("y", letters.decode(example[1]))

# %% [markdown]
# ## How often is a place asked for?
#
# The opening counted. Counting again with another seed gives another number, and it does not say why. So derive it.
#
# Let L be the kept length and m the length of the span. They are drawn first, by some law: a table that gives each pair
# (L, m) its probability. Then the span's start is drawn, evenly from 0, 1, …, L − m. A place is asked for as a whole if
# all its characters lie in the span.

# %% [markdown] exercise="exposures" role="statement"
# `law` is a dictionary from pairs `(L, m)` to probabilities, which add up to 1. Return in how many of `epochs` epochs you
# expect the characters number `start`, …, `stop - 1` of a line to lie wholly inside the hidden span. Each epoch draws
# anew. The result is a float.


# %% exercise="exposures" role="solution"
def exposures(law, start, stop, epochs):
    """The expected number of epochs in which characters start … stop − 1 are all hidden. law: {(L, m): probability}."""
    raise NotImplementedError("exercise exposures: replace this line with your answer")


# %% exercise="exposures" role="check"
check("exposures", exposures)

# %% [markdown]
# Now both ways at once, for ten characters at 50 to 59 of a long line, in 650 epochs. The law is read off your own 5,000
# rows; the simulation counts in the same rows. They need not agree exactly: the derivation knows that every start is
# equally likely, the simulation has only seen some of them.

# %%
if rows is not None:
    law = {pair: count / len(rows) for pair, count in Counter((kept, hidden) for kept, _, hidden in pieces(rows)).items()}
    for first in (20, 50, 80, 100):
        derived = attempted(exposures, law, first, first + 10, 650)
        if derived is None:
            break
        seen = sum(start <= first and first + 10 <= start + hidden for _, start, hidden in pieces(rows))
        simulated = 650 * seen / len(rows)
        print(f"characters {first} to {first + 9}: derived {float(derived):5.1f}, simulated {simulated:5.1f} of 650 epochs")

# %% [markdown]
# One time in ten at best halfway down the line, hardly ever near its end. It is not that the model is too small to
# remember: it is seldom asked. In the next notebook you see what that costs, and one of the later recipes hides names,
# places and years on purpose.

# %% [markdown] exercise="why_spans" role="statement"
# Put a corrupted line and a finetuning row under each other. In three or four sentences: What have the two in common, and
# what must a model have stored to get the end of either right? Why does the suffix stand *before* the hidden span, and
# why is the span drawn anew in every epoch?

# %% [markdown] exercise="why_spans" role="written"
# (your answer)

# %% [markdown]
# ## All rows of a batch at once
#
# A function called once per line, in Python, is slow: 128 lines can take as long as a good part of the training step
# itself. The course's own training does it with a table. All documents lie end to end in one tensor; for each place of
# each row it is worked out from which place of that tensor its character comes, and then all are gathered in one go. That
# is more than ten times as fast for one batch, and more than twenty times if several are drawn at once, as training does
# (`kqa bench corruption` measures it).
#
# Its random numbers do not come from a generator that moves on, but from a counter: they are a function of seed, step and
# row. So a batch is the same on every machine, with any number of workers, and after a restart in the middle of an epoch.

# %%
from kqa_core.text import corrupt_batch

rows_alone, _ = corrupt_batch(table, torch.tensor([2]), block_size=128, seed=1, step=40)
rows_together, _ = corrupt_batch(table, torch.tensor([0, 1, 2]), block_size=128, seed=1, step=40)
print(letters.decode(rows_alone[0]).rstrip("□"))
print("the same in a batch of three:", torch.equal(rows_alone[0], rows_together[2]))

# %% tags=["nbval-ignore-output"]
if torch.cuda.is_available():
    print("This machine has a GPU: training keeps the table there, and no batch ever crosses from the processor.")
else:
    print("No GPU here, and none needed: on one, training would keep the table in its memory and draw the batches there.")

# %%
progress()

# %% [markdown]
# Next: **07 pretrain, finetune, evaluate**, where it turns out what the model made of all this.
