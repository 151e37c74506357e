# %% [markdown]
# # Mini-Transformer lab
#
# A published run of this lab reports a small change with a great effect. The heads of a small language model are
# *re-weighted*: each is multiplied by its own matrix norm. These are its perplexities (lower is better):

# %% role="setup"
import math
import random  # for your answers
import statistics  # for your answers

import numpy as np  # for your answers
import torch
import torch.nn.functional as F  # for your answers

from kqa_core.check import attempted, check, hint, progress  # hint("…") gives hints
from kqa_core.stats import t_quantile  # for your answers

# %%
from kqa_core.experiments import PUBLISHED

for row, name in (("learned", "plain model"), ("norm-reweight", "heads re-weighted")):
    for where, value in PUBLISHED[row].items():
        print(f"{name:18} {where:16} {value:12,.1f}")

# %% [markdown]
# A tenth better on the text it was trained on, a tenth better on text it had never seen; and then a single sentence, on which
# it does six thousand times worse, worse than a blind guess among two million words. That is no bad luck. Something is wrong
# with this model, and in this notebook you find out what, by experiment.
#
# When you leave it you can
#
# 1. say what a perplexity means, and what a scrambled and a long sentence tell about a model,
# 2. tell a model where it is in four ways, and see what each of them costs; turn queries and keys by their positions, and say
#    what goes wrong if one sign is wrong,
# 3. write a probe that finds out whether any function reads the future, without looking into it,
# 4. mend a leak, and prove by experiment that it was the leak that made a model look good,
# 5. say whether a difference between two rows of a table is a difference.

# %% [markdown]
# ## The lab
#
# The model has 3 layers, 3 heads and 48 channels. It reads words. The published run read real English; ours reads
# 3,000 lines about people who never were, made on the spot, with under 700 different words. That keeps a run down to
# seconds, so that we can do what the published one could not: train every row of the table three times, from three seeds.
# It also means that our perplexities are small numbers. Look at which row is better and by what share, not at the size.
#
# For training, all lines stand end to end and are cut into rows of 32 words, wherever that falls; 24 rows are read at once.
# A *sentence* is read alone, at its own length. These are the kinds there are:

# %%
from kqa_core.experiments import ROWS, lab_text

text = lab_text()
print(f"{len(text.vocabulary)} words, {len(text.train):,} to train on, {len(text.dev):,} in dev")
for name, sentences in (("normal", text.normal), ("scrambled", text.scrambled), ("long", text.long)):
    sentence = text.read(sentences[0])
    print(f"\n{name}: {len(sentences)} sentences of {statistics.fmean(map(len, sentences)):.0f} words on average, such as")
    print(sentence if len(sentence) < 200 else sentence[:200] + " …")

# %% [markdown]
# The sign ⏎ stands for the end of a line. A long sentence has 96 words, three times as many as any row that was trained on.
#
# ## Perplexity
#
# A model gives each word that could come next a probability. Its *loss* is minus the logarithm of the probability that it
# gave to the word that did come; its *perplexity* says the same as a number of words.

# %% [markdown] exercise="perplexity" role="statement"
# `logits` has shape (B, T, V), `targets` (B, T) holds the words that came, as numbers from 0 to V − 1. A target of 0 is
# padding and counts for nothing. Return the perplexity: e to the mean loss, in nats, over all targets of the batch that are
# not padding. A number will do, Python's or torch's.


# %% exercise="perplexity" role="solution"
def perplexity(logits, targets):
    """e to the mean loss over the targets that are not 0. logits (B, T, V), targets (B, T)."""
    raise NotImplementedError("exercise perplexity: replace this line with your answer")


# %% exercise="perplexity" role="check"
check("perplexity", perplexity)

# %% [markdown]
# The first sentence of dev, to a model that has not been trained at all, and to one that has seen 60 batches.

# %% tags=["nbval-ignore-output"]
from kqa_core.experiments import lab_model, train_lab

torch.set_num_threads(1)  # so small a model gains nothing from more
sentence = text.normal[0]
for name, model in (
    ("fresh", lab_model(len(text.vocabulary), ROWS["learned"], seed=0).eval()),
    ("60 batches", train_lab(text, ROWS["learned"], seed=0, steps=60)),
):
    with torch.no_grad():
        logits, _ = model(sentence[None, :-1])
    found = attempted(perplexity, logits, sentence[None, 1:])
    if found is not None:
        print(f"{name:10} perplexity {float(found):6.1f} of {len(text.vocabulary)} words")

# %% [markdown]
# ## Where am I?
#
# Attention reads a set: it does not know which word came first. The lab compares four ways of telling it. *Learned*: a
# trained row per position is added to the word. *Sinusoidal*: a fixed row of waves is added. *Rotary*: nothing is added, but
# queries and keys are turned by an angle that grows with the position. *None*.
#
# The waves you write yourself. Think of a clock with many hands. Each pair of columns is the tip of one hand; the first hand
# turns by one radian a position, and every next one is slower.

# %% [markdown] exercise="sinusoidal_positions" role="statement"
# Return the waves of Vaswani et al. (2017, section 3.5) for positions 0 … T − 1 as a float tensor of shape (T, d), d even:
# at position t, column 2m holds sin(t · 10000^(−2m/d)), and column 2m + 1 the cosine of the same angle.


# %% exercise="sinusoidal_positions" role="solution"
def sinusoidal_positions(T, d):
    """Sines in the even columns, cosines in the odd ones: a float tensor (T, d)."""
    raise NotImplementedError("exercise sinusoidal_positions: replace this line with your answer")


# %% exercise="sinusoidal_positions" role="check"
check("sinusoidal_positions", sinusoidal_positions)

# %% [markdown]
# The product of two rows of your table, for pairs of positions with the same distance between them:

# %%
waves = attempted(sinusoidal_positions, 96, 48)
if isinstance(waves, torch.Tensor):
    for distance in (0, 1, 5, 20):
        products = [float(waves[t].double() @ waves[t + distance].double()) for t in (0, 10, 70)]
        print(f"distance {distance:2}: " + "  ".join(f"{each:6.2f}" for each in products))

# %% [markdown]
# It does not matter where the two stand: $\sin a \sin b + \cos a \cos b = \cos(a - b)$, so the product is a sum of
# $\cos((t - s)\,\omega_m)$ over the hands.

# %% [markdown]
# ### Rotary positions
#
# Learned and sinusoidal positions are added to the word. *Rotary positions* (RoPE) add nothing. They turn queries and keys:
# channels 2i and 2i + 1 are a point in a plane, and at position t it is turned by the angle $\varphi = t \cdot \theta^{-2i/d}$,
#
# $$(a, b) \mapsto (a \cos\varphi - b \sin\varphi,\ a \sin\varphi + b \cos\varphi).$$

# %% [markdown] exercise="rope" role="statement"
# Turn `x` of shape (…, T, d), with d even and any leading axes. Position t is the index along the axis before the last;
# the first does not turn. Keep shape, dtype and device.


# %% exercise="rope" role="solution"
def rope(x, theta=10000.0):
    """Rotary positions: x (…, T, d) → (…, T, d), pair (2i, 2i + 1) at position t turned by t · theta^(−2i/d)."""
    raise NotImplementedError("exercise rope: replace this line with your answer")


# %% exercise="rope" role="check"
check("rope", rope)

# %% [markdown]
# Two rotations meet in a dot product as their difference, so the logit of a query at t and a key at s depends on t − s
# alone. The same query and key, first at 5 and 2, then at 50 and 47:

# %%
generator = torch.Generator().manual_seed(3)
q_one, k_one = (torch.randn(1, 8, generator=generator, dtype=torch.float64).expand(60, 8) for _ in range(2))
turned = [attempted(rope, each) for each in (q_one, k_one)]
if turned[0] is not None and turned[1] is not None:
    for t, s in ((5, 2), (50, 47), (50, 20)):
        print(f"query at {t:2}, key at {s:2}: logit {float(turned[0][t] @ turned[1][s]):8.5f}")

# %% [markdown]
# Turn it yourself. Each clock is a pair of channels; the curve is the logit of a query and a key that are alike. Fast
# pairs tell neighbours apart, slow ones tell near from far. Then choose the other sign in the exponent, which has been in
# print: what is left of near and far?

# %%
from kqa_core.show import rotary_slider

rotary_slider(distance=8)

# %% [markdown] exercise="rotary_attention" role="statement"
# Now put it where it belongs. `q`, `k` and `v` are (N, n_head, T, d_head), already split into heads. Return causal
# attention with rotary positions (theta = 10000), of the same shape, scores divided by √d_head.


# %% exercise="rotary_attention" role="solution"
def rotary_attention(q, k, v):
    """Causal attention with rotary positions: q, k, v (N, n_head, T, d_head) → (N, n_head, T, d_head)."""
    raise NotImplementedError("exercise rotary_attention: replace this line with your answer")


# %% exercise="rotary_attention" role="check"
check("rotary_attention", rotary_attention)

# %% [markdown]
# ### Break it: the other sign
#
# Take your rope and give it 1/theta for theta. That is the exponent with the wrong sign. The first pair turns as before,
# lengths stay, and logits still depend on distance alone: every property you would think of testing still holds.


# %% tags=["raises-exception"]
def other_sign(x, theta=10000.0):
    return rope(x, 1 / theta)


sample = torch.randn(5, 8, generator=generator, dtype=torch.float64)
broken = attempted(other_sign, sample)
if broken is not None:
    print("lengths stay:", torch.allclose(broken.norm(dim=-1), sample.norm(dim=-1)))
check("rope", other_sign)

# %% [markdown]
# ### Three kinds of positions
#
# With sinusoidal and with rotary positions, the distance alone counts. Learned rows have to find such things out for themselves,
# and rows that never occurred in training have found out nothing. Compare the three kinds, and move `position` beyond 31.

# %% tags=["nbval-ignore-output"]
from kqa_core.experiments import ROW
from kqa_core.show import draw_positions, live_figure

learned_rows = train_lab(text, ROWS["learned"], seed=1, steps=60).position_embedding


def positions_figure(figure, kind, position):
    return draw_positions(figure, kind, position, learned_rows, ROW)


live_figure(positions_figure, width=10, height=3.6, kind=["sinusoidal", "rotary", "learned"], position=(0, 95, 1, 20))

# %% [markdown]
# Now the recorded table: for each row the mean over three seeds, ± the standard deviation between them. It was made by
# `kqa bench mini_transformer`, in 400 batches a run.

# %%
from kqa_core.experiments import recorded_lab

results = recorded_lab()
sentences = ("train", "dev", "normal", "scrambled", "long")
print(results.table(rows=("learned", "sinusoidal", "rotary", "none"), columns=sentences))

# %% [markdown]
# Where rows are as long as in training, the four are close. That even *none* does well is the causal mask's doing: the first
# position reads one word, the second two, so order is not lost. *Long* takes them apart. From position 32 on, learned rows are
# what they were at the start: zeros. The waves go on, but nobody has learnt to read these. Rotary positions only ever show the
# distance between two words, and most distances are the old ones; and where nothing was told, nothing is missing.

# %% [markdown] exercise="what_scrambling_tells" role="statement"
# Look at the column *scrambled*. In three or four sentences: What does the rise from *normal* to *scrambled* show that these
# models have learnt? What does it mean that they are worse there than a level guess among all words would be? And why does
# the row without positions suffer as much as the others?

# %% [markdown] exercise="what_scrambling_tells" role="written"
# (your answer)

# %% [markdown]
# ## What becomes of the heads
#
# After each head has read its share, the heads are laid side by side and projected. The lab does something to them in
# between. Two of its ideas only move them about.

# %% [markdown] exercise="rearrange_heads" role="statement"
# `heads` has shape (B, n_head, T, d_head). Return a tensor of the same shape with the heads in other places:
#
# - `how == "shift"`: each head takes the place of the next one, the last the place of the first,
# - `how == "shuffle"`: the heads in a random order, drawn anew at every call, one order for the whole batch; each order is as
#   likely as any other. Draw from the global generator of torch, numpy or Python, and do not seed it.


# %% exercise="rearrange_heads" role="solution"
def rearrange_heads(heads, how):
    """The heads (B, n_head, T, d_head) in other places; how is "shift" or "shuffle"."""
    raise NotImplementedError("exercise rearrange_heads: replace this line with your answer")


# %% exercise="rearrange_heads" role="check"
check("rearrange_heads", rearrange_heads)

# %%
heads = torch.arange(3.0)[None, :, None, None].expand(1, 3, 2, 2)  # head h is full of the number h
moved = attempted(rearrange_heads, heads, "shift")
if moved is not None:
    print("after a shift, places 0, 1, 2 hold heads", *(f"{head:.0f}" for head in moved[0, :, 0, 0]))
    orders = {tuple(rearrange_heads(heads, "shuffle")[0, :, 0, 0].tolist()) for _ in range(200)}
    print(f"in 200 shuffles they stood in {len(orders)} different orders")

# %% [markdown]
# The third idea is the one of the published run. The *matrix norm* (Frobenius) of a head is the root of the sum of the
# squares of all its entries, over all positions of the row and all channels:
#
# $$O_h \;\leftarrow\; O_h \cdot \frac{\lVert O_h \rVert_F}{\frac1n \sum_g \lVert O_g \rVert_F}$$

# %% [markdown] exercise="reweight_heads" role="statement"
# `heads` has shape (B, n_head, T, d_head). Multiply each head of each row of the batch by its Frobenius norm, over its
# T × d_head entries, and divide by the mean of the norms of all heads of the same row of the batch. Gradients must flow
# through all of it.


# %% exercise="reweight_heads" role="solution"
def reweight_heads(heads):
    """Each head times its matrix norm over the mean norm: (B, n_head, T, d_head), the same shape."""
    raise NotImplementedError("exercise reweight_heads: replace this line with your answer")


# %% exercise="reweight_heads" role="check"
check("reweight_heads", reweight_heads)

# %% [markdown]
# Three heads of the same kind, the second twice and the third three times as large as the first:

# %%
torch.manual_seed(5)
heads = torch.randn(1, 1, 8, 4).expand(1, 3, 8, 4) * torch.tensor([1.0, 2.0, 3.0])[None, :, None, None]
stronger = attempted(reweight_heads, heads)
if stronger is not None:
    before, after = ([f"{float(head.norm()):.1f}" for head in each[0]] for each in (heads, stronger))
    print("norms before", ", ".join(before))
    print("norms after ", ", ".join(after))

# %% [markdown]
# What do the three ideas bring? The recorded table:

# %%
print(results.table(rows=("learned", "shuffle", "shift", "norm-reweight"), columns=sentences))

# %% [markdown]
# Shuffling and shifting gain nothing. They could not: after a shift, the projection can have its columns shifted too, and an
# order drawn anew at each step only forces it to treat all heads alike. Re-weighting is better on train and dev, as in the
# published run: by four per cent, where that has nine. But here nothing collapses: its *normal* sentences are as good as
# anybody's. Half of the puzzle has come back.

# %% [markdown]
# ## Is a difference a difference?
#
# A second seed gives other figures. So the question is never whether two rows differ, but whether they differ by more than
# seeds alone would make them.

# %% [markdown] exercise="is_it_a_difference" role="statement"
# `first` and `second` are lists of n figures each (n ≥ 3), one per seed: two rows of a table. The i-th of both had the same
# seed. Return True if the means differ, at the level of 5 %, two-sided, by a t test; False if not. Paired, Welch's or
# Student's test: here each of them is right, and the cases that you are judged by are clear by all of them.
#
# `t_quantile(probability, degrees)` gives the quantile of Student's t: `t_quantile(0.975, 2)` is 4.303.


# %% exercise="is_it_a_difference" role="solution"
def is_it_a_difference(first, second):
    """Whether two lists of figures, one per seed, differ in their means by more than chance: a bool."""
    raise NotImplementedError("exercise is_it_a_difference: replace this line with your answer")


# %% exercise="is_it_a_difference" role="check"
check("is_it_a_difference", is_it_a_difference)

# %% [markdown]
# Your test on rows of the table, each against the plain model:

# %%
for row in ("shuffle", "shift", "norm-reweight"):
    for where in ("train", "dev", "normal"):
        mine, plain = results.perplexities(row, where), results.perplexities("learned", where)
        verdict = attempted(is_it_a_difference, mine, plain)
        if verdict is None:
            break
        ratio = statistics.fmean(mine) / statistics.fmean(plain)
        print(f"{row:14} {where:7} {ratio:.3f} of the plain model's   {'a difference' if verdict else 'not shown to differ'}")

# %% [markdown]
# What the re-weighting gains on train and dev, seeds alone would not make, whichever test you ask. The one per cent that the
# shuffle costs on dev is found by the paired test only: it knows that runs of one seed read the same batches, Welch's does not.
# And these are nine questions, each with one chance in twenty of a false alarm, so do not stake much on the narrow ones.
#
# The gain, then, is real, and that is the trouble: a real difference need not be a good one. It says *that* something has
# changed, not what.

# %% [markdown]
# ## The probe
#
# A language model may not read what it is to foretell. The mask sees to that in the attention, but attention is not all
# there is. So do not trust a mask: ask the whole function. If later inputs change and earlier outputs move, it reads the
# future, however it does it.

# %% [markdown] exercise="find_the_leak" role="statement"
# `forward` is any function from a float64 tensor (B, T, C) to one of the same shape; it gives the same output for the same
# input, and knows nothing of you. `x` is an input for it. Return True if any output of `forward` at any position t depends
# on any input at a later position, in any row of the batch; False if not.
#
# Some of the functions that you are judged by leak in one position only, some through a mean or a norm, some from one row of
# the batch to another, some by no more than one part in a million. The clean ones keep their earlier outputs to the last bit.
# Other rows' inputs at the same or an earlier position are not the future.


# %% exercise="find_the_leak" role="solution"
def find_the_leak(forward, x):
    """Whether some output of forward at position t depends on an input at a later one: a bool. x (B, T, C) in float64."""
    raise NotImplementedError("exercise find_the_leak: replace this line with your answer")


# %% exercise="find_the_leak" role="check"
check("find_the_leak", find_the_leak)

# %% [markdown]
# Now give it the attention layers of this notebook's models, fresh ones, in float64:

# %%
x = torch.randn(2, 8, 48, dtype=torch.float64)
for row in ("learned", "sinusoidal", "rotary", "none", "shuffle", "shift", "norm-reweight"):
    layer = lab_model(100, ROWS[row], seed=0).double().eval().blocks[0].attention
    verdict = attempted(find_the_leak, layer, x)
    if verdict is None:
        break
    print(f"{row:14} {'reads the future' if verdict else 'clean'}")

# %% [markdown]
# There it is. The mask is right, and yet the norm over the row is a number into which every position has put something, and
# every position is multiplied by it.
#
# How much comes through? Two models, trained for 150 batches here and now. Then each word of a sentence is exchanged for
# others, and you see at which positions the prediction moves. Below the diagonal is what a model should read.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import batch_curves, influence_maps

trained = {row: train_lab(text, ROWS[row], seed=0, steps=150) for row in ("learned", "norm-reweight")}
influence_maps(trained, text.normal[0], text.vocabulary)

# %% [markdown]
# The scale is logarithmic: what comes through from the future is mostly a hundredth of what is honestly read, or less. But it
# comes through to every position, and training has all the time in the world to make something of it.
#
# ## Break it
#
# A probe has enemies. Leave dropout on while you ask, and every output moves, whatever you change. The check notices.


# %% tags=["raises-exception"]
def with_dropout_on(forward, x):
    return find_the_leak(lambda x: torch.nn.functional.dropout(forward(x), 0.1), x)


check("find_the_leak", with_dropout_on)

# %% [markdown]
# ## The repair
#
# The idea of the re-weighting needs no future. At position t, the norms can be those of what there is up to t.

# %% [markdown] exercise="mend_the_leak" role="statement"
# Write the re-weighting again, causally: at position t, each head's norm takes in positions 0 … t of the row, t included, and
# the mean is that of these norms over the heads. At the last position nothing changes. `heads` is (B, n_head, T, d_head) again.


# %% exercise="mend_the_leak" role="solution"
def mend_the_leak(heads):
    """As reweight_heads, but at position t the norms take in positions ≤ t only."""
    raise NotImplementedError("exercise mend_the_leak: replace this line with your answer")


# %% exercise="mend_the_leak" role="check"
check("mend_the_leak", mend_the_leak)

# %% [markdown]
# Both functions to your own probe. They take (B, n_head, T, d_head), so the heads are laid side by side before and after.


# %%
def on_rows(function):
    def forward(x):
        heads = x.unflatten(2, (3, 16)).transpose(1, 2)  # (B, T, C) → (B, n_head, T, d_head)
        return function(heads).transpose(1, 2).flatten(2)

    return forward


for function in (reweight_heads, mend_the_leak):
    verdict = attempted(find_the_leak, on_rows(function), x)
    if verdict is not None:
        print(f"{function.__name__:15} {'reads the future' if verdict else 'clean'}")

# %% [markdown]
# ## The puzzle
#
# Two things want to be explained: why the re-weighted model is better on whole texts, and why it collapses on a single
# sentence. The table has two more rows now: the repair, and re-weighting as it is easily written by mistake. `raw-norm`
# multiplies each head by `head.norm()`, which is the norm of the whole tensor, rows of the batch included, and divides by
# nothing. There is one more column, too. *Word by word*: the normal sentences again, but each word is foretold before
# the rest of the sentence is there, as it is when somebody writes.

# %%
suspects = ("learned", "norm-reweight", "norm-reweight-causal", "raw-norm")
print(results.table(rows=suspects, columns=("train", "dev", "normal", "word by word", "long")))
print()
for row in suspects[1:]:
    gains = [(100 * (results.ratio(row, "learned", where)[0] - 1), where) for where in ("train", "dev", "word by word")]
    print(f"{row:22}" + "   ".join(f"{where} {gain:+.1f} %" for gain, where in gains))

# %% [markdown]
# Read it line by line.
#
# - The repair is the plain model again. So the gain was not in weighing heads, it was in the future.
# - The gain of `norm-reweight` is there wherever whole rows are read, dev included: dev tells you about new text, and this is not
#   a matter of new text. Word by word, when the future is not there yet, the gain is gone.
# - But nothing of this makes a sentence collapse. Read whole, a single sentence leaks its own future like any other row.
# - `raw-norm` does collapse: *normal* is many times its own *dev*, though both are lines about people it never met.
#
# What is it about a sentence? It is short, and it is alone. So let us read the very same dev rows, all 32 words long, and change
# nothing but how many are read at once:

# %% tags=["nbval-ignore-output"]
batch_curves(results)

# %% [markdown]
# Two curves are flat: these models do not mind who else is in the machine. The third has its valley where it was trained. A norm
# over 24 rows is about √24 ≈ 5 times that of one row; a model that was trained with heads five times as loud does not know
# itself when it reads alone. The collapse is no leak of the future, it is a statistic of the batch. (Batch normalisation has the
# same trouble, and is told to use running averages in evaluation for that reason.)
#
# So the puzzle has two answers, and each has its experiment: *better on paper* is the future, shown by the repair and by going
# word by word; *collapsed alone* is the batch, shown by its size. Does that reproduce the published run? In kind, not in size.
# Our collapse is tenfold or a little more, the published one six thousandfold; and our `raw-norm`, unlike the published model,
# is no better than the plain one in training. How that run took its norm, we do not know. We have shown what can do each of the
# two things, not that one model did both.

# %% [markdown] exercise="why_the_leak_looks_better" role="statement"
# In five or six sentences: What does position t learn of the future through the norm, and why does training make use of it?
# Why does the dev column not give the leak away, and which column does? And what makes a single sentence collapse: is that
# the leak? Name the experiment that decides it.

# %% [markdown] exercise="why_the_leak_looks_better" role="written"
# (your answer)

# %%
progress()

# %% [markdown]
# Next: **06 span corruption**, where a model is taught facts by hiding them.
