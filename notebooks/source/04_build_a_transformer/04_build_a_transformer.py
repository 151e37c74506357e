# %% [markdown]
# # Build a Transformer
#
# Here are two attention layers, one line each. Both are meant for a model that reads from left to right, so
# no position may use a later one. They differ in one place: the first layer sets forbidden *weights* to 0,
# and the second sets forbidden *scores* to minus infinity. In both, every later position ends up with weight
# 0.
#
# **Predict.** We change only the last of six positions. Which outputs change in the first layer, and which in
# the second?

# %% role="setup"
import math

import sympy as sp
import torch
import torch.nn.functional as F  # for your answers
from torch import nn

from kqa_core.check import attempted, check, hint, progress, solution  # hint("causal_mask") gives a hint

# %%
torch.set_num_threads(1)  # our tensors are tiny: several threads would only wait for each other
torch.manual_seed(4)
x = torch.randn(6, 4, dtype=torch.float64)
future = torch.ones(6, 6, dtype=torch.bool).triu(1)


def weights_set_to_zero(x):
    return torch.softmax(x @ x.T / 2, dim=-1).masked_fill(future, 0.0) @ x


def scores_set_to_minus_infinity(x):
    return torch.softmax((x @ x.T / 2).masked_fill(future, -math.inf), dim=-1) @ x


changed = x.clone()
changed[5] += 3.0
for layer in (weights_set_to_zero, scores_set_to_minus_infinity):
    moved = (layer(x) - layer(changed)).abs().amax(dim=-1) > 1e-12
    print(f"{layer.__name__:30} outputs that changed: {[t for t in range(6) if moved[t]]}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *In the first layer all six, in the second only the last one.*
#
# </details>
#
# In the first layer *every* output changes, although every earlier position gives the last one the weight 0.
# So information about the future leaks into the past. A language model built that way can use the future in
# training, but the future does not exist yet when it writes. Its training loss is then too good to be true.
# You will find the leak in Part 1.
#
# A Transformer consists of a few parts, and most of them are shorter than ten lines. But almost every part
# can contain a mistake that raises no error. So you build each part here, and each is compared with torch's
# own. Then your functions load a trained model and compute what the course's own code computes.
#
# **After this notebook you can**
#
# 1. write scaled, masked, multi-head attention, and say what each line is for,
# 2. write the other parts of a Transformer: embeddings, LayerNorm, MLP, residual block,
# 3. assemble a GPT (a Transformer that predicts the next token), count its parameters, and load a checkpoint
#    (saved weights) into it,
# 4. write the loss, train a small model, and find the head that solves the task,
# 5. sample text with a temperature, and build an encoder–decoder that translates,
# 6. test a layer: against a reference, for leaks from the future, and for gradients that arrive,
# 7. write the model as classes that you keep: later notebooks train them, load real weights into them, and
#    replace their parts.
#
# **Time.** The core takes about two hours. Everything takes about eight, six of them for the
# exercises, in eight parts: attention and masks (85
# minutes), heads (70), the block (80), the whole model (55), training (45), sampling (20), encoder and
# decoder (75), a class that you keep (50).
#
# **Core and optional** ([the map of paths](../00_start_here/00_start_here.ipynb#Paths-through-the-course)).
#
# - The path *evening* needs, in Part 1, *All scores in one product* and *The causal mask*; in Part 2, *Many heads
#   in one tensor* and *The whole layer*; and Part 5. Without your own `gpt_forward`, which is optional,
#   Part 5 trains the course's model with your loss, and your functions compute the attention weights of the result.
# - The path *assignment* adds, in Part 1, *Where the leak of the opening comes from* without its exercise; and in
#   Part 3, *The whole model in one picture*.
# - All other sections are optional, as their headings or those of their parts say. Part 8 needs Parts 1 to 4 only.
#
# **Run also the code cells that you skip**, with *Run → Run All Above Selected Cell*: cells of later sections use
# what they define.
#
# **What you need.** Notebooks 01 to 03: a query attends to keys, a softmax makes weights, and $Q$, $K$, $V$
# are computed from the tokens by three matrices. Tokens are rows here, as at the [end of notebook
# 03](../03_keys_queries_values/03_keys_queries_values.ipynb#Tokens-become-rows), so $Q = XW_Q$. The symbols are
# in the table of [notebook 00](../00_start_here/00_start_here.ipynb).
#
# **Shapes** are in comments at the ends of the lines. $B$ is the number of rows in a batch, and $T$ the number of
# tokens in a row. $d$ is the width of the model, $h$ the number of heads, and $d_k = d/h$ the width of a
# head. $n_\text{vocab}$ is the size of the vocabulary, which is the number of different tokens. In the code,
# $h$ is called `n_head`, and $n_\text{vocab}$ is called `vocab_size`.
#
# **Three rules for your functions.** In Part 5 you train a model that consists of them. So most of them must
# be *trainable*: gradients flow back from the output to the arguments. For that, stay in torch: no numpy, no
# `.item()`, no `detach()`. The output has the dtype of the arguments. And no function changes its arguments
# in place, because the caller still needs them.

# %% [markdown]
# ---
# # Part 1. Attention and its masks (85 minutes; the core 25)
#
# Our example is the sentence of the last notebooks, *The animal didn't cross the street because it was
# tired*. Each word is one token, so $T = 10$. In notebook 03 you computed all logits as $QK^\top$. Now we
# divide them by a root, and then add masks and several heads.
#
# ## All scores in one product
#
# **Question.** How do we compare ten queries with ten keys without a loop?
#
# **Example.** One query $q = (1, 0, 2, 1)$ and two keys $k_0 = (1, 1, 0, 0)$, $k_1 = (0, 1, 2, 1)$, with
# $d_k = 4$.
#
# - Dot products: $q \cdot k_0 = 1$ and $q \cdot k_1 = 0 + 0 + 4 + 1 = 5$.
# - Divided by $\sqrt{d_k} = 2$: $0.5$ and $2.5$. (The reason comes below.)
# - Exponentials: $1.65$ and $12.18$, which sum to $13.83$. So the weights are $0.119$ and $0.881$.
#
# The numbers before the softmax are called **scores** or **logits**. Now put the queries into the rows of a
# matrix $Q$ and the keys into the rows of $K$. The entry in row $t$ and column $i$ of $QK^\top$ is row $t$ of
# $Q$ times column $i$ of $K^\top$, which is $q_t \cdot k_i$. So one matrix product gives all of them.

# %%
Q = torch.tensor([[1.0, 0, 2, 1]])  # (1, d_k): one query
K = torch.tensor([[1.0, 1, 0, 0], [0, 1, 2, 1]])  # (2, d_k): two keys
print("Q Kᵀ      ", Q @ K.T)
print("scores    ", Q @ K.T / 2)
print("weights   ", torch.softmax(Q @ K.T / 2, dim=-1).round(decimals=3))

# %% [markdown]
# These are the numbers of the example. In general, for $Q$ of shape $(n_q, d_k)$ and $K$ of shape
# $(n_k, d_k)$:
#
# $$S = \frac{Q K^\top}{\sqrt{d_k}}, \qquad s_{ti} = \frac{q_t \cdot k_i}{\sqrt{d_k}}, \qquad S \text{ has shape } (n_q, n_k).$$
#
# **Why divide?** If the entries of two vectors are independent, with mean 0 and variance 1, their dot product is a
# sum of $d_k$ such products, and its standard deviation is $\sqrt{d_k}$. So in a wide head, one score would usually be far ahead, the softmax would give it almost all the
# weight, and almost no gradient would be left for the others. Divided by $\sqrt{d_k}$, the scores have the same
# spread at every width. (The next section derives and measures this.)
#
# A batch of texts and several heads add axes in front. torch's `@` multiplies the last two axes and repeats
# that for all axes in front, so one line can serve every case.

# %% [markdown] exercise="attention_scores" role="statement"
# `q` has shape (…, n_q, d_k) and `k` has shape (…, n_k, d_k). Both have the same leading axes, such as batch
# and head, or none. Return the scores, shape (…, n_q, n_k). The function must be trainable (see the three
# rules above).


# %% exercise="attention_scores" role="solution"
def attention_scores(q, k):
    """Scaled scores: q (…, n_q, d_k), k (…, n_k, d_k) → (…, n_q, n_k)."""
    raise NotImplementedError("exercise attention_scores: replace this line with your answer")


# %% exercise="attention_scores" role="check"
check("attention_scores", attention_scores)

# %% [markdown]
# **Break it.** `torch.bmm` is a matrix product for batches of matrices: (B, n, d) times (B, d, m). So it
# needs the keys in columns. Somebody gets the right *shape* with `view`, which reads the same memory in
# another shape. What is wrong with that?

# %% tags=["raises-exception"]
print("with transpose", torch.bmm(Q[None], K[None].transpose(1, 2)) / 2)
print("with view     ", torch.bmm(Q[None], K[None].view(1, 4, 2)) / 2)


def scores_with_view(q, k):
    n_k, d_k = k.shape[-2:]
    return q @ k.reshape(*k.shape[:-2], d_k, n_k) / math.sqrt(d_k)


check("attention_scores", scores_with_view, record=False)

# %% [markdown]
# Both results have the shape (1, 1, 2), but `view` gives wrong numbers. `transpose` exchanges the axes.
# `view` keeps the order of the numbers in memory and only cuts it at other places: its first column holds 1,
# 0, 0, 2, which is no key at all. No error message appears. Each column now mixes several tokens, later ones
# too, so a mask that hides later tokens (see below) would no longer hide them. A model with this mistake trains, and its training loss
# becomes too good to be true.
#
# Two more details. `bmm` takes exactly three axes, while `@` takes any number of them. And with a head axis,
# (B, h, T, d_k), mind which axes you exchange: `k.transpose(1, 2)` exchanges heads and tokens, and
# `k.transpose(-2, -1)` is the one you want.
#
# > **Takeaway.** All scores are one product, $QK^\top / \sqrt{d_k}$. Check numbers, not only shapes.

# %% [markdown]
# ## Why divide by the root of d? (optional)
#
# **Question.** Why do we not use the dot products as they are?
#
# **Intuition.** A dot product of two vectors with $d$ random components is a sum of $d$ random products. The
# more terms, the more the sum varies. If the scores vary a lot, one of them is usually far ahead, and the
# softmax gives it almost all the weight.
#
# **Example.** Take components that are $+1$ or $-1$ with equal chances, independent of each other. Each
# product of two components is $+1$ or $-1$ too: mean 0, variance 1. Variances of independent terms add up. So
# a dot product has variance 4 and standard deviation 2 for $d = 4$, but variance 256 and standard deviation
# 16 for $d = 256$.
#
# **Predict.** The figure measures this for normally distributed components. By which factor does the standard
# deviation grow from $d = 4$ to $d = 64$? On the right, what happens to the largest of 16 weights?

# %%
from kqa_core.show import mask_slider, spread_figure

spread_figure()

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *By a factor of 4, the root of 16.* On the right, without scaling, the largest weight comes close to 1 as
# $d$ grows.
#
# </details>
#
# Divided by $\sqrt d$, the scores have variance 1 for every $d$, and the weights look the same for every
# width.
#
# Why does it matter? If one weight is almost 1, small changes of the scores hardly change the weights, so
# almost no gradient flows back to queries and keys. The derivative of weight $\alpha_i$ with respect to score
# $s_j$ is $\alpha_i(1-\alpha_i)$ for $i = j$ and $-\alpha_i\alpha_j$ otherwise. Both tend to 0 if the weights
# tend to 0 and 1. The next cell measures the size of the largest derivative for 16 random keys.

# %%
generator = torch.Generator().manual_seed(11)
print("   d   without scaling   divided by √d")
for d in (4, 64, 1024):
    q = torch.randn(400, 1, d, generator=generator, dtype=torch.float64)
    k = torch.randn(400, 16, d, generator=generator, dtype=torch.float64)
    dots = (q * k).sum(dim=-1)  # (400, 16)
    sizes = []
    for scores in (dots, dots / math.sqrt(d)):
        weights = torch.softmax(scores, dim=-1)
        sizes.append(float((weights * (1 - weights)).amax(dim=-1).median()))
    print(f"{d:4} {sizes[0]:17.3f} {sizes[1]:15.3f}")

# %% [markdown]
# Without scaling the derivatives nearly vanish for large $d$; with scaling they stay where they were.
#
# <details><summary><b>Why the largest derivative is one of the α(1 − α), and why 0.217 is above 0.160 at d = 4</b></summary>
#
# The weights sum to 1, so any other weight is at most $1-\alpha_i$. Hence
# $\alpha_i\alpha_j \le \alpha_i(1-\alpha_i)$, and it is enough to compare the $\alpha_i(1-\alpha_i)$.
#
# $\alpha(1-\alpha)$ is largest at $\alpha = \frac12$, where it is 0.25. At $d = 4$ the largest of the 16
# scaled weights is typically 0.20, so the derivative is $0.20 \cdot 0.80 = 0.16$. Without scaling the scores
# vary twice as much, and the largest weight is typically 0.36: nearer to one half, so its derivative is
# larger. For large $d$ it goes past one half and close to 1, and the derivative falls to 0.
#
# </details>
#
# > **Careful.** One of the write-ups that this course grew out of says that the division "clips" the scores
# > to protect against exploding gradients. Both halves are wrong. Nothing is clipped: every score is divided
# > by the same number, so their order and their ratios are unchanged. And the danger is the opposite one:
# > large scores *saturate* the softmax, and its gradients *vanish*. (Gradient clipping exists, but it is
# > another thing: it limits the norm of the gradient in the optimizer.)
#
# Now derive the variance, a little more generally than the paper does: the keys have a mean. Two facts about
# independent random variables are enough: $\operatorname{Var}(X+Y) = \operatorname{Var}(X) +
# \operatorname{Var}(Y)$, and $\operatorname{Var}(XY) = E[X^2]\,E[Y^2] -
# (E[X]\,E[Y])^2$. Also recall that $E[Y^2] = \operatorname{Var}(Y) + E[Y]^2$.

# %% [markdown] exercise="scaling_variance" role="statement"
# All components are independent. Those of the query have mean 0 and variance 1. Those of the key have mean
# `m` and standard deviation `s`. `d`, `s` and `m` are positive sympy symbols: you can calculate with them as
# with numbers, and `sp.sqrt` is the root. Return two expressions:
#
# 1. the variance of $q \cdot k$,
# 2. the number to divide by, so that the quotient has variance 1.


# %% exercise="scaling_variance" role="solution"
def scaling_variance(d, s, m):
    """(variance of q·k, divisor that makes it 1), for d components;
    the key's have mean m and standard deviation s.
    """
    raise NotImplementedError("exercise scaling_variance: replace this line with your answer")


# %% exercise="scaling_variance" role="check"
check("scaling_variance", scaling_variance)

# %% [markdown]
# The next cell compares your formula with 200,000 random products.

# %%
d, s, m = (
    sp.Symbol("d", integer=True, positive=True),
    sp.Symbol("s", positive=True),
    sp.Symbol("m", positive=True),
)
derived = attempted(scaling_variance, d, s, m)
if derived is not None:
    generator = torch.Generator().manual_seed(8)
    print("  d    s    m   derived  measured")
    for width, spread, mean in ((16, 1, 0), (16, 2, 0), (16, 1, 3), (64, 1, 0)):
        query = torch.randn(200_000, width, generator=generator)
        key = mean + spread * torch.randn(200_000, width, generator=generator)
        measured = float((query * key).sum(dim=-1).var())
        exact = float(sp.sympify(derived[0]).subs({d: width, s: spread, m: mean}))
        print(f"{width:3} {spread:4} {mean:4} {exact:9.0f} {measured:9.1f}")

# %% [markdown]
# The measured variances differ from the derived ones by less than 1 %, as you would expect from 200,000
# draws.
#
# > **Takeaway.** $\sqrt{d_k}$ is the standard deviation of a dot product of $d_k$ independent components with
# > mean 0 and variance 1. Divided by it, the scores of such components have the standard deviation 1,
# > whatever the width. (Real models start with smaller weights, so their first scores are even closer to 0.)

# %% [markdown]
# ## The causal mask
#
# **Question.** A language model predicts the next token. At the word *because* it must predict *it*. How do
# we make sure that it does not simply look at the next word?
#
# **Intuition.** Position $t$ may attend to positions $0, \dots, t$, and to no later one. We write that down
# as a table with a row for each query and a column for each key. It is True where the query may attend to the
# key. For three tokens:
#
# | query | The | animal | didn't |
# |---|---|---|---|
# | **The**: | True | False | False |
# | **animal**: | True | True | False |
# | **didn't**: | True | True | True |
#
# Each position may attend to itself, because its own token is an input and not the target. Such a mask is
# called **causal**.

# %% [markdown] exercise="causal_mask" role="statement"
# Return a tensor of shape (T, T) and dtype `torch.bool` that is True at [t, i] where position t may attend to
# position i, for any T from 1 to 900.


# %% exercise="causal_mask" role="solution"
def causal_mask(T):
    """The causal mask: BoolTensor (T, T), True where attention is allowed."""
    raise NotImplementedError("exercise causal_mask: replace this line with your answer")


# %% exercise="causal_mask" role="check"
check("causal_mask", causal_mask)

# %%
words = ["The", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "tired"]
mask = attempted(causal_mask, len(words))
if mask is not None:
    for word, row in zip(words, mask.tolist(), strict=True):
        print(f"{word:8}", " ".join("■" if allowed else "·" for allowed in row))

# %% [markdown]
# *because* (row 6) may attend to seven words, and *it* is not among them.
#
# ## Where the leak of the opening comes from
#
# Forbidden scores are replaced by minus infinity **before** the softmax. Since $e^{-\infty} = 0$, a forbidden
# key adds nothing to the sum by which the softmax divides.
#
# **Example.** Scores $(1, 2, 3)$, and the query may attend to the first two keys. The exponentials are
# $(2.72, 7.39, 20.09)$.
#
# - Minus infinity first: the sum is $2.72 + 7.39 = 10.11$, and the weights are $(0.269, 0.731, 0)$.
# - Softmax first: the sum is $30.19$, and the weights are $(0.090, 0.245, 0.665)$. Then the last is set to 0.
#
# **Predict.** In which of the two cases do the first two weights change if the third score changes from 3 to
# 5?

# %%
for third in (3.0, 5.0):
    scores, allowed = torch.tensor([1.0, 2.0, third]), torch.tensor([True, True, False])
    before = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    after = torch.softmax(scores, dim=-1).masked_fill(~allowed, 0.0)
    print(
        f"third score {third:.0f}:  masked before",
        before.round(decimals=3),
        " masked after",
        after.round(decimals=3),
    )

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *Only in the second case.* There the forbidden score is still in the denominator.
#
# </details>
#
# In code, minus infinity is often replaced by a large negative number. Is that safe? In the next cell the
# scores of the future are set to `mask_value`. The bars show how much weight each position still gives to the
# future. Their axis is logarithmic, so a long bar can still be a tiny number: read the axis, or the sentence
# under the figure. Start at −4. Then set −10, which looks safe because less than 0.1 % of the weight goes to
# the future. Now make the scores steeper, as training does.

# %% tags=["nbval-ignore-output"]
mask_slider(mask_value=-4.0)

# %% [markdown]
# With −10 and steep scores the leak is back: the allowed scores can be near −10 themselves. Minus infinity is
# safe for all scores.

# %% [markdown] exercise="why_mask_first" role="statement"
# The layer `weights_set_to_zero` of the opening gives the future weight 0, but its outputs depend on the
# future. Explain in two to four sentences: by which path does the information get through? How does minus
# infinity before the softmax prevent it? And a third layer: it sets forbidden weights to 0 and then divides
# each row of weights by its own sum. Does it leak?

# %% [markdown] exercise="why_mask_first" role="written"
# *Your answer here.*

# %% [markdown]
# ## Padding masks (optional)
#
# **Question.** A batch is one tensor, so all its rows have the same length. But sentences do not. What do we
# do with the rest of a short row?
#
# **Intuition.** We fill it with a special **padding** token and remember which tokens are real. No query may
# attend to padding.
#
# **Example.** Two rows, with `real` below. Row 1 has two tokens and two places of padding:
#
# | row | tokens | real |
# |---|---|---|
# | 0: | The animal was tired | True True True True |
# | 1: | It slept □ □ | True True False False |
#
# The two kinds of masks answer different questions:
#
# | | causal mask | padding mask |
# |---|---|---|
# | forbids | keys that are *later* than the query | keys that are *not tokens* |
# | depends on | positions only: shape (T, T), the same for all rows | the batch: shape (B, T), the same for all queries |
# | needed in | a decoder, which writes from left to right | every model that gets rows of different lengths |
#
# Both may apply at once: a pair is allowed if *both* masks allow it. For row 1 with both masks, query 3
# (padding itself) may attend to keys 0 and 1.
#
# **Predict.** In row 1, the padding is at the end. Does the padding mask change the outputs of the two real
# tokens if the causal mask is used as well? And if the padding were at the *start* of the row?
#
# <details><summary><b>Answer</b></summary>
#
# With padding at the end: no. The real tokens come first, and the causal mask already hides everything that is
# later. That is why a GPT can be trained without a padding mask, as long as padding does not count in the loss.
# Without a causal mask, as in an encoder (where all tokens may attend to each other), the padding mask is
# needed. With padding at the start, as in batched text generation, it is needed in both cases. And there is a
# new difficulty: with a causal mask, a query at the start of the row may attend to *no* key at all.
#
# </details>
#
# If every score of a query is minus infinity, the softmax computes $0/0$, which is `nan` ("not a number").
# One `nan` spreads through the next layers to the whole row. So we define: a query without any allowed key
# gets the output 0. If we replace its `nan` weights by 0, the weighted sum of the values is 0.
#
# **Adding axes.** `real` has shape (B, T), and the scores have shape (B, h, T, T). With `None` as an index we
# add axes of length 1. An axis of length 1 is repeated as often as needed ("broadcasting").

# %%
row = torch.softmax(torch.full((3,), -math.inf), dim=-1)
print("softmax of (−∞, −∞, −∞):", row.tolist(), " with nan replaced by 0:", torch.nan_to_num(row).tolist())
real = torch.tensor([[True, True, True, True], [True, True, False, False]])  # (B, T): the example
print("real", tuple(real.shape), "with two more axes", tuple(real[:, None, None, :].shape))
print("for all heads and queries", tuple(real[:, None, None, :].expand(2, 3, 4, 4).shape))

# %% [markdown] exercise="masked_attention" role="statement"
# Return attention with masks. `q`, `k` and `v` have shape (B, h, T, d_k). `real` is a BoolTensor (B, T), True
# where a token is and False where padding is. If `causal` is True, no query may attend to a later key either.
# Return the outputs, shape (B, h, T, d_k).
#
# Padded *queries* are treated like all others: they attend to the keys that they may attend to. Where a query
# may attend to no key at all, its output is 0. Scores may lie as far from 0 as 10⁶. The function must be
# trainable, and no gradient may be nan.


# %% exercise="masked_attention" role="solution"
def masked_attention(q, k, v, real, causal):
    """Attention to real keys: q, k, v (B, h, T, d_k),
    real BoolTensor (B, T), causal a bool → (B, h, T, d_k).
    """
    raise NotImplementedError("exercise masked_attention: replace this line with your answer")


# %% exercise="masked_attention" role="check"
check("masked_attention", masked_attention)

# %% [markdown]
# A test of your function: the two real tokens of row 1, once alone and once with padding. Padding must make
# no difference.

# %%
generator = torch.Generator().manual_seed(5)
q, k, v = (torch.randn(1, 1, 4, 3, generator=generator) for _ in range(3))  # (B, h, T, d_k)
padded = attempted(masked_attention, q, k, v, torch.tensor([[True, True, False, False]]), False)
if padded is not None:
    alone = masked_attention(q[:, :, :2], k[:, :, :2], v[:, :, :2], torch.tensor([[True, True]]), False)
    print("padding makes a difference:", not torch.allclose(padded[:, :, :2], alone, atol=1e-6))

# %% [markdown]
# > **Takeaway.** A mask says which keys a query may attend to, and it acts on the scores, before the softmax.
# > Causal masks depend on positions, padding masks on the batch.
#
# <details><summary><b>Going deeper (optional): the mask as a buffer of shape (1, 1, T, T)</b></summary>
#
# This course follows Assignment 5 of Stanford's CS224n, which is built on minGPT, a small GPT by Andrej
# Karpathy. There you will read
#
# ```python
# mask = torch.tril(torch.ones(block_size, block_size)).view(1, 1, block_size, block_size)
# self.register_buffer("mask", mask)
# ...
# att = att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
# ```
#
# - The scores have shape (B, h, T, T). The two axes of length 1 let the mask broadcast over batch and heads.
# - The mask is made once, for the longest row, and cut to `[:T, :T]` for a shorter one.
# - A **buffer** is a tensor that belongs to a module but is not trained. `model.to("cuda")` moves it along,
#   and no optimizer sees it.
# - An ordinary attribute would stay on the CPU, and the model would fail on a GPU. Without a buffer, make the
#   mask with `device=x.device`, as the check asks you to do below.
#
# </details>

# %% [markdown]
# ---
# # Part 2. Heads (70 minutes; the core 45)
#
# ## Many heads in one tensor
#
# **Question.** *it* should look at *animal* to know what it refers to, and at *was* to know its role in the
# sentence. One softmax gives one set of weights. How can a position look at two things at once?
#
# **Intuition.** We share the $d$ components of each query, key and value among $h$ **heads**. Each head has
# its own $d_k = d/h$ components, its own scores and its own attention weights. In notebook 02, two heads that
# copied one value each were robust where one head was fragile.
#
# **Example.** Four tokens, $d = 6$, two heads. Head 0 gets components 0, 1, 2 of each token, and head 1 gets
# 3, 4, 5.

# %%
from kqa_core.show import show_head_split

show_head_split(tokens=4, width=6, heads=2)

# %% [markdown]
# In torch, heads are one more axis, in front of the tokens: (B, T, d) becomes (B, h, T, d_k). Then `@` treats
# each head as a batch of its own, and your `attention_scores` needs no change. Splitting takes two steps:
#
# 1. cut the last axis: (B, T, d) → (B, T, h, d_k). The numbers stay in their order, so `view` or `reshape` is
#    right here;
# 2. exchange the axes of tokens and heads: (B, T, h, d_k) → (B, h, T, d_k). The order changes, so this takes
#    a `transpose`.
#
# **Predict.** What would a single `x.view(B, h, T, d_k)` do? Its shape is right. The figure has the numbers 0
# to 23, six for each token. Which of them would head 0 get, and from which tokens?

# %%
numbers = torch.arange(24).view(1, 4, 6)  # (B, T, d): those of the figure
print("view straight to (B, h, T, d_k), head 0:")
print(numbers.view(1, 2, 4, 3)[0, 0])

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *The numbers 0 to 11: all components of tokens 0 and 1, each cut into two rows, and nothing of tokens 2 and
# 3.* So `view` mixes tokens with components. The right head 0 holds components 0, 1, 2 of all four tokens, as
# in the figure.
#
# </details>

# %% [markdown] exercise="split_heads" role="statement"
# Turn `x` of shape (B, T, d) into shape (B, h, T, d_k) with h = `n_head` and d_k = d / h. Head $j$ holds, for
# every token, the components $j \cdot d_k$ to $(j+1) \cdot d_k - 1$. The function must be trainable.


# %% exercise="split_heads" role="solution"
def split_heads(x, n_head):
    """(B, T, d) → (B, n_head, T, d // n_head): each head holds a run of neighbouring components."""
    raise NotImplementedError("exercise split_heads: replace this line with your answer")


# %% exercise="split_heads" role="check"
check("split_heads", split_heads)

# %%
heads = attempted(split_heads, numbers, 3)
print(heads) if heads is not None else None

# %% [markdown]
# Three heads now, four tokens, two components each: head 0 holds components 0 and 1 of all four tokens.

# %% [markdown] exercise="merge_heads" role="statement"
# And back: `x` has shape (B, h, T, d_k). Return shape (B, T, h · d_k), so that merging undoes splitting. The
# function must be trainable.


# %% exercise="merge_heads" role="solution"
def merge_heads(x):
    """(B, h, T, d_k) → (B, T, h · d_k), the inverse of split_heads."""
    raise NotImplementedError("exercise merge_heads: replace this line with your answer")


# %% exercise="merge_heads" role="check"
check("merge_heads", merge_heads)

# %%
merged = attempted(lambda: merge_heads(split_heads(numbers, 3)))
(
    print("split and merged again, nothing has changed:", torch.equal(merged, numbers))
    if merged is not None
    else None
)

# %% [markdown]
# ## One projection for all heads (optional)
#
# **Question.** A product with a learned matrix, such as $XW_Q$, is called a **projection**. In papers each
# head has its own matrices $W_Q^{(j)}$ of shape $(d, d_k)$. In code there is one matrix $W_Q$ of shape
# $(d, d)$. How are they related?
#
# **Example.** $d = 2$, two heads with $d_k = 1$. Head 0 has the matrix $\binom{1}{2}$ and head 1 has
# $\binom{3}{4}$. For the token $x = (1, 1)$ they give $1 + 2 = 3$ and $3 + 4 = 7$. Now put the two columns
# side by side:
#
# $$(1, 1) \begin{pmatrix} 1 & 3 \\ 2 & 4 \end{pmatrix} = (3, 7).$$
#
# The first component is the result of head 0, the second is that of head 1. One large product is faster than
# many small ones, because the processor has more to do at once. `torch.cat((a, b), dim=-1)` puts two matrices
# side by side.

# %% [markdown] exercise="one_big_projection" role="statement"
# `small` holds h matrices, shape (h, d_in, d_k). Head $j$ computes `x @ small[j]`. Return one matrix W of
# shape (d_in, h · d_k), such that head $j$ of `split_heads(x @ W, h)` equals `x @ small[j]`, for every x. The
# function must be trainable.


# %% exercise="one_big_projection" role="solution"
def one_big_projection(small):
    """One matrix (d_in, h · d_k) that does what the h matrices small (h, d_in, d_k) do, head beside head."""
    raise NotImplementedError("exercise one_big_projection: replace this line with your answer")


# %% exercise="one_big_projection" role="check"
check("one_big_projection", one_big_projection)

# %%
maps = torch.randn(8, 64, 8, generator=torch.Generator().manual_seed(1))  # (h, d_in, d_k)
large = attempted(one_big_projection, maps)
if large is not None:
    rows = torch.randn(2, 5, 64, generator=torch.Generator().manual_seed(2))  # (B, T, d_in)
    one_by_one = torch.stack([rows @ each for each in maps], dim=1)  # (B, h, T, d_k)
    at_once = attempted(split_heads, rows @ large, 8)
    if at_once is not None:
        print("eight small products and one large one agree:", torch.allclose(one_by_one, at_once, atol=1e-4))

# %% [markdown]
# ## The whole layer
#
# All parts of the attention layer are ready:
#
# $$\text{head}_j = \operatorname{softmax}\!\left(\frac{Q_j K_j^\top}{\sqrt{d_k}} + M\right) V_j, \qquad
# \text{output} = [\text{head}_0, \dots, \text{head}_{h-1}]\, W_O,$$
#
# with $Q = XW_Q$, $K = XW_K$, $V = XW_V$, each split into heads. $M$ is 0 where attention is allowed and
# $-\infty$ elsewhere. The **output projection** $W_O$, shape (d, d), combines the heads: without it, each
# component of the output would depend on one head only. (In notebook 02 each of the two heads had the full
# width $d$. So $W_O$ had the shape (2d, d) there, and the average was $W_O = \frac12\binom{I}{I}$.)
#
# Follow the shapes for $B = 2$, $T = 10$, $d = 12$, $h = 3$: input (2, 10, 12); split (2, 3, 10, 4); scores
# and weights (2, 3, 10, 10); heads (2, 3, 10, 4); merged (2, 10, 12); output (2, 10, 12).
#
# **On a GPU.** A tensor lies on one device, and two tensors can only be combined on the same one.
# `causal_mask(T)` makes its mask on the CPU, so move it to where x is: `causal_mask(T).to(x.device)`. The
# check tests this without a GPU.

# %% [markdown] exercise="causal_self_attention" role="statement"
# `x` has shape (B, T, d). `w_q`, `w_k`, `w_v` and `w_o` have shape (d, d) and are applied from the right, as
# `x @ w_q`. Return causal self-attention with `n_head` heads, shape (B, T, d), without biases and without
# dropout. A later position has the weight 0, however low the other scores are. Keep the dtype and the device
# of x. The layer must be trainable, and T, B or n_head may be 1. You may call your functions from above.


# %% exercise="causal_self_attention" role="solution"
def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    """Multi-head causal self-attention: x (B, T, d), weights (d, d) applied as x @ w → (B, T, d)."""
    raise NotImplementedError("exercise causal_self_attention: replace this line with your answer")


# %% exercise="causal_self_attention" role="check"
check("causal_self_attention", causal_self_attention)

# %% [markdown]
# ## How to test a layer (optional)
#
# **Question.** A wrong layer usually runs without an error message. How do you find out whether a layer is
# right when there is no check for it?
#
# **Intuition.** With three tests. Each takes a few lines and finds mistakes that the others miss:
#
# 1. **A reference.** Send the same input and the same parameters through your layer and through one that you
#    trust. Use small random tensors in 64 bits, and sizes that all differ.
# 2. **The future.** Change later inputs, and see which outputs change. This needs no reference.
# 3. **Gradients that arrive.** Call `backward()` and look at `grad` of each parameter. It must not be `None`,
#    and not 0 everywhere.
#
# **Test 1.** torch has such a layer too, `nn.MultiheadAttention`. Two of its conventions differ from ours. It
# stores each matrix as (outputs, inputs), so we copy the transposes. And in its mask, True means *forbidden*.

# %%
generator = torch.Generator().manual_seed(3)
inputs = torch.randn(3, 5, 8, generator=generator, dtype=torch.float64)  # (B, T, d); with two heads d_k = 4
w_q, w_k, w_v, w_o = (
    torch.randn(8, 8, generator=generator, dtype=torch.float64) / math.sqrt(8) for _ in range(4)
)
torchs = torch.nn.MultiheadAttention(8, 2, bias=False, batch_first=True, dtype=torch.float64)
before = attempted(causal_self_attention, inputs, w_q, w_k, w_v, w_o, 2)
later = torch.ones(5, 5, dtype=torch.bool).triu(1)  # True where torch must not attend
with torch.no_grad():
    # three matrices in one, as in one_big_projection
    torchs.in_proj_weight.copy_(torch.cat((w_q.T, w_k.T, w_v.T)))
    torchs.out_proj.weight.copy_(w_o.T)
    theirs = torchs(inputs, inputs, inputs, attn_mask=later, need_weights=False)[0]
print("equal up to rounding:", torch.allclose(before, theirs, atol=1e-12)) if before is not None else None

# %% [markdown]
# **Test 2.** The experiment of the opening again, now with your layer: we change the last of five positions.
# Only its own output may change.

# %%
if before is not None:
    changed = inputs.clone()
    changed[:, 4] += 3.0
    after = causal_self_attention(changed, w_q, w_k, w_v, w_o, 2)
    print("outputs that changed:", [t for t in range(5) if not torch.equal(before[:, t], after[:, t])])

# %% [markdown]
# The other outputs are not just close to what they were: every bit is the same.
#
# **Test 3.** The cell below computes a loss and prints the largest entry of each gradient. It does so for
# your layer, for a layer that cuts the keys off with `detach()`, and for your layer on texts of a single
# token. `w.detach()` has the same numbers as `w`, but no gradient flows back through it to `w`.
#
# **Predict.** `detach()` does not change any number in the output. Which of the four matrices get no gradient
# in the second case? And in the third?


# %%
def with_detached_keys(x, w_q, w_k, w_v, w_o, n_head):
    return causal_self_attention(x, w_q, w_k.detach(), w_v, w_o, n_head)


def largest_gradients(layer, x):
    matrices = {"w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}
    parameters = {name: w.clone().requires_grad_() for name, w in matrices.items()}
    layer(x, *parameters.values(), 2).pow(2).mean().backward()
    return {
        name: None if w.grad is None else round(float(w.grad.abs().max()), 2)
        for name, w in parameters.items()
    }


if before is not None:
    print("your layer     ", largest_gradients(causal_self_attention, inputs))
    print("keys detached  ", largest_gradients(with_detached_keys, inputs))
    print("a single token ", largest_gradients(causal_self_attention, inputs[:, :1]))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *In the second case only `w_k`: its `grad` is `None`.* The matrix would keep its random starting values for
# ever. Tests 1 and 2 do not notice it, because no number of the output changes.
#
# *In the third case `w_q` and `w_k`: their gradients are 0.* With one key the attention weight is 1, whatever
# the score. So this 0 is no mistake, and a test for gradients needs more than one token.
#
# </details>
#
# **Break it.** Now add a leak that is as small as possible. The layer below adds a millionth of the *next*
# position's input to your output. The shape is right, all gradients arrive, and the numbers agree with yours
# to five digits.
#
# **Predict.** Will the check notice?


# %% tags=["raises-exception"]
def with_a_small_leak(x, w_q, w_k, w_v, w_o, n_head):
    # position t holds input t + 1; the last position holds input 0, which it may use
    next_input = x.roll(-1, dims=1)
    return causal_self_attention(x, w_q, w_k, w_v, w_o, n_head) + 1e-6 * next_input


if before is not None:
    leaky = with_a_small_leak(inputs, w_q, w_k, w_v, w_o, 2)
    print(f"largest change of any output: {float((leaky - before).abs().max()):.0e}")
check("causal_self_attention", with_a_small_leak, record=False)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *It does.* The check does not look at your mask. It changes later inputs and compares earlier outputs, as
# you did in the second test. A millionth is not harmless: training rewards every hint about the next token,
# and later layers can amplify a tiny number.
#
# </details>
#
# You will meet a real leak of this kind in notebook 05.
#
# > **Takeaway.** A layer of attention is: project, split, score, mask, softmax, average the values, merge,
# > project. Test a layer in three ways: against a reference, by changing the future, and for gradients that
# > arrive.

# %% [markdown]
# ---
# # Part 3. The block (80 minutes; the core 5)
#
# ## The whole model in one picture
#
# **Question.** Where in a model is the attention that you have written?
#
# **Intuition.** A table turns each token into a vector, and a second table adds a vector for its position. Then
# the vectors go through layers. A layer does not replace its input. It computes a *change*, which is added:
# $x + f(x)$. So the sums from the two tables run straight through the model, and each layer reads from this
# **residual stream** and writes to it by addition.

# %%
from kqa_core.show import show_transformer

show_transformer(layers=2)

# %% [markdown]
# Each block has two parts. Attention moves information between tokens. The **MLP**, a small neural network, then
# processes each token by itself. Both get their input from a **LayerNorm**, which brings each vector to a fixed
# size. A block takes (B, T, d) and returns (B, T, d), so any number of them fits. Behind the last block, the
# **output head** turns each vector into logits, one for each token of the vocabulary. (It has nothing to do with
# the heads of attention.) A softmax over the logits at position $t$ gives the probabilities of token $t+1$.
#
# > **Takeaway.** Attention moves information between tokens, the MLP processes it within each token, and both
# > add their result to the residual stream.
#
# The rest of this part and Part 4 are optional: there you write each of these parts, and put them together.
# Without them, continue with Part 5. There the course's model has the parts that you have not written.
#
# ## Embeddings (optional)
#
# **Question.** A model computes with vectors, but text is made of words or characters. How do we get from one
# to the other?
#
# **Intuition.** We number all possible tokens (the **vocabulary**, $n_\text{vocab}$ of them) and keep a table
# with one row of $d$ numbers for each. The row of a token is its **embedding**. The rows are parameters:
# training chooses them.
#
# Without a mask, attention does not know the order of its keys: shuffle the keys together with their values,
# and the output stays the same. A causal mask only hides later keys. So a second table has one row for each
# *position*, and the two rows are added. (Notebook 05 compares other ways to encode positions.)
#
# **Example.** Three words with $d = 2$. Embeddings: *the* $(1, 0)$, *animal* $(0, 2)$, *slept* $(3, 1)$.
# Positions: $p_0 = (0.1, 0)$, $p_1 = (0, 0.1)$, $p_2 = (0.1, 0.1)$. The text *the animal slept* becomes
#
# $$(1, 0) + (0.1, 0) = (1.1, 0), \qquad (0, 2) + (0, 0.1) = (0, 2.1), \qquad (3, 1) + (0.1, 0.1) = (3.1, 1.1).$$
#
# In torch, a tensor of whole numbers as an index looks up one row for each number:

# %%
table = torch.tensor([[1.0, 0], [0, 2], [3, 1]])  # (n_vocab, d)
print(table[torch.tensor([2, 0, 0])])

# %% [markdown]
# The same for our sentence. Each word gets the number of its place in the list of all words, and both tables
# are random, because nothing is trained yet.

# %%
from kqa_core.show import show_embedding_sum

vocabulary = sorted(set(words), key=lambda word: (word.lower(), word))
ids = [vocabulary.index(word) for word in words]
generator = torch.Generator().manual_seed(6)
token_table = torch.randn(len(vocabulary), 8, generator=generator)  # (n_vocab, d)
position_table = 0.5 * torch.randn(12, 8, generator=generator)  # (12, d): for texts of up to 12 tokens
print(dict(zip(words, ids, strict=True)))
show_embedding_sum(token_table, position_table, ids)

# %% [markdown] exercise="embed_tokens" role="statement"
# `tokens` holds numbers of tokens, int64 of shape (B, T). `token_table` has shape (n_vocab, d), and
# `position_table` has shape (block_size, d) with block_size ≥ T. Return the sum of token and position
# embeddings, shape (B, T, d). The function must be trainable.


# %% exercise="embed_tokens" role="solution"
def embed_tokens(tokens, token_table, position_table):
    """Tokens (B, T) → token embedding plus position embedding (B, T, d)."""
    raise NotImplementedError("exercise embed_tokens: replace this line with your answer")


# %% exercise="embed_tokens" role="check"
check("embed_tokens", embed_tokens)

# %%
embedded = attempted(embed_tokens, torch.tensor([ids]), token_table, position_table)
print("our sentence:", tuple(embedded.shape)) if embedded is not None else None

# %% [markdown]
# ## Layer normalisation (optional)
#
# **Question.** From layer to layer the vectors of a deep model can grow or shrink. How do we keep the inputs
# of a layer at a fixed size?
#
# **Example.** The vector of one token is $x = (2, 4, 4, 6)$.
#
# - Its mean is $16/4 = 4$. Subtract it: $(-2, 0, 0, 2)$.
# - Its variance is $(4 + 0 + 0 + 4)/4 = 2$, and the root is $1.414$. Divide: $(-1.414, 0, 0, 1.414)$.
#
# The result has mean 0 and variance 1. **LayerNorm** does this for each token by itself, and then multiplies
# by a **gain** and adds a **shift**, $d$ numbers each, which are trained:
#
# $$\operatorname{LN}(x) = \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} \odot \text{gain} + \text{shift}, \qquad
# \mu = \frac1d\sum_i x_i, \quad \sigma^2 = \frac1d\sum_i (x_i - \mu)^2, \quad \varepsilon = 10^{-5}.$$
#
# The small $\varepsilon$ prevents a division by 0. $\odot$ multiplies component by component.
#
# **Predict.** What does LayerNorm (gain 1, shift 0) give for $10x = (20, 40, 40, 60)$? And for $x + 100$?

# %%
v = torch.tensor([2.0, 4, 4, 6])
for name, each in (("x", v), ("10 x", 10 * v), ("x + 100", v + 100)):
    print(f"{name:8}", [round(float(entry), 3) for entry in F.layer_norm(each, (4,))])

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *The same three times.* LayerNorm removes the mean of a vector, and then its size. It keeps the direction of
# $x$ minus its mean. (It does not keep the direction of $x$ itself: between $(2, 4, 4, 6)$ and
# $(-1.41, 0, 0, 1.41)$ the cosine is only 0.33.)
#
# </details>

# %% [markdown] exercise="layer_norm" role="statement"
# `x` has shape (B, T, d), `gain` and `shift` have shape (d,). Return LayerNorm with $\varepsilon = 10^{-5}$,
# shape (B, T, d). Each token has its own mean and variance. For float32 numbers near 1000 that vary by 1, the
# output is still right to 0.01. The function must be trainable.


# %% exercise="layer_norm" role="solution"
def layer_norm(x, gain, shift):
    """LayerNorm over the last axis: x (B, T, d), gain (d,), shift (d,) → (B, T, d)."""
    raise NotImplementedError("exercise layer_norm: replace this line with your answer")


# %% exercise="layer_norm" role="check"
check("layer_norm", layer_norm)

# %% [markdown]
# ## The MLP (optional)
#
# **Question.** Attention moves information between tokens. But it only averages values. Where is the
# information processed?
#
# **Intuition.** After attention, each token goes through a small neural network with one hidden layer, the
# **MLP** (multilayer perceptron). It is the same network for every token, and tokens do not mix in it. The
# hidden layer is usually four times as wide as the model.
#
# Between its two linear maps stands an **activation function**. You may know ReLU, which is $\max(0, z)$. GPT
# uses a smooth relative, **GELU**: $z\,\Phi(z)$, where $\Phi(z)$ is the probability that a standard normal
# random variable is less than $z$. With the error function,
# $\Phi(z) = \frac12\left(1 + \operatorname{erf}(z/\sqrt2)\right)$.
#
# **Example.** $\Phi(1) = 0.841$, so GELU(1) = 0.841. And $\Phi(-1) = 0.159$, so GELU(−1) = −0.159, where ReLU
# gives 0. **Predict** GELU(3) and GELU(−3) roughly, before you run the cell.

# %%
z = torch.tensor([-3.0, -1, 0, 1, 3])
print("ReLU", F.relu(z).tolist())
print("Φ   ", [round(float(each), 3) for each in torch.special.ndtr(z)])
print("GELU", [round(float(each), 3) for each in F.gelu(z)])

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *Almost 3, and almost 0.* Far from 0, GELU is nearly ReLU.
#
# </details>
#
# GELU is smooth, also at 0. For negative $z$, its gradient is usually not 0, but that of ReLU always is. The
# whole MLP is
#
# $$\operatorname{MLP}(x) = \operatorname{GELU}(x W_1 + b_1)\, W_2 + b_2, \qquad W_1: (d, 4d), \quad W_2: (4d, d).$$

# %% [markdown] exercise="gelu_mlp" role="statement"
# `x` has shape (B, T, d), `w_1` (d, n), `b_1` (n,), `w_2` (n, d) and `b_2` (d,). Return the MLP with the
# exact GELU, shape (B, T, d). You may write GELU from its formula (`torch.erf` is the error function) or use
# `F.gelu`. The function must be trainable.


# %% exercise="gelu_mlp" role="solution"
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    """GELU(x w_1 + b_1) w_2 + b_2: x (B, T, d) → (B, T, d)."""
    raise NotImplementedError("exercise gelu_mlp: replace this line with your answer")


# %% exercise="gelu_mlp" role="check"
check("gelu_mlp", gelu_mlp)

# %% [markdown]
# ## The residual stream (optional)
#
# **Question.** How do we stack attention and MLP many times, so that gradients still reach the first layer?
#
# **Example.** Each layer adds a change to its input. Take twenty layers with $f(x) = 0.1\,x$. Without the
# addition, the output is $0.1^{20}x$: both signal and gradient are gone. With it, the output is $1.1^{20}x =
# 6.7\,x$. In general the derivative of $x + f(x)$ is $1 + f'(x)$. Because of the 1, the gradient does not
# vanish as long as the $f'(x)$ are small.
#
# A block has two branches. The Transformer of 2017 normalised the *stream*, after each addition
# (**post-LN**):
#
# $$x \leftarrow \operatorname{LN}_1\!\big(x + \operatorname{Attention}(x)\big), \qquad
# x \leftarrow \operatorname{LN}_2\!\big(x + \operatorname{MLP}(x)\big).$$
#
# GPT-2 and nearly all later models use **pre-LN**, as in the picture above: the LayerNorms are at the
# beginning of the branches, and the stream is not normalised between the blocks. So the straight path from
# the last block back to the embeddings has no LayerNorm on it. (There is one after the last block, as the
# diagram shows.) Deep post-LN models often need a learning-rate **warm-up** to train at all: the rate starts
# near 0 and rises during the first steps. Pre-LN models are far less sensitive (Xiong et al. 2020).
#
# Now write a whole block, with the weights as they are stored in a checkpoint of the course. A checkpoint is
# a dict from names to tensors:

# %%
from kqa_core.model import GPT, GPTConfig

config = GPTConfig(vocab_size=len(vocabulary), block_size=12, n_layer=2, n_head=2, d_model=8)
torch.manual_seed(0)
random_weights = GPT(config).state_dict()
for name, weight in random_weights.items():
    if name.startswith("blocks.0."):
        print(f"{name.removeprefix('blocks.0.'):28} {tuple(weight.shape)}")

# %% [markdown]
# A word of caution: here *weights* means the parameters of the model. The weights that a softmax gives are
# called *attention weights* from now on.
#
# The names say where a parameter belongs. `mlp.0` and `mlp.2` are the two linear maps of the MLP. Number 1 is
# GELU, which has no parameters. `attention.projection` is $W_O$.
#
# **A linear layer by its name.** Every linear layer here has a bias. As in `nn.MultiheadAttention`, its
# weight is stored as (outputs, inputs): at `mlp.0.weight` the 32 outputs come first. That is the matrix which
# acts on a column, as at the beginning of notebook 03. Our tokens are rows, so a linear layer computes
# `y @ weight.T + bias`.
#
# **Example.** A layer from two components to three, with the input $(1, 2)$. Row $i$ of the weight belongs to
# output $i$:
#
# | row of the weight | bias | output |
# |---|---|---|
# | $(1, 0)$ | 0 | $1 \cdot 1 + 0 \cdot 2 + 0 = 1$ |
# | $(0, 1)$ | 0 | $0 \cdot 1 + 1 \cdot 2 + 0 = 2$ |
# | $(1, 1)$ | 10 | $1 \cdot 1 + 1 \cdot 2 + 10 = 13$ |
#
# In code, a small function finds weight and bias by the layer's name. Below it computes this example, and
# then the queries of our block, which we compare with the course's own layer.


# %%
def linear(name, y, weights):
    return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


example = {"small.weight": torch.tensor([[1.0, 0], [0, 1], [1, 1]]), "small.bias": torch.tensor([0.0, 0, 10])}
print("the example:", linear("small", torch.tensor([1.0, 2]), example).tolist())

model = GPT(config)
model.load_state_dict(random_weights)
block_weights = {
    name.removeprefix("blocks.0."): w for name, w in random_weights.items() if name.startswith("blocks.0.")
}
y = torch.randn(1, 10, 8, generator=torch.Generator().manual_seed(9))  # (B, T, d)
theirs = model.blocks[0].attention.query(y)
print("queries agree:", torch.allclose(linear("attention.query", y, block_weights), theirs, atol=1e-6))

# %% [markdown]
# Now the block. `causal_self_attention` has no biases, so you cannot call it here. Use its parts:
# `split_heads`, `attention_scores`, `causal_mask` and `merge_heads`, with four linear layers around them.
# `layer_norm` fits as it is; give `gelu_mlp` the transposed weights. If you use `linear`,
# write it into your own cell, because the grader does not run the cell above.

# %% [markdown] exercise="pre_ln_block" role="statement"
# `x` has shape (B, T, d). `weights` is a dict with the names of the list above, such as
# `"attention.query.weight"`. Return the output of the pre-LN block with causal attention and `n_head` heads,
# shape (B, T, d). A later position has the weight 0, however low the other scores are. You may call your
# functions from above. The weight of a LayerNorm is its gain and its bias is its shift. The block must be trainable. Do not change `x` or `weights` in place: write `x = x + …`,
# because `x += …` fails in training.


# %% exercise="pre_ln_block" role="solution"
def pre_ln_block(x, weights, n_head):
    """One pre-LN block with the weights of a checkpoint, by name: x (B, T, d) → (B, T, d)."""
    raise NotImplementedError("exercise pre_ln_block: replace this line with your answer")


# %% exercise="pre_ln_block" role="check"
check("pre_ln_block", pre_ln_block)

# %% [markdown]
# > **Takeaway.** A block adds two changes to the stream, and pre-LN leaves the straight path through it free.
#
# ## Dropout (optional)
#
# You will meet one more operation in real code. **Dropout** sets each number to 0 with probability $p$ in
# training and multiplies the others by $1/(1-p)$, so that the mean stays the same. In evaluation it does
# nothing. It is meant to keep a model from relying on single numbers. minGPT, the small GPT by Andrej Karpathy
# on which the assignment is based, has it in three places:
#
# - **embedding dropout**, on the sum of token and position embeddings,
# - **attention dropout**, on the attention weights after the softmax, so that a row of weights no longer sums
#   to 1,
# - **residual dropout**, on the outputs of attention and MLP, before they are added to the residual stream.
#
# **Predict.** For $p = 0.25$ and eight ones, what does dropout give in training, and what in evaluation?

# %%
torch.manual_seed(3)
dropout = torch.nn.Dropout(0.25)
print("training  ", [round(float(each), 2) for each in dropout.train()(torch.ones(8))])
print("evaluation", [round(float(each), 2) for each in dropout.eval()(torch.ones(8))])

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *In training some entries are 0 and the others $1/0.75 = 1.33$; in evaluation all stay 1.*
#
# </details>
#
# `torch.nn.Dropout` follows `model.train()` and `model.eval()`. The function `F.dropout(x, 0.25)` is active
# *always*, unless you pass `training=False`. A model that is evaluated in training mode gives another answer
# at each call. Our exercises have no dropout.
#
# > **Takeaway.** Dropout acts in training only: call `model.eval()` before you measure.

# %% [markdown]
# ---
# # Part 4. The whole model (optional, 55 minutes)
#
# ## From tokens to logits
#
# **Question.** What stands before the first block and after the last one?
#
# **Intuition.** Look at the picture at the beginning of Part 3 once more. A GPT is
#
# 1. the sum of token and position embeddings, (B, T) → (B, T, d),
# 2. a stack of blocks, each (B, T, d) → (B, T, d), which is why any number of them fits,
# 3. one last LayerNorm, because the stream itself has never been normalised,
# 4. the **output head**, a linear map from $d$ to $n_\text{vocab}$ components: one logit for each token of
#    the vocabulary. (Its weight is called `head.weight`.)
#
# Here are the names of all weights in our small model that do not belong to a block:

# %%
for name, weight in random_weights.items():
    if not name.startswith("blocks."):
        print(f"{name:24} {tuple(weight.shape)}")
print("names of the first block begin with blocks.0., those of the second with blocks.1.")

# %% [markdown] exercise="gpt_forward" role="statement"
# Given `tokens`, int64 of shape (B, T), the `weights` of a whole GPT and its number of heads, return the
# logits, shape (B, T, n_vocab). The names are those of the lists above: the table of positions, for example, is
# `"position_embedding"`, without `.weight`. Find the number of blocks from the names. The output head has no
# bias. A later position has the weight 0, however low the other scores are. The model must be trainable, and
# `weights` stays as it is.


# %% exercise="gpt_forward" role="solution"
def gpt_forward(tokens, weights, n_head):
    """The logits (B, T, n_vocab) of a GPT with the weights of a checkpoint, for tokens (B, T)."""
    raise NotImplementedError("exercise gpt_forward: replace this line with your answer")


# %% exercise="gpt_forward" role="check"
check("gpt_forward", gpt_forward)

# %% [markdown]
# Our sentence, through a model that has not been trained. It has ten words to choose from, so a model without
# knowledge gives each of them a probability near $1/10$.

# %%
logits = attempted(gpt_forward, torch.tensor([ids]), random_weights, 2)
if logits is not None:
    shares = torch.softmax(logits[0, words.index("because")], dim=-1)
    print("logits", tuple(logits.shape))
    print(
        "after 'because':",
        {word: round(float(share), 3) for word, share in zip(vocabulary, shares, strict=True)},
    )

# %% [markdown]
# ## Loading a trained model
#
# The course ships a small model that has been trained on questions about people who never lived. It has two
# blocks, four heads and $d = 128$, and its tokens are characters. One of them is ⁇: a single character, which
# marks where an answer begins and ends. To type it, copy it from here, or write `"\u2047"` in Python. Your
# `gpt_forward` gets the model's weights. Then we compare your logits with those of the course's own model.

# %% tags=["nbval-ignore-output"]
from kqa_core.experiments.pretrained import shipped_model

shipped = shipped_model("small.vanilla.finetune")
shipped_weights, characters = shipped.model.state_dict(), shipped.vocabulary
question = "Where was Radina Novarov born?⁇"  # ⁇ stands before an answer, and again at its end
tokens = torch.tensor([characters.encode(question)])
ours = shipped.model.eval()(tokens)[0].detach()
yours = attempted(gpt_forward, tokens, shipped_weights, shipped.model.config.n_head)
if yours is not None:
    print(f"{len(shipped_weights)} tensors, logits {tuple(yours.shape)}")
    print(f"largest difference from the course's model: {float((yours - ours).abs().max()):.0e}")
    print("equal up to rounding (1e-4):", torch.allclose(yours, ours, atol=1e-4))
    shares, best = torch.softmax(yours[0, -1], dim=-1).topk(3)
    print(
        "the next character:",
        [
            (characters.decode([int(c)]), round(float(share), 3))
            for c, share in zip(best, shares, strict=True)
        ],
    )

# %% [markdown]
# The logits agree up to rounding: the sums are computed in another order, and the numbers have 32 bits. So
# you have written a complete Transformer. It answers the question, too: you will let it write in Part 6.
#
# ## A walk through one forward pass
#
# **Question.** Where in the model does the answer appear?
#
# The widget below shows the pass that you have just computed, from the characters to the probabilities of the
# next one. On the left is a map of the model; the widget calls a block a *layer*. On the right are the
# numbers of the chosen step for this text, with the lines of code that compute them. Press "next step", or
# click a part of the map, and look for the parts that you have written: each of them is there.
#
# The last step is called the **logit lens** (nostalgebraist 2020). The residual stream has the same width
# everywhere, so we can apply the last LayerNorm and the output head to it after *each* addition, not only at
# the end. This shows what the model would predict if it stopped there.
#
# **Predict.** The model predicts "V", which is the first letter of the right answer, *Vodice*. Each of the
# two blocks adds to the stream twice, first attention and then the MLP. After which of these four additions
# does "V" become the likeliest next character?

# %% tags=["nbval-ignore-output"]
from kqa_core.show import walkthrough

walk = walkthrough(shipped, question)
walk.show("weights", layer=1)

# %% tags=["nbval-ignore-output"]
points = ("embeddings", "+ attention, block 0", "+ MLP, block 0", "+ attention, block 1", "+ MLP, block 1")
# the last position
for point, scores in zip(points, torch.as_tensor(walk.numbers("lens"))[:, -1], strict=True):
    shares, best = torch.softmax(scores, dim=-1).topk(2)
    likeliest = (
        f"{characters.decode([int(c)])} {float(share):.2f}" for c, share in zip(best, shares, strict=True)
    )
    print(f"{point:22} {'   '.join(likeliest)}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *After the attention of block 1.* There it has probability 0.23, and the last MLP raises it to 0.98. The MLP
# of block 0 had moved it up to second place.
#
# </details>
#
# In the map, choose "prediction so far" to see the same for every position of the question. Then look at the
# attention weights of block 1, for the last position. **Predict**: from which letters of the name does each
# head take its values? The next cell prints the three largest attention weights of each head, with the
# positions of their keys.

# %% tags=["nbval-ignore-output"]
# (T,): those of the last position
for head, row in enumerate(torch.as_tensor(walk.numbers("weights", layer=1))[:, -1]):
    largest, keys = row.topk(3)
    print(
        f"head {head}:",
        "   ".join(
            f"{question[i]} at {i}: {w:.2f}" for w, i in zip(largest.tolist(), keys.tolist(), strict=True)
        ),
    )

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Positions 10 to 15 hold *Radina*, and 17 to 23 hold *Novarov*. *Head 0 takes most from the last v of Novarov
# (0.41). Heads 1 and 2 take theirs from the r of Novarov (0.96 and 0.71). Head 3 takes its from the d of
# Radina (0.96).* So together the heads collect letters of both names. The attention weights do not show which
# of these letters the answer needs: for that you would have to change single letters.
#
# </details>

# %% [markdown]
# ## Counting parameters
#
# **Question.** "A model with 7 billion parameters": where are they?
#
# **Example.** A linear map from 3 to 2 components with a bias has $3 \cdot 2 + 2 = 8$ parameters. A LayerNorm
# for $d = 3$ has 3 gains and 3 shifts, 6 in all. A token table for 10 tokens with $d = 3$ has 30.
#
# **Predict.** Which has more parameters, the attention of a block or its MLP?

# %% [markdown] exercise="count_parameters" role="statement"
# Return the number of parameters of a GPT with these sizes. Attention has four linear maps from d to d, each
# *with* a bias (`d` is `d_model`). The MLP goes from d to 4d and back, with biases. A LayerNorm has a gain and
# a shift for each component; there are two in each block and one after the last block. The position table has
# `block_size` rows. The output head has no bias and shares nothing with the embedding. The number is below
# $2^{31}$. One of the five sizes makes no difference to it. Think about which one and why: the answer follows
# below.


# %% exercise="count_parameters" role="solution"
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    """The number of parameters of a GPT of these sizes."""
    raise NotImplementedError("exercise count_parameters: replace this line with your answer")


# %% exercise="count_parameters" role="check"
check("count_parameters", count_parameters)

# %%
# the sizes of the model in CS224n Assignment 5: 4 blocks, d = 256
assignment = GPT(GPTConfig(vocab_size=256))
derived = attempted(count_parameters, 256, 128, 4, 8, 256)
if derived is not None:
    print(f"your formula {int(derived):,}, counted {assignment.count_parameters():,}")
block = assignment.blocks[0]
for name, part in (("attention", block.attention), ("MLP", block.mlp), ("both LayerNorms", block.norm_1)):
    size = sum(parameter.numel() for parameter in part.parameters()) * (2 if "both" in name else 1)
    print(f"{name:16} of each block: {size:9,}")
for name, part in (
    ("token table", assignment.token_embedding.weight),
    ("output head", assignment.head.weight),
):
    print(f"{name:16} {part.numel():24,}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *The MLP has twice as many as attention*, about $8d^2$ against $4d^2$. The size that makes no difference is
# `n_head`: the heads share the $d$ components, so more heads are only narrower.
#
# </details>
#
# GPT-2 and GPT-3 keep this ratio, so a rule of thumb for their blocks is $12\,d^2$ parameters each. Many
# newer models share the parameters differently between attention and MLP.
#
# > **Takeaway.** A GPT is embeddings, blocks, a LayerNorm and an output head. Most parameters are in the
# > blocks, two thirds of them in the MLPs.

# %% [markdown]
# ---
# # Part 5. Training (45 minutes)
#
# ## The loss
#
# **Question.** How do we say in one number how good the predictions are?
#
# **Intuition.** The model gives a probability to every possible next token. We look only at the one that
# really comes next: the higher its probability, the better. The **cross-entropy** loss is minus the natural
# logarithm of that probability.
#
# **Example.** A vocabulary of three tokens with probabilities $(0.7, 0.2, 0.1)$. If token 0 comes next, the
# loss is $-\ln 0.7 = 0.357$. If token 2 comes next, it is $-\ln 0.1 = 2.303$. A perfect prediction has loss
# 0, and guessing among all tokens has loss $\ln n_\text{vocab}$. The unit is called *nat*.
#
# Which token "comes next"? Position $t$ predicts token $t+1$, so the targets are the inputs, shifted by one:
#
# | position: | 0 | 1 | 2 | 3 | 4 |
# |---|---|---|---|---|---|
# | input: | The | animal | didn't | cross | the |
# | target: | animal | didn't | cross | the | street |
#
# One pass gives a prediction at every position, because the causal mask lets each position see only its own
# past. A text of $T$ tokens gives $T-1$ predictions: the last token has no target here, and the first token
# is nobody's target.
#
# **Predict.** What would happen in training if we forgot the shift and compared position $t$ with token $t$?

# %%
logits = attempted(gpt_forward, torch.tensor([ids]), random_weights, 2)
if logits is not None:
    logs = torch.log_softmax(logits[0], dim=-1)  # (T, n_vocab): logarithms of probabilities
    for t in range(4):
        print(f"after {words[t]:7} comes {words[t + 1]:7} loss {-float(logs[t, ids[t + 1]]):.2f}")
print(f"guessing among {len(vocabulary)} words: ln {len(vocabulary)} = {math.log(len(vocabulary)):.2f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *Without the shift, the model would only have to repeat its input.* The loss would soon be near 0, and the
# model would be useless.
#
# </details>
#
# Padding is no target either: a batch with short rows would otherwise train the model to predict padding.
#
# **In torch.** `F.cross_entropy` wants logits of shape (N, n_vocab) and targets of shape (N,), where N counts
# all predictions of the batch. Logits of shape (B, T − 1, n_vocab) become (B · (T − 1), n_vocab) with
# `flatten(0, 1)`, and targets of shape (B, T − 1) become one axis with `flatten()`. Its argument
# `ignore_index` names a target that does not count.

# %% [markdown] exercise="next_token_loss" role="statement"
# `logits` has shape (B, T, n_vocab) and `tokens` has shape (B, T). Return the mean cross-entropy in nats, a
# tensor without axes. Position $t$ predicts token $t+1$. Targets that equal `pad` do not count, wherever in a
# row they stand: the mean is over all other targets of the whole batch. The logits may be large, so use
# `log_softmax` or torch's `F.cross_entropy` rather than logarithms of a softmax. The loss must be trainable.


# %% exercise="next_token_loss" role="solution"
def next_token_loss(logits, tokens, pad):
    """Mean loss in nats of predicting token t + 1 at position t:
    logits (B, T, n_vocab), tokens (B, T) → ().
    """
    raise NotImplementedError("exercise next_token_loss: replace this line with your answer")


# %% exercise="next_token_loss" role="check"
check("next_token_loss", next_token_loss)

# %% [markdown]
# ## Training a model that copies
#
# We train the smallest model that has to do something with attention. Each row is eight random letters, a
# bar, and the same eight letters again, such as `fkcabdne|fkcabdne`. The letters of the first half cannot be
# predicted. Those of the second half can, if some head attends to the right place.

# %%
from kqa_core.experiments import kept_training
from kqa_core.text import Vocabulary, runs

LETTERS, HALF = "abcdefghijklmnop", 8
alphabet = Vocabulary.from_text(LETTERS + "|")  # token 0 is padding
bar = alphabet.encode("|")[0]


def copy_rows(count, generator, half=HALF):
    """Random rows (count, 2 · half + 1): letters, a bar, the same letters."""
    # (count, half)
    first = torch.tensor(alphabet.encode(LETTERS))[torch.randint(16, (count, half), generator=generator)]
    return torch.cat((first, torch.full((count, 1), int(bar)), first), dim=1)


for row in copy_rows(3, torch.Generator().manual_seed(0)):
    print(alphabet.decode(row.tolist()))

# %% [markdown]
# **Predict** two losses before you train: (a) the loss at the start, when the model guesses among the 19
# tokens of its vocabulary (16 letters, the bar, and two special characters); (b) the smallest possible mean
# loss. Of the 16 targets in a row, seven are random letters, one is the bar, and eight are copies.
#
# <details><summary><b>Answer</b></summary>
#
# (a) $\ln 19 = 2.94$. (b) Each random letter costs $\ln 16 = 2.77$, the bar and the copies cost nothing. So
# the mean cannot fall below $\frac{7}{16} \cdot 2.77 = 1.21$. A loss below this floor would be a sign of a
# leak.
#
# </details>
#
# `GPT(…)` supplies only the names, shapes and random starting values of the weights. If you have written
# `gpt_forward`, which is optional, all the computing is done by your functions. Otherwise the course's model
# computes the logits from the same weights, and the loss is yours. `AdamW` is an optimizer, a refined form of gradient descent (notebook 10 looks inside).
# `requires_grad_` tells torch to compute gradients for a tensor, `backward` computes them, `optimizer.step()`
# changes the weights, and `zero_grad` clears the gradients before the next step. Training takes less than a
# minute. It is the model of notebook 00 again. `kept_training` keeps the result in `runs/04`, so it is loaded if
# you run the cell again or restart the kernel, until you change one of the functions.

# %% tags=["nbval-ignore-output"]
copier = GPTConfig(vocab_size=len(alphabet), block_size=2 * HALF + 1, n_layer=2, n_head=2, d_model=32)
courses_model = GPT(copier)


def forward(tokens, weights):
    """The logits of your model, or of the course's if your gpt_forward is not written yet."""
    try:
        return gpt_forward(tokens, weights, copier.n_head)
    except NotImplementedError:
        return torch.func.functional_call(courses_model, weights, (tokens,))[0]


def train(config, steps):
    torch.manual_seed(0)
    weights = {name: weight.clone().requires_grad_() for name, weight in GPT(config).state_dict().items()}
    optimizer = torch.optim.AdamW(weights.values(), lr=3e-3, weight_decay=0.01)
    generator, losses = torch.Generator().manual_seed(1), []
    for step in range(steps):
        rows = copy_rows(32, generator)
        loss = next_token_loss(forward(rows, weights), rows, pad=0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
        if step % 50 == 0:
            print(f"step {step:3}: loss {losses[-1]:.2f}")
    return weights, losses


trained = None
trained = attempted(kept_training, runs("04") / "copier.run", train, copier, 300)

# %% tags=["nbval-ignore-output"]
from kqa_core.show import show_loss_curve

baselines = {"guessing, ln 19": math.log(19), "best possible": 7 / 16 * math.log(16)}
show_loss_curve(trained[1], baseline=baselines) if trained is not None else None

# %% [markdown]
# The curve starts at the first baseline. That is the first thing to look at in any training: a start far
# above $\ln n_\text{vocab}$ means that something is wrong with the starting weights or with the loss. It ends
# just above the second, the best possible value.
#
# ## Which head copies?
#
# The second half can only be predicted by looking back. At position $t$ of the second half, the model must
# predict the letter at position $t - 8$ of the first half. (Check with `abcdefgh|abcdefgh`: at the bar,
# position 8, it must predict *a*, the letter at position 0.) So we look for a head that gives position $t-8$
# a large weight. Your own `split_heads`, `attention_scores` and `causal_mask` compute the attention weights;
# the course's blocks carry the vectors from one to the next.


# %% tags=["nbval-ignore-output"]
@torch.no_grad()
def attention_weights(tokens, weights):
    """The weights (B, h, T, T) of each block, with your own functions."""
    courses_model.load_state_dict(weights)
    x, tables = courses_model.embed(tokens, torch.arange(tokens.shape[1])), []
    for block in courses_model.blocks:
        y = block.norm_1(x)
        projections = block.attention.query(y), block.attention.key(y)
        scores = attention_scores(*(split_heads(part, copier.n_head) for part in projections))
        tables.append(torch.softmax(scores.masked_fill(~causal_mask(tokens.shape[1]), -math.inf), dim=-1))
        x = block(x)
    return tables


if trained is not None:
    rows = copy_rows(200, torch.Generator().manual_seed(2))
    second = torch.arange(HALF, 2 * HALF)  # the positions that must predict a copy
    guesses = forward(rows, trained[0]).argmax(dim=-1)
    print(f"copied correctly: {float((guesses[:, second] == rows[:, second + 1]).float().mean()):.1%}")
    for i, table in enumerate(attempted(attention_weights, rows, trained[0]) or []):
        for j in range(copier.n_head):
            print(
                f"block {i}, head {j}: weight on position t − 8:"
                f" {float(table[:, j, second, second - HALF].mean()):.2f}"
            )
else:
    print("(this cell shows something once the training above is complete)")

# %% [markdown]
# Look at the head with the largest weight in the explorer. Its title says *vanilla*, which is the course's
# name for the plain GPT without changes. Each row is a query, each column a key, and both axes show the
# characters. In the second half you see a straight line, parallel to the diagonal: each position attends to
# the place eight positions earlier. Only the last row leaves the line. It has no target, so training never
# asked it for anything. Click a cell to see how its weight is computed, from dot product to softmax. Then
# look at the other three heads. Do they copy, too?

# %% tags=["nbval-ignore-output"]
from kqa_core.show import explore


def copying_head(weights):
    """The explorer, opened at the head with the largest weight eight positions back."""
    model = GPT(copier)
    model.load_state_dict({name: weight.detach() for name, weight in weights.items()})
    tables = torch.stack(attention_weights(rows, weights))  # (blocks, B, h, T, T)
    strength = tables[:, :, :, second, second - HALF].mean(dim=(1, 3))  # (blocks, h)
    layer, head = divmod(int(strength.argmax()), copier.n_head)
    return explore(model, "fkcabdne|fkcabdne", alphabet).show(layer=layer, head=head, query=10, key=2)


attempted(copying_head, trained[0]) if trained is not None else None

# %% [markdown]
# The others look different. The second head of block 0 spreads its weights over many positions. Only at
# position 15, the last one that copies, does it look eight places back with almost all its weight. This alone
# gives $\frac18 = 0.125$ of its mean of 0.25. In block 1 there is a yellow column: from everywhere in the
# second half, at least one of the two heads gives a large weight to position 7, the last letter of the first
# half. That looks important. Is it?
#
# A picture cannot tell, but an experiment can: we switch off one head after the other. Head $j$ reaches the
# residual stream through $d_k$ columns of the stored matrix of the output projection (torch stores $W_O$
# transposed), so we set these columns to 0. **Predict**: without which head does the model no longer copy?

# %% tags=["nbval-ignore-output"]
if trained is not None:
    d_k = copier.d_model // copier.n_head
    for i in range(copier.n_layer):
        for j in range(copier.n_head):
            name = f"blocks.{i}.attention.projection.weight"  # (outputs, inputs)
            without = trained[0][name].detach().clone()
            without[:, j * d_k : (j + 1) * d_k] = 0
            guesses = forward(rows, {**trained[0], name: without}).argmax(dim=-1)
            right = float((guesses[:, second] == rows[:, second + 1]).float().mean())
            print(f"without block {i}, head {j}: {right:.0%} copied correctly")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *Without the head that looks eight places back: only 6 % are right, which is chance.* Without the second
# head of block 0 it is 82 %. Without the first head of block 1 it is 94 %, and without the second one it is
# 94 %, too. So neither head of block 1 is needed by itself. But each has a part of the yellow column, so each
# may replace the other. To test the column, you would have to switch off both at once. Each of these three
# heads adds something, and the pictures do not say what.
#
# </details>
#
# **Predict.** The head attends eight positions back. Does it do so because it recognises the letters, or
# because of the *positions*? We test it on rows with a half of five letters: `abcde|abcde`. The bar is now at
# position 5.

# %% tags=["nbval-ignore-output"]
if trained is not None:
    for half in (8, 7, 5):
        rows = copy_rows(200, torch.Generator().manual_seed(3), half)
        guesses = forward(rows, trained[0]).argmax(dim=-1)
        places = torch.arange(half, 2 * half)
        right = float((guesses[:, places] == rows[:, places + 1]).float().mean())
        print(f"half of {half}: {right:.0%} copied correctly")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *Because of the positions.* With another length the model is no better than chance, which is $1/16$, about 6
# %. It has learned "eight places back", and does not compare letters.
#
# </details>
#
# It had no reason to learn more, because all training rows had the same length. Always ask which shortcut
# your data allow.
#
# > **Takeaway.** The loss is the mean of $-\ln(\text{probability of the next token})$. Compare it with
# > $\ln n_\text{vocab}$ at the start and with the floor at the end. Attention weights show *where* a model
# > looks, and an experiment shows whether it needs to.
#
# <details><summary><b>Going deeper (optional): heads that copy by content</b></summary>
#
# Language models do contain heads that copy by content, called **induction heads** (Olsson et al. 2022).
# Having seen "… Draosh Sokak … Draosh", they predict "Sokak". This takes two blocks. A head in the first
# block attends to the previous token, so that each position also stores the token before it. A head in the
# second block then looks for a position whose *previous* token equals the current token, and copies the token
# there. To train one, let the length of the half vary between batches, and train about ten times as long.
# Long halves are still hard: in one run of 3,000 steps with halves of 2 to 8 letters, 99 % of the letters
# were right in halves of 4, and 75 % in halves of 8.
#
# </details>

# %% [markdown]
# ---
# # Part 6. Sampling (optional, 20 minutes)
#
# ## Temperature
#
# **Question.** The model gives probabilities for the next token. Which token do we write?
#
# **Intuition.** Always taking the most probable token is called **greedy** decoding. It writes the same text
# every time, and this text often repeats itself. Or we draw a token at random with these probabilities. A
# **temperature** $\tau$ makes the choice adjustable: divide the logits by $\tau$ before the softmax.
#
# **Example.** Logits $(2, 1, 0)$.
#
# - $\tau = 1$: the logits stay $(2, 1, 0)$, and the probabilities are $(0.665, 0.245, 0.090)$.
# - $\tau = 0.5$: the logits become $(4, 2, 0)$, and the probabilities $(0.867, 0.117, 0.016)$.
# - $\tau = 2$: the logits become $(1, 0.5, 0)$, and the probabilities $(0.506, 0.307, 0.186)$.
#
# A low temperature makes the distribution sharper: the limit $\tau \to 0$ is greedy decoding. At $\tau = 1$
# we use the model's own probabilities, and above 1 the distribution is flatter. This is the scale of a query
# from notebook 01 again: $1/\tau$ plays the role of $\beta$.
#
# **Drawing a token.** Lay the probabilities side by side on the line from 0 to 1. At temperature 1 token 0
# has the stretch from 0 to 0.665, token 1 from 0.665 to 0.910, token 2 the rest. Draw a number $u$ between 0
# and 1 at random: the stretch that it falls into is the token. **Predict**: which token does $u = 0.7$
# choose, at temperatures 1 and 0.5?

# %%
for temperature in (1.0, 0.5, 2.0):
    sums = torch.softmax(torch.tensor([2.0, 1, 0]) / temperature, dim=-1).cumsum(dim=-1)
    print(f"temperature {temperature}: the stretches end at", [round(float(end), 3) for end in sums])

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *Token 1 at temperature 1, token 0 at temperature 0.5*, because there the first stretch ends at 0.867.
#
# </details>

# %% [markdown] exercise="sample_next" role="statement"
# `logits` has shape (n_vocab,), `temperature` is a number ≥ 0, and `u` is a random number with 0 ≤ u < 1.
# Return the token whose stretch contains u, a whole number: the first token for which the running sum of the
# probabilities is greater than u. Rounding can leave the last running sum a little below 1. If u is not below
# that sum either, return the last token. At temperature 0, return the token with the largest logit.


# %% exercise="sample_next" role="solution"
def sample_next(logits, temperature, u):
    """The token that u chooses: logits (n_vocab,), 0 ≤ u < 1 → int."""
    raise NotImplementedError("exercise sample_next: replace this line with your answer")


# %% exercise="sample_next" role="check"
check("sample_next", sample_next)

# %% [markdown]
# Now let the shipped model answer the question of Part 4, with your `gpt_forward` and your `sample_next`.
# Each round appends one character and runs the model again on the whole text. In the training texts a second
# ⁇ ended each answer, so we stop when the model writes one.


# %% tags=["nbval-ignore-output"]
@torch.no_grad()
def write(prompt, temperature, seed, limit=20):
    generator, row = torch.Generator().manual_seed(seed), list(characters.encode(prompt))
    for _ in range(limit):
        # (n_vocab,)
        logits = gpt_forward(torch.tensor([row]), shipped_weights, shipped.model.config.n_head)[0, -1]
        row.append(int(sample_next(logits, temperature, float(torch.rand((), generator=generator)))))
        if characters.decode(row[-1:]) == "⁇":
            break
    return characters.decode(row[len(prompt) :]).rstrip("⁇")


if attempted(write, question, 0.0, 0) is not None:
    for temperature in (0.0, 1.0, 2.0, 3.0):
        print(
            f"temperature {temperature}:",
            ", ".join(repr(write(question, temperature, seed)) for seed in range(5)),
        )

# %% [markdown]
# Quotation marks show where an answer ends. At temperature 0 the answer is always the same. At 1 three of the
# five answers are still right. At 2 only two are right, and at 3 only one. A higher temperature does not make
# the model know more. It only takes less probable characters more often. (How a model comes to know such
# facts is the subject of notebooks 06 to 08.)
#
# > **Takeaway.** Temperature changes how sharply the model's probabilities are used, not what the model
# > knows.

# %% [markdown]
# ---
# # Part 7. Encoder and decoder (optional, 75 minutes)
#
# ## Cross-attention
#
# **Question.** A translation model gets a source text and writes a target text. How does it use the source
# while it writes?
#
# **Intuition.** The first Transformer (2017) was a translator, with two stacks of blocks. The **encoder**
# turns the source text into one vector for each source token, the **memory**. The **decoder** writes the
# target text, token by token. Between its self-attention and its MLP, each decoder block has
# **cross-attention**: queries from the decoder, keys and values from the memory.
#
# **Which masks?** In the encoder, and in cross-attention, every query may attend to the whole source, because
# the source is complete before the first target token is written. So there is *no causal mask*. But there is
# a *padding mask* as soon as a batch holds sources of different lengths: no query may attend to the padding
# of its source. The decoder's self-attention has the causal mask, as in a GPT.

# %%
from kqa_core.show import reading_figure

reading_figure()

# %% [markdown]
# The three tables have a row for each query and a column for each key. Only the middle one has a triangle.
# The last one is not square: there are as many queries as target tokens, and as many keys as source tokens.

# %% [markdown] exercise="cross_attention" role="statement"
# `x` has shape (B, n_q, d) and comes from the decoder. `memory` has shape (B, n_k, D). `w_q` is (d, h · d_k),
# `w_k` (D, h · d_k), `w_v` (D, h · d_v) and `w_o` (h · d_v, d), with h = `n_head`. The widths d_k and d_v
# need not be equal. Return cross-attention, shape (B, n_q, d). There is no padding here. The scores may be
# large. The layer must be trainable.


# %% exercise="cross_attention" role="solution"
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    """Queries from x (B, n_q, d), keys and values from memory (B, n_k, D) → (B, n_q, d).
    Head widths: d_k, and d_v for values.
    """
    raise NotImplementedError("exercise cross_attention: replace this line with your answer")


# %% exercise="cross_attention" role="check"
check("cross_attention", cross_attention)

# %% [markdown]
# Nothing in the formula says where a key stands. **Predict**: what happens to the output if we shuffle the
# memory?

# %%
generator = torch.Generator().manual_seed(7)
memory = torch.randn(3, 6, 8, generator=generator, dtype=torch.float64)  # (B, n_k, D)
read = attempted(cross_attention, inputs, memory, w_q, w_k, w_v, w_o, 2)
if read is not None:
    shuffled = cross_attention(inputs, memory[:, [3, 0, 5, 4, 2, 1]], w_q, w_k, w_v, w_o, 2)
    print("a shuffled memory gives the same output:", torch.allclose(read, shuffled))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *Nothing.* Attention without a causal mask does not see order.
#
# </details>
#
# So the encoder, too, needs position embeddings.
#
# ## Shapes in an encoder–decoder
#
# A source of $n$ tokens, a target of $m$ tokens, a batch of $b$ pairs. The input and the output of every
# block have the shape (b, n, d) in the encoder and (b, m, d) in the decoder.
#
# **Example.** $b = 2$, $n = 5$, $m = 3$, $d = 8$, $h = 2$. The memory is (2, 5, 8). In the decoder's
# self-attention, there are 3 queries and 3 keys in each head, so its attention weights have the shape (2, 2,
# 3, 3).

# %% [markdown] exercise="encoder_decoder_shapes" role="statement"
# For a batch of `b`, sources of length `n`, targets of length `m`, model width `d`, `h` heads and
# `vocab_size` tokens, return a dict with these eight shapes as tuples (or lists):
#
# - `memory`, the output of the encoder,
# - `encoder_weights` and `decoder_weights`, the attention weights of the two self-attentions,
# - `cross_queries` and `cross_keys`, the queries and keys of the cross-attention, split into heads, and
#   `cross_weights`, its attention weights,
# - `decoder_output`, after the decoder's last block, and `logits`, as in training.
#
# The three shapes of the cross-attention are worth one point, and the five others the other point.


# %% exercise="encoder_decoder_shapes" role="solution"
def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    """The shapes of eight tensors of an encoder-decoder model, by name."""
    raise NotImplementedError("exercise encoder_decoder_shapes: replace this line with your answer")


# %% exercise="encoder_decoder_shapes" role="check"
check("encoder_decoder_shapes", encoder_decoder_shapes)

# %%
shapes = attempted(encoder_decoder_shapes, 32, 20, 15, 512, 8, 10_000)
if shapes is not None:
    for name, shape in shapes.items():
        print(f"{name:16} {tuple(shape)}")

# %% [markdown]
# ## Encode once, decode step by step
#
# **Question.** In which order do encoder and decoder run when the model translates?
#
# **Example.** The source *the street was long* becomes *la rue était longue*:
#
# | step | decoder input | new token |
# |---|---|---|
# | before | encoder: *the street was long* → memory. | |
# | 1: | ⟨start⟩ | la |
# | 2: | ⟨start⟩ la | rue |
# | 3: | ⟨start⟩ la rue | était |
# | 4: | ⟨start⟩ la rue était | longue |
# | 5: | ⟨start⟩ la rue était longue | ⟨stop⟩ |
#
# The encoder runs **once**, because the source does not change. The decoder runs **once for each new token**,
# because each new token is part of its next input. In training it is different: the whole target is known, so
# one pass of the decoder, with the causal mask, computes the predictions at all positions at once.
#
# **Compare with an RNN.** The recurrent networks of notebook 00 did the same job before 2017:
#
# | | RNN | Transformer |
# |---|---|---|
# | memory of the source | One state vector. With attention, one for each token. | One vector for each token. |
# | encoding $n$ tokens | $n$ steps, one after the other. | One step in each layer, all tokens at once. |
# | path between two tokens | Up to $n$ steps long. | One step in each layer. |
# | cost for $n$ tokens | Grows like $n$. | Attention grows like $n^2$. |
# | training on a target | Token by token. | All positions at once. |
# | writing | Token by token. | Token by token. |

# %% [markdown] exercise="translate" role="statement"
# Write the loop. `source` is a tensor (1, n) of tokens. `encode(source)` returns the memory.
# `decode(memory, tokens)` takes the target tokens so far, a tensor (1, m) of int64, and returns logits of
# shape (1, m, n_vocab). `start` and `stop` are two different tokens. Decode greedily: always take the token
# with the largest logit. End at `stop`, or when there are `limit` new tokens. Return a list of the new tokens,
# without start and stop. Call `encode` once.


# %% exercise="translate" role="solution"
def translate(source, encode, decode, start, stop, limit):
    """Greedy decoding with one run of the encoder: the list of new tokens."""
    raise NotImplementedError("exercise translate: replace this line with your answer")


# %% exercise="translate" role="check"
check("translate", translate)

# %% [markdown]
# ## A translator from your layers
#
# **Question.** Does your loop work with real layers?
#
# We build a small encoder–decoder from your functions and train it. Its sources have the form *the white
# house and the red door*, which is *la maison blanche et la porte rouge* in French. In French the colour
# follows the noun, so the decoder cannot simply translate the words in their order. All sources have seven
# words, so there is no padding, and no padding mask.
#
# A phrase such as *white house* has a number from 0 to 15, for four colours and four nouns. *white house* is
# number 0, and it never occurs in the training sentences.

# %%
french_of = {"the": "la", "and": "et", "white": "blanche", "red": "rouge", "green": "verte", "black": "noire"}
french_of |= {"house": "maison", "street": "rue", "table": "table", "door": "porte"}
english, french = list(french_of), [*french_of.values(), "<start>", "<stop>"]
start, stop = french.index("<start>"), french.index("<stop>")


def sentences(phrases):
    """Sources (count, 7) and targets (count, 9) for phrases (count, 2), numbers from 0 to 15."""
    the, colour, noun = 0 * phrases, 2 + phrases // 4, 6 + phrases % 4  # (count, 2) each
    first, second = torch.stack((the, colour, noun), dim=-1).unbind(dim=1)  # (count, 3) each
    source = torch.cat((first, the[:, :1] + 1, second), dim=1)
    target = source[:, [0, 2, 1, 3, 4, 6, 5]]  # the same numbers in French, each colour after its noun
    return source, F.pad(F.pad(target, (1, 0), value=start), (0, 1), value=stop)


source, target = sentences(torch.tensor([[0, 7]]))
print(" ".join(english[word] for word in source[0]))
print(" ".join(french[word] for word in target[0]))

# %% [markdown]
# Now the layers. A decoder block is the block of Part 3 with one more branch. Each of its three branches adds
# to the stream. An encoder block has two branches. Its self-attention has no causal mask, so your
# `cross_attention` can do it: the source attends to itself.


# %%
def normed(x):
    return layer_norm(x, torch.ones(x.shape[-1]), torch.zeros(x.shape[-1]))


def encoder_block(x, own, mlp, n_head):
    """x (B, n, d) → (B, n, d)."""
    x = x + cross_attention(normed(x), normed(x), *own, n_head)
    return x + gelu_mlp(normed(x), *mlp)


def decoder_block(x, memory, own, cross, mlp, n_head):
    """x (B, m, d), memory (B, n, d) → (B, m, d)."""
    x = x + causal_self_attention(normed(x), *own, n_head)
    x = x + cross_attention(normed(x), memory, *cross, n_head)
    return x + gelu_mlp(normed(x), *mlp)


# %% [markdown]
# `encode` and `decode` put embeddings in front of one block each, and an output head after the decoder. The
# model of 2017 has six blocks in each stack. Ours also leaves out the trained gains and shifts of the
# LayerNorms, and dropout. Training uses your `next_token_loss`: one pass of the decoder computes the
# predictions at all positions of the target.

# %% tags=["nbval-ignore-output"]
generator, width = torch.Generator().manual_seed(10), 16


def random_parts(*shapes):
    return [
        (torch.randn(shape, generator=generator) / math.sqrt(shape[0])).requires_grad_() for shape in shapes
    ]


attention_shapes = 4 * [(width, width)]  # W_Q, W_K, W_V, W_O
mlp_shapes = [(width, 4 * width), (4 * width,), (4 * width, width), (width,)]
source_tables, target_tables = random_parts((10, width), (7, width)), random_parts((12, width), (9, width))
encoder_parts = [random_parts(*shapes) for shapes in (attention_shapes, mlp_shapes)]
decoder_parts = [random_parts(*shapes) for shapes in (attention_shapes, attention_shapes, mlp_shapes)]
output_head = random_parts((width, 12))
parts = [source_tables, target_tables, *encoder_parts, *decoder_parts, output_head]
matrices = [matrix for part in parts for matrix in part]


def encode(source):
    return normed(encoder_block(embed_tokens(source, *source_tables), *encoder_parts, 2))


def decode(memory, tokens):
    return (
        normed(decoder_block(embed_tokens(tokens, *target_tables), memory, *decoder_parts, 2))
        @ output_head[0]
    )


def train_translator(steps):
    optimizer = torch.optim.AdamW(matrices, lr=0.01)
    for step in range(steps):
        source, target = sentences(torch.randint(1, 16, (32, 2), generator=generator))  # no phrase 0
        loss = next_token_loss(decode(encode(source), target), target, pad=-1)  # nothing here is padding
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0 or step == steps - 1:
            print(f"step {step:3}: loss {float(loss.detach()):.2f}")
    return matrices


translator = attempted(kept_training, runs("04") / "translator.run", train_translator, 200)
for matrix, learned in zip(matrices, translator or [], strict=False):
    matrix.data = learned.data

# %% [markdown]
# Here the smallest possible loss is 0, because the source determines every word of the target.
#
# **Predict.** Your `translate` now runs on a source with *white house*. How often does the encoder run, and
# how often the decoder? And will the translation be right, although this pair of words is new?


# %% tags=["nbval-ignore-output"]
def encode_aloud(source):
    print("encoder runs")
    return encode(source)


def decode_aloud(memory, tokens):
    print("decoder runs on", " ".join(french[token] for token in tokens[0].tolist()))
    return decode(memory, tokens)


if translator and attempted(translate, source, encode_aloud, decode_aloud, start, stop, 8) is not None:
    sources, targets = sentences(torch.tensor([(0, j) for j in range(16)] + [(j, 0) for j in range(1, 16)]))
    pairs = zip(sources, targets[:, 1:-1].tolist(), strict=True)
    right = sum(translate(each[None], encode, decode, start, stop, 8) == wanted for each, wanted in pairs)
    print(f"sentences with a white house that are translated correctly: {right} of {len(sources)}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *The encoder runs once and the decoder eight times: for seven words and the stop token.* The translation is
# right, also in the other sentences with a white house. So the model has not just learned a list of colours
# with their nouns.
#
# </details>
#
# > **Takeaway.** The encoder runs once and its memory is read in every step. The decoder runs once for each
# > token that it writes. The causal mask belongs to the decoder's self-attention only. Padding masks belong
# > wherever keys can be padding.

# %% [markdown] exercise="encoder_or_decoder" role="statement"
# An encoder serves tasks whose text is complete before the model starts, such as sorting reviews into good
# and bad ones. A decoder serves tasks in which text is written.
#
# Answer in four to six sentences. Which positions may attend to which in an encoder, and which in a decoder?
# Why does a decoder need the causal mask, and what does it gain by it? Name another task for each of the two.
# Why does the decoder read the memory without a causal mask, and when does it need a padding mask there?

# %% [markdown] exercise="encoder_or_decoder" role="written"
# *Your answer here.*

# %% [markdown]
# ---
# # Part 8. A class that you keep (optional, 50 minutes)
#
# ## From functions to modules
#
# **Question.** `gpt_forward` gets all weights as an argument, so you can see where each of them is used. But
# who makes them, gives them to an optimizer, saves them, and moves them to a GPU? And how do you replace one
# layer by another?
#
# **Intuition.** PyTorch has a class for this, `nn.Module`. `__init__` makes the parts, once. `forward` computes
# with them, each time. A parameter or a layer that you assign to `self` is found under the name of its
# attribute.
#
# **Example.** A layer that multiplies each component by a trained gain and then applies a linear map.
#
# **Predict.** Which names are in its state dictionary, and with which shapes?


# %%
class Scaled(nn.Module):
    """A gain for each component, then a linear map: x (B, T, d) → (B, T, m)."""

    def __init__(self, d, m):
        super().__init__()  # always first: without it nothing is found
        self.gain = nn.Parameter(torch.ones(d))
        self.linear = nn.Linear(d, m)

    def forward(self, x):
        return self.linear(self.gain * x)


scaled = Scaled(3, 2)
print({name: tuple(tensor.shape) for name, tensor in scaled.state_dict().items()})
print("output", tuple(scaled(torch.ones(1, 4, 3)).shape))  # calling the module calls forward

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *`gain` (3), `linear.weight` (2, 3) and `linear.bias` (2).* The names of parts are joined by a dot. The
# weight of `nn.Linear` has the shape (outputs, inputs), as in Part 3.
#
# </details>
#
# | | functions and a dict | modules |
# |---|---|---|
# | weights | an argument of each call | attributes, made once in `__init__`. |
# | names | you look them up | the names of the attributes, joined by dots |
# | for the optimizer | `weights.values()` | `model.parameters()`. |
# | save and load | the dict itself | `model.state_dict()`, `model.load_state_dict(weights)`. |
# | to a GPU | each tensor | `model.to("cuda")` |
# | replace a layer | change the function | give another class |
#
# You now write the same model as three classes. They have the names of the course's checkpoints, so the same
# weights fit into your model and into the course's. And each class gets the part that it contains as an
# argument: the block takes any layer that mixes tokens, and the model takes any block.
#
# `config` is a `GPTConfig`, as in Part 3. It holds the sizes: `config.d_model`, `config.n_head`,
# `config.n_layer`, `config.vocab_size` and `config.block_size`, the largest number of tokens in a row.
#
# **Three rules for the classes.** A row may have any number of tokens from 1 to `config.block_size`. There is
# no dropout. And the state dictionary has exactly the names that are asked for: a mask that you keep needs
# `self.register_buffer("mask", mask, persistent=False)`. Three classes of torch will help you: `nn.Embedding(n,
# d)` is a table of n rows with d numbers each, and it looks up rows. `nn.Sequential` applies its layers one
# after the other. `nn.ModuleList` is a list of layers whose parameters torch finds, because it does not find
# those in a plain Python list.

# %% [markdown] exercise="MyAttention" role="statement"
# Write the class. Its parts are `query`, `key`, `value` and `projection`, four `nn.Linear(d, d)` with biases,
# where d is `config.d_model`. `forward(x)` takes x of shape (B, T, d) and returns causal self-attention with
# `config.n_head` heads, shape (B, T, d): your `causal_self_attention`, with biases. You may call your functions
# from above. Make the mask on the device of x, and do not change x in place.


# %% exercise="MyAttention" role="solution"
class MyAttention(nn.Module):
    """Causal self-attention with several heads: x (B, T, d) → (B, T, d)."""

    def __init__(self, config):
        raise NotImplementedError("exercise MyAttention: replace this line with your answer")


# %% exercise="MyAttention" role="check"
check("MyAttention", MyAttention)

# %% [markdown] exercise="MyBlock" role="statement"
# Write the pre-LN block. Its parts are `norm_1` and `norm_2`, two `nn.LayerNorm(d)`; `attention`, which is
# made by `attention(config)`; and `mlp`, an `nn.Sequential` of three layers: a linear map from d to 4d, the
# exact GELU (`nn.GELU()`), and a linear map from 4d to d. `forward(x)` takes and returns x of shape (B, T, d).
#
# The argument `attention` is anything that makes a layer from a config, such as your class `MyAttention`. The
# layer maps (B, T, d) to (B, T, d), and it is called with x alone. The check also gives your block a layer
# that is not attention.


# %% exercise="MyBlock" role="solution"
class MyBlock(nn.Module):
    """A pre-LN block with the layer that attention(config) makes: x (B, T, d) → (B, T, d)."""

    def __init__(self, config, attention):
        raise NotImplementedError("exercise MyBlock: replace this line with your answer")


# %% exercise="MyBlock" role="check"
check("MyBlock", MyBlock)

# %% [markdown] exercise="MyGPT" role="statement"
# Write the whole model. Its parts are `token_embedding`, an `nn.Embedding`; `position_embedding`, an
# `nn.Parameter` of shape (block_size, d) with any start; `blocks`, an `nn.ModuleList` of `config.n_layer`
# blocks, each made by `block(config)`; `norm`, an `nn.LayerNorm`; and `head`, an `nn.Linear` from d to
# `config.vocab_size` without a bias. `forward(tokens)` takes int64 tokens of shape (B, T) and returns the
# logits, shape (B, T, n_vocab).
#
# The argument `block` is anything that makes a block from a config. The check gives your model the course's
# blocks, so it does not depend on your `MyBlock`.


# %% exercise="MyGPT" role="solution"
class MyGPT(nn.Module):
    """A GPT with the blocks that block(config) makes: tokens (B, T) → logits (B, T, vocab_size)."""

    def __init__(self, config, block):
        raise NotImplementedError("exercise MyGPT: replace this line with your answer")


# %% exercise="MyGPT" role="check"
check("MyGPT", MyGPT)

# %% [markdown]
# ## Put together
#
# Now your three classes are one model. It gets the weights of the trained model of Part 4. And because the
# names agree in both directions, the course's model can get the weights of yours.


# %% tags=["nbval-ignore-output"]
def my_block(config):
    return MyBlock(config, MyAttention)


def my_model(shipped):
    """Your model with the weights of a checkpoint."""
    model = MyGPT(shipped.model.config, my_block)
    model.load_state_dict(shipped.model.state_dict())
    return model.eval()


mine = attempted(my_model, shipped)
if mine is not None:
    asked = torch.tensor([characters.encode(question)])
    with torch.no_grad():
        apart = (mine(asked) - shipped.model(asked)[0]).abs().max()
    print(f"{sum(weight.numel() for weight in mine.parameters()):,} parameters in {len(mine.blocks)} blocks")
    print(f"largest difference from the course's model: {float(apart):.0e}")
    back = GPT(shipped.model.config)
    back.load_state_dict(mine.state_dict())
    print("and the course's model takes your weights:", bool((back.head.weight == mine.head.weight).all()))

# %% [markdown]
# **You keep these classes.** Save this notebook. A later notebook gets them with
#
# ```python
# from kqa_core.exercise_helpers.kept_classes import kept_classes
#
# MyAttention, MyBlock, MyGPT = kept_classes()
# ```
#
# This reads the cells of your three answers from the saved notebook, and runs what they need. If a class is
# missing or not right yet, a line says so and the library's takes its place. Here is what you do with them:
#
# | notebook | what your model does there | what is replaced |
# |---|---|---|
# | 05 | It trains on the texts of the lab. | nothing |
# | 07 | It takes the weights of your own pretraining. | attention: with rotary positions |
# | 09 | It trains as a Synthesizer. | attention: your Synthesizer |
# | 11 | It takes the weights of SmolLM2, a real language model. | norms, attention, MLP: those of a Llama |
#
# > **Takeaway.** A module makes its parts in `__init__` and computes with them in `forward`. The names of the
# > attributes are the names in a checkpoint. A part that comes in as an argument can be replaced without
# > touching the rest.

# %% [markdown]
# ---
# # Two questions to write about (optional)

# %% [markdown] exercise="permutation_equivariance" role="statement"
# The rows of $X$ are the vectors of $T$ tokens. A permutation matrix $P$ puts them into another order, so the
# input becomes $PX$. There is no mask, and there are no positions. A layer of self-attention, followed by an
# MLP for each row, turns $X$ into $Z$.
#
# Derive that it turns $PX$ into $PZ$. Write out the logits, the softmax and the product with $V$, and say why
# the MLP changes nothing. Then: why is this a problem for text, and which parts of your GPT solve it?

# %% [markdown] exercise="permutation_equivariance" role="written"
# *Your answer here.*

# %% [markdown]
# The next cell checks the claim twice: with torch on random numbers, and with sympy on a table of symbols, where
# the softmax of rows is written out.

# %%
generator = torch.Generator().manual_seed(7)
X, W_Q, W_K, W_V = torch.randn(4, 5, 5, generator=generator, dtype=torch.float64)
P = torch.eye(5, dtype=torch.float64)[torch.randperm(5, generator=generator)]


def attend(X):
    return torch.softmax(X @ W_Q @ (X @ W_K).T / math.sqrt(5), dim=-1) @ (X @ W_V)


print("torch, Z_perm equals PZ:", torch.allclose(attend(P @ X), P @ attend(X)))

S, P3 = sp.Matrix(3, 3, sp.symbols("s:9")), sp.Matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])


def softmax_rows(S):
    return sp.Matrix(3, 3, lambda i, j: sp.exp(S[i, j]) / sum(sp.exp(S[i, m]) for m in range(3)))


print(
    "sympy, softmax(P S Pᵀ) − P softmax(S) Pᵀ:",
    sp.simplify(softmax_rows(P3 * S * P3.T) - P3 * softmax_rows(S) * P3.T),
)

# %% [markdown] exercise="pre_ln_key_norms" role="statement"
# In a pre-LN block, a key is the output of a LayerNorm times $W_K$. Leave its gain and shift aside.
#
# Which length does the output of LayerNorm have, for every token? What does this mean for the lengths of the
# keys of two tokens, one of which has a vector ten times as long in the residual stream? Connect your answer
# with the keys of varying length in notebook 02, and say which differences remain.

# %% [markdown] exercise="pre_ln_key_norms" role="written"
# *Your answer here.*

# %% [markdown]
# ---
# # Summary
#
# | part | what it does | shape |
# |---|---|---|
# | embeddings | Token and position become one vector. | (B, T) → (B, T, d) |
# | attention | Moves information between tokens. | (B, T, d) → (B, T, d), weights (B, h, T, T) |
# | MLP | Processes each token by itself. | (B, T, d) → (B, T, d) |
# | residual stream | Adds up what the layers write. | (B, T, d) |
# | LayerNorm | Keeps the inputs of the branches at a fixed size. | (B, T, d) |
# | output head | Computes the logits of the next token. | (B, T, d) → (B, T, n_vocab) |
#
# ## Test yourself
#
# **1.** Your model reaches a training loss far below what you expect. What do you check first?
#
# <details><summary><b>Answer</b></summary>
#
# Two things: the shift of the targets, and leaks from the future. Change the last token of a row, and see
# whether earlier outputs change.
#
# </details>
#
# **2.** You double the number of heads and keep d. What happens to parameters and attention weights?
#
# <details><summary><b>Answer</b></summary>
#
# The number of parameters stays the same, because the heads share the d components. The attention weights
# become twice as many tables: (B, 2h, T, T). Each head has half the width, so its scores are divided by a
# smaller root.
#
# </details>
#
# **3.** Why is dividing by the root of d_k not the same as clipping the scores?
#
# <details><summary><b>Answer</b></summary>
#
# Clipping cuts off large values and changes only those. The division scales all scores alike, so that the
# softmax does not saturate at the start of training. The model can still learn large scores.
#
# </details>

# %%
progress()

# %% [markdown]
# **Next:** [05 Mini-Transformer lab](../05_mini_transformer_lab/05_mini_transformer_lab.ipynb). You change
# single parts of a Transformer, measure what happens, and decide whether a difference is more than chance. On
# the path *assignment*, go on with [06 Span corruption](../06_span_corruption/06_span_corruption.ipynb).
