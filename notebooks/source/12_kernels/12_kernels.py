# %% [markdown]
# # Kernels (optional)
#
# Here are three jobs on eight million numbers. The first job only copies them. The second multiplies each
# number by three. The third squares each number and adds the result to the number, so it does twice the
# arithmetic of the second.
#
# **Predict.** How long do the second and the third job take, compared with the first?

# %% role="setup"
import itertools
import math

import numpy as np  # for your answers
import torch
import torch.nn.functional as F

from kqa_core.check import attempted, check, hint, progress, solution  # hint("one_tile") gives a hint
from kqa_core.kernels import load

torch.set_num_threads(1)  # everything here is small: more threads would only wait for each other

# %% tags=["nbval-ignore-output"]
import time


def best_times(jobs, tries=30):
    """The shortest of several runs of each job, in seconds.
    The jobs take turns, so a busy machine slows all of them.
    """
    best = dict.fromkeys(jobs, math.inf)
    for _ in range(tries):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


numbers, target = torch.rand(8_000_000), torch.empty(8_000_000)
jobs = {
    "copy": lambda: target.copy_(numbers),
    "multiply": lambda: torch.mul(numbers, 3.0, out=target),
    "square and add": lambda: torch.addcmul(numbers, numbers, numbers, out=target),
}
for name, seconds in best_times(jobs).items():
    print(f"{name:15} {1e3 * seconds:6.2f} ms")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# All three take about the same time. The third job does twice the arithmetic of the second, but it does not
# take twice the time. And the copy, which computes nothing at all, is no faster. (If other programs are
# running, the times vary. Then run the cell again.)
#
# </details>
#
# So the arithmetic is almost free here. The time goes into *moving* the numbers: from the main memory to the
# processor, and back. On a GPU the gap is larger still. An NVIDIA H200 can do about 200 operations in the
# time in which it moves one byte. (Part 3 computes this number from the data sheet.)
#
# If you want attention to be fast, it is therefore not enough to count multiplications. Ask also what is moved,
# and how often. (Part 3 shows when which of the two is the limit.) A function that runs on a GPU is called a
# **kernel**. This notebook is about kernels that load their numbers once, do several steps with them, and store
# only the result. After it you can
#
# 1. compute a softmax in one pass over the keys, and merge partial results,
# 2. write what one program of an attention kernel does, from addresses to output, and read the same program
#    in Triton,
# 3. count bytes and operations, and say whether memory or arithmetic limits a kernel,
# 4. make a batch of corrupted rows without a loop, and say why its random numbers must not have a state.
#
# **Time:** about two hours for Parts 1 to 3, which are about attention. Part 4 is an extra of half an hour,
# and its points are extra credit. The whole notebook is optional: nothing else needs it. **You need:**
# softmax and weighted averages (notebook 01), heads, the causal mask and $\sqrt{d_k}$ (notebook 04), and for
# Part 4 span corruption (notebook 06). All symbols are in the [table of
# symbols](../00_start_here/00_start_here.ipynb#Symbols). You do not need a GPU.

# %% [markdown]
# ---
# # Part 1. A softmax in one pass
#
# ## Large logits
#
# **Question.** A softmax computes $e^{s_i}$ for each logit $s_i$. What happens if the logits are large?
#
# **Example.** Two logits, $1000$ and $999$. The first weight should be $1/(1 + e^{-1}) = 0.731$, because only
# the difference counts. But $e^{1000}$ is too large even for float64: the computer stores it as infinity, and
# infinity divided by infinity is nan ("not a number"). The remedy is to subtract the largest logit $m$ from
# all logits. The weights stay the same, because a common factor $e^{-m}$ cancels:
#
# $$\alpha_i = \frac{e^{s_i}}{\sum_j e^{s_j}} = \frac{e^{-m}\,e^{s_i}}{e^{-m}\sum_j e^{s_j}} = \frac{e^{s_i-m}}{\sum_j
# e^{s_j-m}}.$$
#
# Now the largest exponent is 0, so no exponential is above 1. The sum is at least 1, so we never divide by 0.

# %%
s = torch.tensor([1000.0, 999.0])
print("as they are:     ", (s.exp() / s.exp().sum()).tolist())
s = s - s.max()
print("minus the maximum:", [round(weight, 3) for weight in (s.exp() / s.exp().sum()).tolist()])

# %% [markdown]
# > **Takeaway.** Every softmax in practice subtracts the maximum first. We say that the exponentials are
# > *measured from* $m$.

# %% [markdown]
# ## Two tiles of keys
#
# **Question.** Written like this, attention looks at the logits three times: once for the maximum, once for
# the sum, once for the weights. Suppose that the keys arrive a few at a time, and that each group is gone
# when the next one arrives. Can we still get the output?
#
# Such a group is called a **tile**: as many keys as a processor holds at once. On a GPU, attention over a
# long text works tile by tile, because the logits of all keys together do not fit on the chip.
#
# **Idea.** Keep a short summary of the keys so far. When a new tile arrives, update the summary. Three things
# are enough:
#
# $$m = \max_i s_i, \qquad \ell = \sum_i e^{s_i - m}, \qquad a = \sum_i e^{s_i - m}\, v_i,$$
#
# where $i$ runs over all keys so far. We call $(m, \ell, a)$ the **state**. The sum $a$ is the output before
# the division: the output is $c = a/\ell$.
#
# **Example.** Four keys in two tiles. We choose logits whose exponentials are whole numbers, and values that
# are plain numbers:
#
# | tile: | 1 | 1 | 2 | 2 |
# |---|---|---|---|---|
# | logit $s_i$: | $\ln 1$ | $\ln 2$ | $\ln 8$ | $\ln 4$ |
# | $e^{s_i}$: | 1 | 2 | 8 | 4 |
# | value $v_i$: | 10 | 20 | 30 | 40 |
#
# *Tile 1.* The maximum is $m = \ln 2$. Measured from it, the exponentials are $e^{\ln 1-\ln 2}=\frac12$ and
# $e^{\ln 2-\ln 2} = 1$. So
#
# $$\ell = \tfrac12 + 1 = 1.5, \qquad a = \tfrac12\cdot 10 + 1\cdot 20 = 25.$$
#
# *Tile 2.* Its largest logit is $\ln 8$, so the new maximum is $m_\text{new} = \ln 8$. But the two old terms
# were measured from $m_\text{old} = \ln 2$. Measured from $\ln 8$ they are not $\frac12$ and $1$, but
# $\frac18$ and $\frac28$. Both have become four times smaller. So we do not need the old keys: it is enough
# to multiply the old *sum* by $\frac14$. Then we add the terms of the new tile, $\frac88 = 1$ and
# $\frac48 = \frac12$:
#
# $$\ell = \tfrac14\cdot 1.5 + 1 + \tfrac12 = 1.875, \qquad a = \tfrac14\cdot 25 + 1\cdot 30 + \tfrac12\cdot 40 = 56.25.$$
#
# The output is $a/\ell = 30$. Check it with all four keys at once:
# $(1\cdot10 + 2\cdot20 + 8\cdot30 + 4\cdot40)/15 = 450/15 = 30$.
#
# **Where does the factor come from?** Write the old sum, measured from the new maximum:
#
# $$\sum_{i\ \text{old}} e^{s_i - m_\text{new}} = \sum_{i\ \text{old}} e^{s_i - m_\text{old}}\, e^{m_\text{old} - m_\text{new}}
# = e^{m_\text{old} - m_\text{new}} \sum_{i\ \text{old}} e^{s_i - m_\text{old}} = e^{m_\text{old} - m_\text{new}}\;
# \ell_\text{old}.$$
#
# The factor $e^{m_\text{old} - m_\text{new}}$ is the same for every key, so it comes out of the sum. In the
# example it is $e^{\ln 2-\ln 8} = \frac28 = \frac14$. For $a$ the same three steps hold, with $v_i$ behind
# each exponential. The maximum never becomes smaller, so the factor is at most 1, and nothing can overflow.
#
# Here is the second tile in code, from the state after the first:

# %%
m_old, ell_old, a_old = math.log(2), 1.5, 25.0
m_new = max(m_old, math.log(8), math.log(4))
factor = math.exp(m_old - m_new)
ell_new = factor * ell_old + math.exp(math.log(8) - m_new) + math.exp(math.log(4) - m_new)
a_new = factor * a_old + math.exp(math.log(8) - m_new) * 30 + math.exp(math.log(4) - m_new) * 40
print(f"factor {factor:.3f}   ell {ell_new:.3f}   a {a_new:.3f}   output {a_new / ell_new:.3f}")

# %% [markdown]
# **Predict.** Now let the tiles arrive in the other order, tile 2 first. What is the factor at the second
# step? What is the state at the end?
#
# <details><summary><b>Answer</b></summary>
#
# The factor is $e^{\ln 8-\ln 8} = 1$, because the maximum does not change. The state at the end is the same,
# $(\ln 8, 1.875, 56.25)$. It has to be: $m$, $\ell$ and $a$ are defined over all keys so far, and their order
# does not matter.
#
# </details>

# %% [markdown]
# **Explore.** A tile of two keys walks over our sentence. The query is *tired*; its logits and values are
# made up. The values have two components, "living being" and "place". Move `tiles done` from 0 to 5, and
# watch $m$, $\ell$ and the output.
#
# - At which tiles is the factor below 1?
# - Choose `smallest logit first`, then `largest logit first`. How often is the old sum made smaller now? Does
#   the final state change?

# %%
from kqa_core.show import tile_walk

tile_walk()

# %% [markdown]
# <details><summary><b>Answers</b></summary>
#
# - At the first tile it is $e^{-\infty} = 0$, because nothing was summed before. Then the maximum is 4, from
#   *animal*, until *it* arrives in tile 4 with the logit 5. There the factor is $e^{4-5} = 0.368$.
# - With the smallest logit first, the maximum rises at four of the five tiles (not at the third). At three of
#   these four the old sum becomes smaller. At the first tile there is none: it is 0. With the largest logit
#   first, the first tile finds the maximum, so all later factors are $1$. The final state is the same:
#   $\ell = 1.843$, and the output is $(0.71, 0.08)$.
#
# </details>
#
# **The general statement.** The state is $(m, \ell, a)$, where $m$ and $\ell$ are numbers and $a$ has the
# shape $(d,)$. A tile brings $n$ logits $s_i$ and $n$ values $v_i$ of shape $(d,)$. Then
#
# $$m_\text{new} = \max\bigl(m_\text{old}, \max_i s_i\bigr), \qquad f = e^{m_\text{old} - m_\text{new}},$$
# $$\ell_\text{new} = f\,\ell_\text{old} + \sum_i e^{s_i - m_\text{new}}, \qquad a_\text{new} = f\,a_\text{old} + \sum_i e^{s_i -
# m_\text{new}}\,v_i.$$
#
# Before the first key, the state is $(-\infty, 0, 0)$. Then $f = e^{-\infty} = 0$, so nothing of it is left.
# A masked key has the logit $-\infty$. Its exponential is 0, so it adds nothing. This algorithm is called the
# **online softmax**.
#
# **Two small cases with a masked key.** The values are plain numbers, and the state is that before the first
# key.
#
# - *A tile with the logits $(-\infty, 2)$ and the values $(10, 20)$.* Then $m_\text{new} = 2$. The
#   exponentials are $e^{-\infty-2} = 0$ and $e^{2-2} = 1$. So the new state is $(2, 1, 20)$, as if the first
#   key were not there.
# - *A tile with the single logit $-\infty$.* Then $m_\text{new} = -\infty$, and every exponent is
#   $-\infty-(-\infty)$, which is nan. All keys so far were masked, so the state should stay
#   $(-\infty, 0, 0)$. The formulas do not give this: your function needs a special case.

# %% [markdown] exercise="online_softmax" role="statement"
# `state` is the tuple `(m, ell, a)` of the keys so far: `m` and `ell` are tensors of shape (), `a` has shape
# (d,). A tile brings `logits` of shape (n,) and `values` of shape (n, d), with n ≥ 1. Return the new state,
# in the same dtype and shapes (numbers of Python will do for `m` and `ell`); change no argument in place. A
# tensor that stays as it was may be returned as it is. Logits may be around 1000 or −1000, and some or all of
# them may be −∞ (masked). As long as every key was masked, the state stays what it is before the first key:
# (−∞, 0, 0). (In torch, `a @ b` with shapes (n,) and (n, d) gives (d,).)


# %% exercise="online_softmax" role="solution"
def online_softmax(state, logits, values):
    """The state (m (), ell (), a (d,)) after one more tile: logits (n,), values (n, d)."""
    raise NotImplementedError("exercise online_softmax: replace this line with your answer")


# %% exercise="online_softmax" role="check"
check("online_softmax", online_softmax)

# %% [markdown]
# Now a row of 10,000 keys, 64 at a time, with logits so large that a plain exponential overflows. Your state
# never holds more than ten numbers: $m$, $\ell$ and the eight of $a$.

# %%
generator = torch.Generator().manual_seed(9)
logits = 300 * torch.randn(10_000, generator=generator, dtype=torch.float64)
values = torch.randn(10_000, 8, generator=generator, dtype=torch.float64)
empty = (torch.tensor(-math.inf).double(), torch.tensor(0.0).double(), torch.zeros(8).double())


def streamed(logits, values, tile):
    """The state after all keys, `tile` of them at a time."""
    state = empty
    for start in range(0, len(logits), tile):
        state = online_softmax(state, logits[start : start + tile], values[start : start + tile])
    return state


def one_pass():
    _, ell, a = streamed(logits, values, 64)
    print(
        "one pass equals the softmax over all keys:",
        torch.allclose(a / ell, logits.softmax(dim=0) @ values, atol=1e-12),
    )
    print("a plain exponential of the largest logit: ", float(logits.max().exp()))


attempted(one_pass)

# %% [markdown]
# The first line compares your result with torch's softmax over all keys at once. They agree up to rounding.
# The second line is why $m$ is subtracted: even in float64, everything from $e^{710}$ on is infinite.
#
# > **Takeaway.** One pass over the keys is enough for attention. The state is a running maximum, a running
# > sum and a running output. When the maximum rises, both sums are multiplied by
# > $e^{m_\text{old} - m_\text{new}}$. FlashAttention (Dao et al. 2022) is built on this, and so are the fused
# > kernels behind torch's `scaled_dot_product_attention`.

# %% [markdown]
# ## Merging two states
#
# **Question.** A GPU can work on several parts of the keys at the same time. Each part ends with a state of
# its own. How do we combine two states?
#
# **Idea.** Neither state needs the other one's keys. Bring both to the same maximum, the larger of the two,
# and add.
#
# **Example.** Take our four keys again. Tile 1 alone has the state $(\ln 2, 1.5, 25)$. Tile 2 alone has
# $m = \ln 8$, $\ell = 1 + \frac12 = 1.5$ and $a = 1\cdot30 + \frac12\cdot40 = 50$. The larger maximum is
# $\ln 8$. The left side has the factor $e^{\ln2-\ln8} = \frac14$, the right side has $e^{\ln8-\ln8} = 1$:
#
# $$\ell = \tfrac14\cdot1.5 + 1\cdot1.5 = 1.875,\qquad a = \tfrac14\cdot 25 + 1\cdot50 = 56.25.$$
#
# This is the state of all four keys, as above. In general, for two states $(m_1, \ell_1, a_1)$ and
# $(m_2, \ell_2, a_2)$,
#
# $$m = \max(m_1, m_2),\qquad \ell = e^{m_1-m}\,\ell_1 + e^{m_2-m}\,\ell_2,\qquad a = e^{m_1-m}\,a_1 + e^{m_2-m}\,a_2.$$
#
# **Predict.** One side has seen only masked keys, so its state is $(-\infty, 0, 0)$. What does the formula
# give? And if both sides are like this?
#
# <details><summary><b>Answer</b></summary>
#
# The factor of the empty side is $e^{-\infty} = 0$, so the result is the other side. If both are empty,
# $m = -\infty$ and the exponent is $-\infty - (-\infty)$, which is nan. This case needs care.
#
# </details>

# %% [markdown] exercise="merge_states" role="statement"
# Now for $T$ queries at once. `left` and `right` are states `(m, ell, a)` of the same $T$ queries, over
# different keys: `m` and `ell` have shape (T,), `a` has shape (T, d). Return the state over all keys; change
# no argument in place. In some rows, one side or both sides have seen only masked keys: their `m` is −∞ there,
# and `ell` and `a` are 0. Where both sides are like this, the result is like this, too.


# %% exercise="merge_states" role="solution"
def merge_states(left, right):
    """One state from two of the same queries: m (T,), ell (T,), a (T, d) each."""
    raise NotImplementedError("exercise merge_states: replace this line with your answer")


# %% exercise="merge_states" role="check"
check("merge_states", merge_states)

# %% [markdown]
# Four parts of the 10,000 keys, of very different lengths, merged two by two and in mixed order:


# %%
def four_parts():
    cuts = (0, 1000, 1010, 7000, 10_000)
    states = [streamed(logits[start:end], values[start:end], 64) for start, end in itertools.pairwise(cuts)]
    first, second, third, fourth = ([part[None] for part in state] for state in states)  # T = 1 query
    _, ell, a = merge_states(merge_states(fourth, first), merge_states(third, second))
    print(
        "four parts equal the softmax over all keys:",
        torch.allclose(a[0] / ell[0], logits.softmax(dim=0) @ values, atol=1e-12),
    )


attempted(four_parts)

# %% [markdown]
# The result is the same softmax, because the state does not depend on the order of the keys.
#
# > **Takeaway.** States of different keys can be merged in any order. So the keys of a long text can be split
# > among many processors. This matters when a model generates text: then there is a single query, and without
# > a split most of the GPU would have nothing to do.

# %% [markdown]
# ---
# # Part 2. One tile
#
# ## Addresses and strides
#
# The models of this course have rows of at most 128 characters. Then the logits of one head are a square of
# $128\times128$ numbers, and this fits into the registers of one multiprocessor of a GPU. (A GPU consists of
# many *multiprocessors*, which compute independently of each other. *Registers* are the fastest memory; they
# lie right beside the arithmetic.) So one tile is enough, and no state is needed. A kernel consists of many
# copies of one small **program**. Here, each program computes one head of one row of the batch: it loads $Q$,
# $K$ and $V$ of this head, computes, and stores the output. The GPU runs as many of these programs at the
# same time as it has room for.
#
# **Question.** A program does not get tensors. For a GPU, the memory is one long strip of numbers, each with
# an **address**: 0, 1, 2, … So how does a program find its numbers?
#
# **Example.** A tiny batch: one row of $T = 3$ tokens, 2 heads, 2 channels in each head. (A *channel* is one
# component of a vector, so each query, key and value of a head has two numbers.) The layer has left its
# numbers in the usual order: token by token, and for each token first head 0, then head 1. So the queries are
# 12 numbers, $3\cdot2\cdot2$. After them come 12 numbers for the keys, 12 for the values, and room for 12
# numbers of output. We look at head 1.
#
# - Its first query begins at address 2, because two numbers of head 0 come first.
# - Its next query begins 4 addresses later, because both heads together have 4 numbers for each token. This
#   step from row to row is called the **stride**.
# - So row $t$, channel $c$ of the query is at address $2 + 4t + c$. In general:
#
# $$\text{address} = \text{start} + t\cdot\text{stride} + c.$$
#
# The keys of head 1 start at $12 + 2 = 14$, the values at $24 + 2 = 26$, the output at $36 + 2 = 38$.
#
# **Predict.** At which address is channel 1 of key 2?
#
# <details><summary><b>Answer</b></summary>
#
# At $14 + 2\cdot 4 + 1 = 23$.
#
# </details>
#
# Here is the memory. The lines are only there because the strip does not fit on the page: after address 11
# comes 12. The other head's numbers are all 5. Nothing has been written to the output yet, so it can hold
# anything. We put nan there, the worst case.

# %%
from kqa_core.show import show_memory

q_rows = torch.tensor([[1.0, 1.0], [2.0, 0.0], [0.0, 1.0]])  # of head 1: (T, width)
k_rows = torch.tensor([[1.0, 1.0], [1.0, 0.0], [-1.0, 1.0]])
v_rows = torch.tensor([[10.0, 0.0], [0.0, 10.0], [20.0, 20.0]])
strip = torch.full((4, 3, 2, 2), 5.0)  # query, key, value and output; tokens; heads; channels
strip[:3, :, 1] = torch.stack([q_rows, k_rows, v_rows])
strip[3] = math.nan
strip = strip.flatten()  # 48 numbers, addresses 0 to 47
lines = {"query": 0, "key": 12, "value": 24, "output": 36}
ours = {
    "query of head 1": [2, 3, 6, 7, 10, 11],
    "key": [14, 15, 18, 19, 22, 23],
    "value": [26, 27, 30, 31, 34, 35],
    "where row 3 of the value would be": [38, 39],
}
show_memory(strip, ours, lines)

# %% [markdown]
# **Tiles and masks.** Triton (below) has only tiles whose sides are powers of 2. Our head has 3 rows, so its
# tile has 4 rows, and row 3 does not exist. (The width, 2, is a power of 2 already. In your own program
# below, any width will do.) The formula still gives addresses for it. For the query these are
# $2 + 3\cdot4 = 14$ and 15. Look at the picture: that is row 0 of the *key*. For the value they are 38 and
# 39, where there is nan. So a program must **mask** its loads.
#
# `load(memory, where, inside)` does this. `where` is a tensor of addresses, and `inside` says which of them
# to load. Where `inside` is False, the result is 0 and nothing is loaded. Two `torch.arange`s, one as a
# column and one as a row, make all addresses at once:

# %%
at, channel = torch.arange(4), torch.arange(2)  # the rows and the channels of the tile
where = at[:, None] * 4 + channel  # (4, 2): t · stride + c
inside = at[:, None] < 3  # (4, 1): only three rows exist
print(2 + where)
print(load(strip, 2 + where, inside))

# %% [markdown]
# The first tensor holds the addresses of the query's tile, one row of the tile in each row. The second holds
# the numbers that were loaded: the three queries and a row of zeros.
#
# **Now the logits**, as in notebook 04: $QK^\top/\sqrt{d_k}$, with $d_k = 2$.

# %%
q, k = load(strip, 2 + where, inside), load(strip, 14 + where, inside)
print(q @ k.T / math.sqrt(2))

# %% [markdown]
# Row $t$ belongs to query $t$, column $i$ to key $i$. In the first row, $q_0\cdot k_0 = 2$ and
# $2/\sqrt2 = 1.414$. The last row belongs to a query that does not exist. It does no harm, because this row
# of the result will not be stored.
#
# The last *column* is the trap. Key 3 does not exist, it was loaded as zeros, so its logits are 0. But a
# logit of 0 is not "no weight". **By hand**, for query 0 without a causal mask: the exponentials of $1.414$,
# $0.707$ and $0$ are $4.113$, $2.028$ and $1$.
#
# | | key 0 | key 1 | key 2 | key 3 (does not exist) |
# |---|---|---|---|---|
# | right: divide by $4.113+2.028+1 = 7.141$ | 0.576 | 0.284 | 0.140 | 0 |
# | wrong: divide by $7.141 + 1 = 8.141$ | 0.505 | 0.249 | 0.123 | 0.123 |
#
# So the output should be $0.576\cdot(10,0) + 0.284\cdot(0,10) + 0.140\cdot(20,20) = (8.56, 5.64)$. There are
# two masks, and both are needed:
#
# 1. **Mask the loads**, or nan comes in. A weight of 0 does not help against nan, because $0\cdot\text{nan}$
#    is nan.
# 2. **Mask the logits** of keys that do not exist with $-\infty$, or these keys take a part of the weight.
#
# **Predict.** With a causal mask, position $t$ attends to $i \le t$ only. Is the second mask still needed for
# the rows that are stored?
#
# <details><summary><b>Answer</b></summary>
#
# No. The keys that do not exist come last, after every query that exists, so the causal mask covers them.
# Therefore a program that forgets the second mask looks right until it is used without a causal mask.
#
# </details>

# %% [markdown] exercise="one_tile" role="statement"
# Write one program. `memory` is a tensor of shape (n,). `query`, `key` and `value` are the addresses at which
# this head's rows begin, and `stride` is the step from row to row. There are `length` rows of `width`
# channels. `tile` is the side of the tile, a power of 2 with `tile` ≥ `length`. Return softmax(Q Kᵀ / √width)
# V as a tensor of shape (tile, width), in the dtype of the memory. If `causal` is True, position t attends to
# i ≤ t only. The rows from `length` on are never stored, so they may hold anything. In memory, there may be
# anything behind a head, even nan, or the memory may end there. Only load from the memory; do not change it.


# %% exercise="one_tile" role="solution"
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    """One head: softmax(Q Kᵀ / √width) V, loaded from memory at three addresses;
    returns the tile (tile, width).
    """
    raise NotImplementedError("exercise one_tile: replace this line with your answer")


# %% exercise="one_tile" role="check"
check("one_tile", one_tile)

# %% [markdown]
# **What a program loads and stores.** We run your program for head 1 of the example, and write its result to
# the output with `store`, the counterpart of `load`. Inside `watched()`, both functions note the addresses
# that they use.

# %%
from kqa_core.kernels import store, watched


def program_1():
    memory = strip.clone()
    with watched() as seen:
        result = one_tile(memory, 2, 14, 26, 4, 3, 2, 4, False)
        store(memory, 38 + where, result, inside)
    used = {"loaded": [*itertools.chain(*seen.loads)], "stored": [*itertools.chain(*seen.stores)]}
    return show_memory(memory, used, lines)


attempted(program_1)

# %% [markdown]
# The first row of the output is $(8.56, 5.64)$, as computed by hand. The program has loaded each number of
# its head once and has stored six numbers. It has not used any number of head 0. (The picture knows only
# about loads with `load`. If your program takes its numbers from the memory in another way, it shows no
# loads.)
#
# **Predict.** Which addresses does program 0 use, the one for head 0?
#
# <details><summary><b>Answer</b></summary>
#
# All the others: it loads 0, 1, 4, 5, 8, 9 of the query, and so on, and stores to 36, 37, 40, 41, 44, 45. No
# two programs store to the same address. So they can run at the same time and in any order.
#
# </details>
#
# Now the programs of a whole batch: 2 rows of 12 tokens, 3 heads of 4 channels. A GPU runs the six programs
# side by side. Here they run one after the other.

# %%
B, T, n_head, width, tile = 2, 12, 3, 4, 16
size, stride = B * T * n_head * width, n_head * width
# Q, K and V as a layer leaves them
projected = torch.randn(3, B, T, n_head, width, generator=generator, dtype=torch.float64)
expected = F.scaled_dot_product_attention(*projected.transpose(2, 3), is_causal=True)


def launch(program):
    """Run `program` once for each head of each row. Returns the output (B, n_head, T, width)."""
    memory = F.pad(projected.flatten(), (0, 2 * size))  # behind Q, K and V: room for the output, and more
    at, channel = torch.arange(tile), torch.arange(width)
    for number in range(B * n_head):
        b, h = divmod(number, n_head)
        start = b * T * stride + h * width
        result = program(memory, start, size + start, 2 * size + start, stride, T, width, tile, True)
        store(memory, 3 * size + start + at[:, None] * stride + channel, result, at[:, None] < T)
    return memory[3 * size : 4 * size].view(B, T, n_head, width).transpose(1, 2)


launched = attempted(launch, one_tile)
if launched is not None:
    print("equal to torch's attention:", torch.allclose(launched, expected, atol=1e-12))

# %% [markdown]
# ## Break it
#
# Tell your program that all rows of its tile exist. With the causal mask, the batch above still comes out
# right. Then run the check.


# %% tags=["raises-exception"]
def full_tile(memory, query, key, value, stride, length, width, tile, causal):
    return one_tile(memory, query, key, value, stride, tile, width, tile, causal)  # tile in place of length


broken = attempted(launch, full_tile)
if broken is not None:
    print("causal, equal to torch's attention:", torch.allclose(broken, expected, atol=1e-12))
check("one_tile", full_tile, record=False)  # wrong on purpose, so progress() does not count it

# %% [markdown]
# In the batch, the numbers behind a head happened to be finite, and the causal mask gave them the weight 0. In
# the check they are nan. A kernel with this mistake can pass all tests of its author. The mistake shows only if
# there is nan behind a head, or if the kernel is used without the causal mask.
#
# > **Takeaway.** A program computes addresses from a start and a stride. It masks its loads, so that no
# > numbers of other tensors come in, and it masks its logits, so that keys that do not exist get no weight.
# > Errors in either are silent, so test with nan behind each tensor.

# %% [markdown]
# **And the backward pass?** Training also needs the gradients of $Q$, $K$ and $V$. To compute them, the
# backward pass needs the attention weights. An ordinary backward pass loads them: the forward pass has stored
# the whole square of weights for it. But the backward pass loads $Q$ and $K$ anyway, and these are enough to
# compute the weights again.

# %% [markdown] exercise="why_one_tile" role="statement"
# FlashAttention streams tiles of keys and needs the online softmax of Part 1. Our kernel takes one tile and
# an ordinary softmax. In five to nine sentences: why is that enough for 128 positions or fewer? What does it
# save in the forward pass, and what does the backward pass not have to load? Why does this stop working for
# longer texts? Give one count in bytes. A multiprocessor of a GPU has 65,536 registers of 4 bytes, 262,144
# bytes in all. Logits are kept in float32, 4 bytes each.

# %% [markdown] exercise="why_one_tile" role="written"
# *Your answer here.*

# %% [markdown]
# ## The same program in Triton
#
# *Triton* is a language for such programs. Its grammar is Python's, and it is compiled for a GPU. It also has
# an *interpreter*, which runs the programs one after the other on any processor, so that a kernel can be
# tested without a GPU. You know nearly all the words already:
#
# | here, in torch | in Triton |
# |---|---|
# | `torch.arange(tile)` | `tl.arange(0, TILE)`; `tl.constexpr` marks numbers that are fixed when the kernel is compiled |
# | `load(memory, where, inside)` | `tl.load(memory + where, mask=inside, other=0.0)` |
# | `store(memory, where, result, inside)` | `tl.store(memory + where, result, mask=inside)` |
# | `q @ k.T` | `tl.dot(q, tl.trans(k))`: a product on the tensor cores, the GPU's units for matrix products |
# | the loop over `number` in `launch` | none: `kernel[(2,)](…)` starts two programs, and `tl.program_id(0)` is 0 or 1 |
#
# Here is attention without a causal mask, on the memory of the example. At the end, program 1 prints where it
# loads its queries and where it stores its output, with −1 for masked addresses. Triton exists for Linux
# only. Where it is not installed, the cell says so. No exercise needs it.

# %% tags=["nbval-ignore-output"]
import os

from kqa_core.kernels import HAS_TRITON

if HAS_TRITON:
    os.environ["TRITON_INTERPRET"] = "1"  # before Triton is first imported
    import triton
    import triton.language as tl

    @triton.jit
    def tile_kernel(
        memory, query, key, value, out, stride, length, scale, TILE: tl.constexpr, WIDTH: tl.constexpr
    ):
        head = tl.program_id(0)
        at, channel = tl.arange(0, TILE), tl.arange(0, WIDTH)
        where = head * WIDTH + at[:, None] * stride + channel[None, :]
        inside = at[:, None] < length
        q = tl.load(memory + query + where, mask=inside, other=0.0)
        k = tl.load(memory + key + where, mask=inside, other=0.0)
        v = tl.load(memory + value + where, mask=inside, other=0.0)
        logits = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        logits = tl.where(at[None, :] < length, logits, float("-inf"))
        exponentials = tl.exp(logits - tl.max(logits, axis=1)[:, None])
        result = tl.dot(exponentials, v, input_precision="ieee") / tl.sum(exponentials, axis=1)[:, None]
        tl.store(memory + out + where, result, mask=inside)
        if head == 1:
            tl.device_print("program 1 loads its queries from", tl.where(inside, query + where, -1))
            tl.device_print("program 1 stores its output to", tl.where(inside, out + where, -1))

    memory = strip.clone()
    tile_kernel[(2,)](memory, 0, 12, 24, 36, 4, 3, 2**-0.5, TILE=4, WIDTH=2)
    print("\nthe output of head 1:\n", memory[36:].view(3, 2, 2)[:, 1])
    parts = strip[:36].view(3, 1, 3, 2, 2).transpose(2, 3)  # Q, K and V, (1, n_head, T, width) each
    print(
        "\nequal to torch's attention:",
        torch.allclose(memory[36:].view(3, 2, 2).transpose(0, 1), F.scaled_dot_product_attention(*parts)[0]),
    )
else:
    print("Triton is not installed here, so the kernel was not run. Everything else works without it.")

# %% [markdown]
# If Triton is installed, you see the addresses of the picture, each with a masked last row, and the output
# $(8.56, 5.64)$ of the first query. (On a real GPU this tile would be too small: tensor cores want at least
# 16 rows and 16 channels.)
#
# The kernel that comes with this course is in `kqa_core/kernels/one_tile_triton.py`. It is the same program,
# with the causal mask, with a stride for each tensor, for 16-bit numbers, and with a backward pass.
#
# <details><summary><b>Going deeper (optional): the Synthesizer in the same kernel</b></summary>
#
# In the dense Synthesizer of notebook 09, the logits are $h_t B + b_2$: a product of a hidden vector with a
# matrix $B$ that is the same for every row and head. So the columns of $B$ are keys that do not depend on the
# text, and the kernel can serve it. Give the keys a stride of 0 between heads. Then all programs load the
# *same* keys, which stay in the cache (a fast memory for numbers that were used recently), and $b_2$ is added
# to the logits. In `kqa_core.kernels`, `one_tile.attention(query, B.T, value, b_2, 1.0, True)` does this.
# Part 3 counts what it saves.
#
# </details>

# %% [markdown]
# ---
# # Part 3. What is moved, and what is computed
#
# ## Counting by hand
#
# **Question.** Our kernel computes exactly what three separate kernels would compute: one for $QK^\top$, one
# for the softmax, one for weights times values. What does it save?
#
# **The rules.** All numbers have 16 bits, which are 2 bytes. A kernel reads its inputs from the main memory
# once and writes its results once. Between these, nothing leaves the chip. Multiplications and additions in
# matrix products count as one *operation* each. An entry of an $(a,b)\times(b,c)$ product takes $b$
# multiplications and about $b$ additions, so the whole product has $2abc$ operations. Nothing else is
# counted, and masked entries are counted like all others.
#
# **Example.** One head, $T = 4$ positions, $d = 2$ channels. $Q$, $K$, $V$ and the output have $4\cdot2 = 8$
# numbers each, and the square of logits or weights has $4\cdot4 = 16$.
#
# | kernel: | reads | writes | numbers | bytes | operations |
# |---|---|---|---|---|---|
# | $QK^\top$: | 8 + 8 | 16 | 32 | 64 | $2\cdot4\cdot2\cdot4 = 64$ |
# | softmax: | 16 | 16 | 32 | 64 | – |
# | weights times $V$: | 16 + 8 | 8 | 32 | 64 | $2\cdot4\cdot4\cdot2 = 64$ |
# | **in three steps**: | | | **96** | **192** | **128** |
# | **in one tile**: | 8 + 8 + 8 | 8 | **32** | **64** | **128** |
#
# In one tile, the squares are never written and never read. The operations are the same. So the number of
# operations per byte, the **intensity**, is $128/192 = 0.67$ in steps and $128/64 = 2$ in one tile.
#
# **Predict.** Double the length to $T = 8$. Which of the four numbers 192, 64, 128, 128 doubles? Which
# becomes four times as large?
#
# <details><summary><b>Answer</b></summary>
#
# The 64 bytes of one tile double, because each of its tensors has $T\cdot d$ numbers. The operations become
# four times as large, because they contain $T\cdot T$. The three steps move a tensor of $T\cdot d = 8$
# numbers four times and a square of $T\cdot T = 16$ numbers four times, $2\cdot(4\cdot8+4\cdot16) = 192$
# bytes. They grow to $2\cdot(4\cdot16+4\cdot64) = 640$ bytes, more than three times as much.
#
# </details>

# %% [markdown] exercise="bytes_and_operations" role="statement"
# Count in general: `N` heads (of all rows together), `T` positions, `d` channels, 16-bit numbers, the same
# rules. Return a dict with these four keys, each with a pair `(bytes, operations)`.
#
# - `in_steps`: the three kernels of the table together,
# - `one_tile`: our kernel in the forward pass,
# - `synthesizer`: like `one_tile`, but all N heads share one table of keys, T rows of d numbers, which is
#   read once,
# - `backward`: our kernel in the backward pass. It reads q, k, v and the gradient of the output. It computes
#   the logits again, then the gradient of the weights (the output's gradient times $V^\top$), and from these
#   the gradients of q, k and v, with one product each. It writes these three gradients.
#
# One point (*forward*) is for the first two together, and one for each of the others.


# %% exercise="bytes_and_operations" role="solution"
def bytes_and_operations(N, T, d):
    """{name: (bytes, operations)} for in_steps, one_tile, synthesizer, backward;
    N heads, T positions, d channels, 16 bits.
    """
    raise NotImplementedError("exercise bytes_and_operations: replace this line with your answer")


# %% exercise="bytes_and_operations" role="check"
check("bytes_and_operations", bytes_and_operations)

# %% [markdown]
# ## The roofline
#
# **Question.** How long does a kernel take at least?
#
# **Idea.** A processor moves numbers and computes *at the same time*: it loads the next numbers while it
# computes with the last ones. So a kernel takes at least as long as the slower of the two.
#
# **Example.** A made-up processor moves at most 100 bytes per second (its **bandwidth**) and computes at most
# 1000 operations per second (its **peak**). The tile of the table has 64 bytes and 128 operations. Moving
# takes $64/100 = 0.64$ s, computing takes $128/1000 = 0.128$ s. So the kernel takes at least $0.64$ s, and
# **memory** limits it. With ten times as many operations, computing would take $1.28$ s, and then the
# arithmetic would be the limit.
#
# The two are in balance at $1000/100 = 10$ operations per byte. This number, peak divided by bandwidth, is
# called the **ridge** of the processor. A kernel with an intensity below the ridge is limited by memory,
# above it by arithmetic.

# %% [markdown] exercise="roofline" role="statement"
# A kernel moves `bytes_moved` bytes and computes `operations` operations. A processor moves `bandwidth` bytes
# per second and computes `peak` operations per second. Return `(seconds, bound)`: the shortest possible time,
# and `"memory"` or `"compute"`, whichever takes longer. (If both take the same time, either name is right.)
# One of the first two numbers may be 0.


# %% exercise="roofline" role="solution"
def roofline(bytes_moved, operations, bandwidth, peak):
    """(seconds, "memory" or "compute"): the shortest possible time of a kernel, and what limits it."""
    raise NotImplementedError("exercise roofline: replace this line with your answer")


# %% exercise="roofline" role="check"
check("roofline", roofline)

# %% [markdown]
# In CS224n's assignment, a batch has 128 rows, and the model has 8 heads of 32 channels and 128 positions. So
# $N = 128\cdot8$, $T = 128$ and $d = 32$. Your two functions give the limits on three GPUs. Bandwidth and
# peak are from their makers' data sheets.
#
# **Predict.** The H200 moves $4.8\cdot10^{12}$ bytes and computes $989\cdot10^{12}$ operations per second, so
# its ridge is $989/4.8 = 206$ operations per byte. Is our kernel limited by memory or by arithmetic?

# %%
from kqa_core.show import PROCESSORS, roofline_slider


def limits():
    counted = bytes_and_operations(128 * 8, 128, 32)
    for name, gpu in PROCESSORS.items():
        print(f"{name}: ridge at {gpu.ridge:.0f} operations per byte")
        for kernel, (moved, operations) in counted.items():
            seconds, bound = roofline(moved, operations, gpu.bandwidth, gpu.peak)
            counts = (
                f"{moved / 1e6:6.1f} MB  {operations / 1e9:5.1f} GFLOP  {operations / moved:5.1f} per byte"
            )
            print(f"   {kernel:12} {counts}  {1e6 * seconds:6.1f} µs  {bound}")


attempted(limits)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# By memory. One tile has 64 operations per byte, far below the ridge of 206. In general it has
# $4NT^2d / (8NTd) = T/2$.
#
# The intensities of all four kernels are 12.8 (`in_steps`), 64.0 (`one_tile`), 85.3 (`synthesizer`) and 91.4
# (`backward`). If one of yours is different, look at this count again.
#
# </details>
#
# Each line shows the bytes moved, the operations (1 GFLOP is $10^9$), the intensity, the shortest possible
# time and the limit. In steps, the squares alone are four fifths of the traffic: $8NT^2$ of $8NTd + 8NT^2$
# bytes, and $128/(32+128) = 0.8$. So the bound of the three kernels is five times that of one tile. On all
# three GPUs, every kernel is limited by memory at this size. So a cleverer order of multiplications would
# save nothing. Only less traffic would help: sharing keys as the Synthesizer does, or doing more steps in one
# kernel.
#
# **Explore.** The **roofline** draws this for all intensities at once. The slanted part is the memory, the
# flat part the arithmetic. Each mark is the most that a kernel can reach. Move `length`: a longer text makes
# the products grow faster than the traffic, so the marks move to the right. At which length does one tile
# pass the ridge of an H200? Does `in steps` ever pass it? (Beyond 128 positions, read "one tile" as "a kernel
# that never writes the square". It may have to load keys more than once.)

# %%
attempted(roofline_slider, bytes_and_operations)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# One tile has $T/2$ operations per byte, so it passes 206 at $T = 416$ on the slider (at 412 exactly). In
# steps never does: its intensity is
# $$\frac{4NT^2d}{8NTd + 8NT^2} = \frac d2\cdot\frac{T}{T+d},$$
# which stays below $d/2$, however long the text is. With 32 channels that is 16, and with 128 channels 64.
#
# </details>
#
# > **Takeaway.** Operations per byte, compared with the ridge of the processor, tell you whether a faster
# > kernel must move less or compute less. Attention in steps moves squares, so it is limited by memory on all
# > three GPUs. Fusing the steps removes the squares and changes no operation.

# %% [markdown]
# ## Measured
#
# A roofline is only a lower bound. Does fusing really help? You can measure it on the machine in front of
# you. The next cell runs the same attention twice on your CPU, in three steps and with torch's fused
# function, for 8 heads of 32 channels in float32.
#
# **Predict.** The processor keeps recently used numbers in its cache, a few megabytes. The squares of 8 heads
# take $8\,T^2\cdot4$ bytes. At which of the three lengths will fusing save most time?

# %% tags=["nbval-ignore-output"]
import functools


def in_steps(q, k, v):
    return (q @ k.mT / math.sqrt(32)).softmax(dim=-1) @ v


for length in (128, 512, 2048):
    parts = torch.randn(3, 1, 8, length, 32, generator=generator)  # Q, K and V of 8 heads
    ways = {"in steps": in_steps, "fused": F.scaled_dot_product_attention}
    best = best_times({name: functools.partial(way, *parts) for name, way in ways.items()}, tries=4)
    times = [f"{name} {1e3 * seconds:7.2f} ms" for name, seconds in best.items()]
    print(f"T = {length:4}: squares {8 * length**2 * 4 / 1e6:6.1f} MB   {'   '.join(times)}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# At the longest, where the squares take 134 MB and have to go through the main memory. At 128 positions they
# take half a megabyte and stay in the cache, so the two times should be of the same order. (Not all of the
# difference is traffic: the fused function also skips a few passes over the logits.)
#
# </details>
#
# Now the course's own kernels race against torch's, forward and backward, at the assignment's shape. If this
# machine has no GPU, the cell shows the times that were recorded on another one.
#
# **Predict.** Softmax attention is what torch's own kernels were made for. The Synthesizer is not. Where will
# our kernel gain more?

# %% tags=["nbval-ignore-output"]
import subprocess
import sys

from kqa_core.experiments import race_table, recorded_race

recorded = recorded_race()
# in a process of its own, because Triton is the interpreter in this one
if torch.cuda.is_available() and HAS_TRITON:
    command = [sys.executable, "-m", "kqa_core.experiments.kernel_race"]
    raced = subprocess.run(
        command, env=os.environ | {"TRITON_INTERPRET": "0"}, capture_output=True, text=True
    )
    print("on this machine:", raced.stdout or raced.stderr[-2000:], sep="\n")
else:
    print(f"recorded on {recorded.machine}:") if recorded.measured else None
    print(race_table(recorded.times))

# %% [markdown]
# On an H200, our kernel for softmax attention is 1.2 times as fast as the best of torch's (`flash`), and 2.3
# times as fast as the equation compiled by torch. For the Synthesizer it is 4.1 times as fast as its
# equation. Torch has no kernel for it; the row *constant keys* is a detour through torch's kernel, and takes
# almost three times as long as ours.
#
# The course uses a kernel of its own only where it is at least 1.5 times as fast as the best alternative
# (`kqa_core/kernels/__init__.py` chooses). So attention is torch's, and the Synthesizer on a GPU is ours.

# %% [markdown]
# ---
# # Part 4 (an extra). Batches without a loop
#
# ## One gather for a whole batch
#
# **Question.** A fast GPU waits for its batches if a Python loop makes them. In notebook 06 you wrote span
# corruption row by row: cut, take out, join, pad. How can all rows be made at the same time?
#
# **Idea.** Do not ask where each character goes. Ask of every *place* in the new row which character of the
# document belongs there. Each place can then be computed on its own, and the batch is a single indexing step,
# called a *gather*.
#
# **Example.** The document `ABCDEF` has 6 characters, numbered from 0. We take out 3 of them from number 2
# on, `CDE`. The row is prefix ⁇ suffix ⁇ span □ …, in a block of 10:
#
# | place: | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |
# |---|---|---|---|---|---|---|---|---|---|---|
# | row: | A | B | ⁇ | F | ⁇ | C | D | E | □ | □ |
# | comes from: | 0 | 1 | −1 | 5 | −1 | 2 | 3 | 4 | −2 | −2 |
#
# The last line is what we want, with −1 for ⁇ and −2 for □. In the prefix, a character comes from its own
# place. In the suffix, `F` is at place 3 but comes from 5: three characters are gone and one ⁇ was added, so
# the source is $3 - 1 = 2$ ahead of the place.
#
# **Predict.** In general, at which place is the second ⁇? (The document is cut to `length` characters, and
# `masked` of them are taken out.)
#
# <details><summary><b>Answer</b></summary>
#
# At `length − masked + 1`: before it come all characters but the masked ones, and the first ⁇. In the
# example, $6 - 3 + 1 = 4$.
#
# </details>

# %% [markdown] exercise="gather_corruption" role="statement"
# `length`, `start` and `masked` are LongTensors of shape (B,). The document of row b is cut to its first
# `length` characters, and `masked` of them are taken out from `start` on. The row is prefix ⁇ suffix ⁇ span □
# … □. Return a LongTensor of shape (B, `block_size`) that holds, for each place, the number of the character
# that belongs there: −1 for ⁇ and −2 for □. It always fits: `length` + 2 ≤ `block_size`. Prefix, suffix or
# the whole document may be empty. Do not change the arguments. You need no loop.


# %% exercise="gather_corruption" role="solution"
def gather_corruption(length, start, masked, block_size):
    """LongTensor (B, block_size): the document's character in each place, −1 for ⁇, −2 for □;
    length, start, masked (B,).
    """
    raise NotImplementedError("exercise gather_corruption: replace this line with your answer")


# %% exercise="gather_corruption" role="check"
check("gather_corruption", gather_corruption)

# %% [markdown]
# Three rows from one document, in letters:

# %%
document = "Emmy Noether was born in Erlangen."
# length, start, masked
cuts = (torch.tensor([34, 20, 30]), torch.tensor([25, 0, 5]), torch.tensor([8, 4, 7]))


def rows_in_letters():
    signs = document + "□⁇"  # numbers −2 and −1 count from the end
    for row in gather_corruption(*cuts, 40).tolist():
        print("".join(signs[number] for number in row))


attempted(rows_in_letters)

# %% [markdown]
# The spans *Erlangen*, *Emmy* and *Noether* are behind the second ⁇. The second and the third document are
# cut before their end.

# %% [markdown]
# ## Random numbers without a state
#
# **Question.** The cuts are drawn at random. Where do the random numbers come from?
#
# An ordinary generator has a *state*: what it returns depends on how often it was asked before. That is a
# problem for training. Suppose that a run is killed after step 2 and started again at step 3. A fresh
# generator starts from the beginning, so step 3 gets the numbers of step 0.

# %%
first_run = torch.Generator().manual_seed(7)
# a batch of four rows in each step
drawn = [torch.randint(100, (4,), generator=first_run).tolist() for step in range(4)]
restarted = torch.Generator().manual_seed(7)
print("step 0, in one run:     ", drawn[0])
print("step 3, in one run:     ", drawn[3])
print("step 3, after a restart:", torch.randint(100, (4,), generator=restarted).tolist())

# %% [markdown]
# After the restart, step 3 repeats step 0, so the restarted run trains on other data than a run that was never
# killed. You could save the generator's state with the model. But this does not help if four processes share a
# batch. Together they have to draw the same numbers as one process does.
#
# **Idea.** Make the batch a *function* of three numbers: seed, step and row. Then every process can compute
# any row of any step, in any order, at any time. We need a function that mixes its input so well that the
# output looks random. Such a function is called a **counter-based** generator. *Philox* (Salmon et al. 2011)
# is one. `philox(counter, seed)` takes four numbers for each row, as a LongTensor of shape (4, B), and
# returns four numbers below $2^{32}$ for each row. We put the row's number first and the step third. Other
# places would do as well, but they must always stay the same:

# %%
from kqa_core.text import philox


def draw(seed, step, rows):
    """A number from 0 to 99 for each row; it depends on seed, step and row only."""
    counter = torch.stack([rows, torch.zeros_like(rows), torch.full_like(rows, step), torch.zeros_like(rows)])
    return (philox(counter, seed)[0] * 100 >> 32).tolist()  # 32 bits to 0 … 99


rows = torch.arange(4)
print("step 3, in one process:  ", draw(7, 3, rows))
print("step 3, in two processes:", draw(7, 3, rows[:2]) + draw(7, 3, rows[2:]))
print("step 3, row 2 alone:     ", draw(7, 3, rows[2:3]))
print("step 4:                  ", draw(7, 4, rows))

# %% [markdown]
# The first three lines agree, and no order of calls can change them. The last line has nothing to do with
# them, although only one number of the input has changed by 1.
#
# **Predict.** What goes wrong if we put the single number `rows + step` into the counter, in place of the two
# separate numbers?
#
# <details><summary><b>Answer</b></summary>
#
# Then row 1 of step 3 and row 0 of step 4 have the same counter, so they draw the same number. Each step
# would repeat the numbers of the step before, moved by one row.
#
# </details>
#
# The batches of this course are made in this way, by `kqa_core/text/span_corruption.py` on a CPU and by
# `kqa_core/kernels/span_rows_triton.py` in one launch on a GPU. Both give the same bits. So a run that was
# killed and started again trains on the same batches as a run that was never killed.
#
# > **Takeaway.** A batch should be a function of seed, step and row. A counter-based generator makes this
# > possible, because it has no state.

# %% [markdown]
# ## Summary
#
# - Moving numbers costs more than computing with them. A good kernel loads once, does several steps, and
#   stores once.
# - The online softmax keeps a state $(m, \ell, a)$. When the maximum rises, both sums are multiplied by
#   $e^{m_\text{old}-m_\text{new}}$. States can be merged in any order.
# - A program finds its numbers by start, stride and channel. It masks its loads and its logits.
# - Operations per byte, compared with the ridge, show whether memory or arithmetic is the limit. Fused
#   attention moves no squares.
# - A batch can be made by one gather, with random numbers that are a function of seed, step and row.
#
# ## Test yourself
#
# **1.** The state is $(m, \ell, a) = (3, 2, 10)$, with values that are plain numbers. A tile with one key
# arrives: logit 3, value 4. What are the new state and the output? And if the logit were $-\infty$?
#
# <details><summary><b>Answer</b></summary>
#
# The maximum stays 3, so the factor is 1, and the key adds $e^{0} = 1$ to $\ell$ and $1\cdot4$ to $a$. The
# state is $(3, 3, 14)$, and the output is $14/3 = 4.67$. With the logit $-\infty$ the key adds 0, and nothing
# changes.
#
# </details>
#
# **2.** A head starts at address 100, its stride is 64, and it has 16 channels and 10 rows. Which address is
# channel 3 of row 2? Why must row 10 of a tile of 16 rows be masked, although its addresses exist?
#
# <details><summary><b>Answer</b></summary>
#
# $100 + 2\cdot64 + 3 = 231$. Row 10 would start at $100 + 10\cdot 64 = 740$. Some other tensor's numbers may
# be there, or nan. Loaded as a key, it would take a part of the weight; loaded as a value, nan would spoil
# the output even with the weight 0.
#
# </details>
#
# **3.** A kernel has 50 operations per byte and runs on a processor with its ridge at 150. A friend halves
# the number of operations without changing the traffic. How much faster can the kernel become?
#
# <details><summary><b>Answer</b></summary>
#
# Not at all: it is limited by memory, and the bytes are the same. Halving the bytes would make it up to twice
# as fast.
#
# </details>

# %%
progress()

# %% [markdown]
# This is the last notebook of the course. `cockpit()` in [notebook 00](../00_start_here/00_start_here.ipynb)
# shows what is left to do in the others.
