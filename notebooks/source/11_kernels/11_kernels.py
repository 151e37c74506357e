# %% [markdown]
# # Kernels (optional)
#
# Here are three jobs on eight million numbers. The first only copies them. The second multiplies each by three. The third
# multiplies, and adds: twice the arithmetic of the second. What should each cost?

# %% role="setup"
import hashlib  # for your answers
import itertools
import math
import random  # for your answers

import numpy as np  # for your answers
import torch
import torch.nn.functional as F  # for your answers

from kqa_core.check import attempted, check, hint, progress  # hint("one_tile") gives a hint
from kqa_core.kernels import load
from kqa_core.text import philox

torch.set_num_threads(1)  # everything here is small: threads would only wait for each other

# %% tags=["nbval-ignore-output"]
import time


def best_time(job, tries=30):
    times = []
    for _ in range(tries):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return min(times)


numbers, target = torch.rand(8_000_000), torch.empty(8_000_000)
jobs = {
    "copy": lambda: target.copy_(numbers),
    "multiply": lambda: torch.mul(numbers, 3.0, out=target),
    "multiply and add": lambda: torch.addcmul(numbers, numbers, numbers, out=target),
}
for name, job in jobs.items():
    print(f"{name:17} {1e3 * best_time(job):6.2f} ms")

# %% [markdown]
# Nowhere near twice. The arithmetic is almost free: what costs is to *fetch* the numbers and to bring them back. On a GPU it is
# the same, only more so: an H200 could compute two hundred times for every byte that it fetches.
#
# So whoever wants attention to be fast must not ask "how many multiplications?" but "what is moved, and how often?". A
# program that does several steps while the numbers are on the chip is called a *kernel*. When you leave this notebook you
# can
#
# 1. take a softmax in one pass, a few keys at a time, and put partial ones together,
# 2. write what one program of an attention kernel does, and read it in Triton,
# 3. make a whole batch of corrupted rows in one gather, with random numbers that need no state,
# 4. count bytes and operations, and say what holds a kernel up and what a better one would save.
#
# Nothing here needs a GPU.

# %% [markdown]
# ## A softmax in one pass
#
# A softmax needs its row three times: once for the largest logit, once for the sum, once for the weights. If the row comes
# in chunks, and a chunk is gone once it has been read, that is two times too many. The *online softmax* keeps a state:
#
# $$m = \max_i z_i, \qquad \ell = \sum_i e^{z_i - m}, \qquad r = \sum_i e^{z_i - m}\, v_i,$$
#
# over all keys i seen so far. The output is $r / \ell$, whenever you stop. Before the first key, m is −∞, and the sums are
# 0.

# %% [markdown] exercise="online_softmax" role="statement"
# `state` is `(largest, total, read)`: m and ℓ as tensors of shape (), r of shape (d,). A chunk brings `logits` (n,) and
# `values` (n, d), n ≥ 1. Return the new state, as defined above. Logits may be large, and some or all of a chunk may be −∞,
# which means: not to be read. While nothing may be read, the state stays what it was at the beginning.


# %% exercise="online_softmax" role="solution"
def online_softmax(state, logits, values):
    """The state (largest (), total (), read (d,)) after one more chunk: logits (n,), values (n, d)."""
    raise NotImplementedError("exercise online_softmax: replace this line with your answer")


# %% exercise="online_softmax" role="check"
check("online_softmax", online_softmax)

# %% [markdown]
# A row of 10,000 keys, 64 at a time, with logits so large that a plain exp would overflow. Your state never holds more than
# ten numbers:

# %%
generator = torch.Generator().manual_seed(9)
logits = 300 * torch.randn(10_000, generator=generator, dtype=torch.float64)
values = torch.randn(10_000, 8, generator=generator, dtype=torch.float64)
empty = (torch.tensor(-math.inf).double(), torch.tensor(0.0).double(), torch.zeros(8).double())


def streamed(logits, values, chunk):
    state = empty
    for start in range(0, len(logits), chunk):
        state = online_softmax(state, logits[start : start + chunk], values[start : start + chunk])
    return state


def one_pass():
    _, total, read = streamed(logits, values, 64)
    print("one pass equals the softmax over all:", torch.allclose(read / total, logits.softmax(dim=0) @ values, atol=1e-12))
    print("a plain exp of the largest logit:    ", float(logits.max().exp()))


attempted(one_pass)

# %% [markdown]
# And if several read at the same time, each a part of the keys? Then there are several states, and they can be merged:
# always two into one, in any order. Decoders read a long past in this way, with all of a GPU for a single query.

# %% [markdown] exercise="merge_states" role="statement"
# `left` and `right` are states of T rows each: `(largest (T,), total (T,), read (T, d))`, of the same rows, but other keys.
# Return the state of each row over all these keys. For some rows a side may have read nothing: its largest is −∞ there, its
# sums are 0. Where neither side has, neither has the result.


# %% exercise="merge_states" role="solution"
def merge_states(left, right):
    """One state out of two of the same rows: (largest (T,), total (T,), read (T, d)) each."""
    raise NotImplementedError("exercise merge_states: replace this line with your answer")


# %% exercise="merge_states" role="check"
check("merge_states", merge_states)


# %%
def four_readers():
    cuts = (0, 1000, 1010, 7000, 10_000)
    states = [streamed(logits[a:b], values[a:b], 64) for a, b in itertools.pairwise(cuts)]
    first, second, third, fourth = ([each[None] for each in state] for state in states)  # of one row each
    _, total, read = merge_states(merge_states(fourth, first), merge_states(third, second))
    print("four readers, merged crosswise:", torch.allclose(read[0] / total[0], logits.softmax(dim=0) @ values, atol=1e-12))


attempted(four_readers)

# %% [markdown]
# ## One tile
#
# For our rows of 128 characters even that is more than we need. All logits of one head are a tile of 128 × 128 numbers, and
# that fits into the registers of one of a GPU's processors. So a *program* of our kernel does one head of one row, from
# loading to storing, and the GPU runs as many programs as there are heads.
#
# A program does not get tensors. It gets addresses: the memory is one long row of numbers, and row t, channel c of a query
# stands at `query + t · stride + c`. Tiles have a side that is a power of 2, whatever the length, so some of their rows do
# not exist. What is loaded there is masked: `load(memory, where, inside)` gives the number at each address of the tensor
# `where`, and 0 where `inside` is False.

# %%
memory = torch.tensor([10.0, 11.0, 12.0, 20.0, 21.0, 22.0, 30.0, 31.0, 32.0])
rows, channels = torch.arange(4), torch.arange(2)
where = 1 + rows[:, None] * 3 + channels  # begins at 1, stride 3, width 2
load(memory, where, rows[:, None] < 3)  # three rows exist, the tile has four

# %% [markdown] exercise="one_tile" role="statement"
# Write one program. `query`, `key` and `value` are the addresses at which this head begins in `memory` (a tensor of one
# axis); from a row to the next it is `stride`; there are `length` rows of `width` channels, and `tile` ≥ `length` is the
# tile's side. Return softmax(Q Kᵀ / √width) V as a tensor (tile, width); with `causal`, position t reads s ≤ t only. Rows
# from `length` on are never stored, so anything may stand in them. But mind what else they do: behind a head there may lie
# anything, even nan.


# %% exercise="one_tile" role="solution"
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    """One head: softmax(Q Kᵀ / √width) V, read from memory at three addresses; returns the tile (tile, width)."""
    raise NotImplementedError("exercise one_tile: replace this line with your answer")


# %% exercise="one_tile" role="check"
check("one_tile", one_tile)

# %% [markdown]
# Your program, run for every head of a small batch, as a GPU would do it all at once:

# %%
B, T, n_head, d_head = 2, 12, 3, 4
projected = torch.randn(3, B, T, n_head, d_head, generator=generator, dtype=torch.float64)  # q, k, v as a layer leaves them
memory = F.pad(projected.flatten(), (0, 100))  # something lies behind everything


def launch(program):
    out = torch.empty(B, n_head, T, d_head, dtype=torch.float64)
    for b in range(B):
        for h in range(n_head):
            start = (b * T * n_head + h) * d_head
            q, k, v = (start + i * B * T * n_head * d_head for i in range(3))
            out[b, h] = program(memory, q, k, v, n_head * d_head, T, d_head, 16, True)[:T]
    return out


launched = attempted(launch, one_tile)
expected = F.scaled_dot_product_attention(*projected.transpose(2, 3), is_causal=True)
if launched is not None:
    print("equals torch's attention:", torch.allclose(launched, expected, atol=1e-12))

# %% [markdown]
# *Break it.* Tell your program that its tile is full: that all rows exist. With the causal mask nobody notices, since no
# position reads what comes later, and the rows that do not exist come last. A kernel with this mistake is right in every
# test that its author makes, until somebody uses it without the mask, or until nan lies behind a head:


# %% tags=["raises-exception"]
def full_tile(memory, query, key, value, stride, length, width, tile, causal):
    return one_tile(memory, query, key, value, stride, tile, width, tile, causal)


broken = attempted(launch, full_tile)
if broken is not None:
    print("causal, equals torch's attention:", torch.allclose(broken, expected, atol=1e-12))
check("one_tile", full_tile, record=False)

# %% [markdown]
# ## The same in Triton
#
# *Triton* is a language for such programs: Python's grammar, compiled for a GPU. `tl.load` and `tl.arange` you know by now;
# `tl.dot` is a product on the tensor cores; `tl.program_id(0)` tells a program which head is its own. Triton also has an
# *interpreter*, which runs the programs one after the other on a processor like yours, so a kernel can be tested where
# there is no GPU.
#
# Triton exists for Linux only. Where it is not installed, the next cell says so and the notebook goes on: no exercise
# needs it, which is why yours is in torch. (With Linux: `pip install triton`, in the environment of the course.)

# %% tags=["nbval-ignore-output"]
import os

from kqa_core.kernels import HAS_TRITON

if HAS_TRITON:
    os.environ["TRITON_INTERPRET"] = "1"  # before Triton is first imported: it is the one or the other
    import triton
    import triton.language as tl

    @triton.jit
    def tile_kernel(query, key, value, out, heads, row, stride, length, scale, TILE: tl.constexpr, WIDTH: tl.constexpr):
        number = tl.program_id(0)
        start = (number // heads) * row + (number % heads) * WIDTH
        at, channel = tl.arange(0, TILE), tl.arange(0, WIDTH)
        where = start + at[:, None] * stride + channel[None, :]
        inside = at[:, None] < length
        q = tl.load(query + where, mask=inside, other=0.0)
        k = tl.load(key + where, mask=inside, other=0.0)
        v = tl.load(value + where, mask=inside, other=0.0)
        logits = tl.dot(q, tl.trans(k), input_precision="ieee") * (scale * 1.44269504)  # log₂ e: the hardware has powers of 2
        logits = tl.where((at[None, :] <= at[:, None]) & (at[None, :] < length), logits, float("-inf"))
        powers = tl.exp2(logits - tl.max(logits, axis=1)[:, None])
        read = tl.dot(powers, v, input_precision="ieee") / tl.sum(powers, axis=1)[:, None]
        tl.store(out + where, read, mask=inside)

    wide = torch.randn(3, B, T, n_head, 16, generator=generator)  # tensor cores want 16 channels at least
    result = torch.empty(B, T, n_head, 16)
    tile_kernel[(B * n_head,)](*wide, result, n_head, T * n_head * 16, n_head * 16, T, 16**-0.5, TILE=16, WIDTH=16)
    theirs = F.scaled_dot_product_attention(*wide.transpose(2, 3), is_causal=True).transpose(1, 2)
    print(f"{B * n_head} programs in the interpreter, equal to torch's attention: {torch.allclose(result, theirs, atol=1e-5)}")
else:
    print("Triton is not installed here: the kernel was not run. Everything else works without it.")

# %% [markdown]
# The kernel that the course ships stands in `kqa_core/kernels/one_tile_triton.py`: this one, with strides for everything,
# 16-bit numbers, and the way back.

# %% [markdown] exercise="why_one_tile" role="statement"
# FlashAttention streams tiles of keys past each query, with an online softmax. Ours takes one tile and an ordinary softmax.
# In three to six sentences: why is that enough at 128 positions or fewer, what does it save on the way there and on the way
# back, and why does it end somewhere? Give a count in bytes or registers. (A multiprocessor of a GPU has 65,536 registers
# of 4 bytes.)

# %% [markdown] exercise="why_one_tile" role="written"
# *Your answer here.*

# %% [markdown]
# ## The Synthesizer in the same kernel
#
# In notebook 09 the dense Synthesizer turned out to be attention whose keys no text can change. So our kernel serves it,
# too: with a stride of 0 between heads, all programs load the *same* keys, which stay in the cache, and $b_2$ is an offset
# on the logits. No channel of ones is appended, as the trick with torch's own kernel needs. Here is the course's operator
# on a Synthesizer's numbers, values and gradients beside the literal formula's:

# %%
from kqa_core.kernels import one_tile as operator

query, value, weight = torch.randn(3, B, n_head, T, 16, generator=generator)
table, offset = torch.randn(16, T, generator=generator), torch.randn(T, generator=generator)
inputs = [each.requires_grad_() for each in (query, table, offset, value)]
later = torch.ones(T, T, dtype=torch.bool).triu(1)
literal = (query @ table + offset).masked_fill(later, -math.inf).softmax(dim=-1) @ value
ours = operator.attention(query, table.T, value, offset, 1.0, True)
gradients = [torch.autograd.grad((out * weight).sum(), inputs) for out in (literal, ours)]
print("the same output:", torch.allclose(literal, ours, atol=1e-5))
print("the same gradients:", all(torch.allclose(a, b, atol=1e-4) for a, b in zip(*gradients, strict=True)))

# %% [markdown]
# ## A batch in one gather
#
# A GPU that trains waits for its batches, if a loop in Python makes them. Span corruption looks like a job for such a loop:
# cut, take out, join, pad. But ask of every *place* of the row, instead: where does my character come from? Then the batch
# is one gather, and all places are worked out at the same time.

# %% [markdown] exercise="gather_corruption" role="statement"
# `length`, `start` and `masked` are LongTensors (B,): row b's document is cut to its first `length` characters, of which
# `masked` are taken out from `start` on. The row is prefix ⁇ suffix ⁇ span □ … □. Return a LongTensor (B, `block_size`)
# that says for each place which character of the document stands there; −1 for ⁇ and −2 for □. `length` + 2 ≤ `block_size`.
# No loop is needed.


# %% exercise="gather_corruption" role="solution"
def gather_corruption(length, start, masked, block_size):
    """LongTensor (B, block_size): the document's character in each place, −1 for ⁇, −2 for □; length, start, masked (B,)."""
    raise NotImplementedError("exercise gather_corruption: replace this line with your answer")


# %% exercise="gather_corruption" role="check"
check("gather_corruption", gather_corruption)

# %%
document = "Emmy Noether was born in Erlangen."
cuts = (torch.tensor([34, 20, 30]), torch.tensor([25, 0, 5]), torch.tensor([8, 4, 7]))


def rows_in_letters():
    signs = document + "□⁇"  # −2 and −1, counted from the end
    for row in gather_corruption(*cuts, 40).tolist():
        print("".join(signs[i] for i in row))


attempted(rows_in_letters)

# %% [markdown]
# ## Random numbers without a state
#
# Where to cut is drawn at random. An ordinary generator has a *state*: what it gives depends on how often it was asked.
# With two processes, or after a restart, or on another device, it has been asked in another order, and the batch is another
# one.
#
# A *counter-based* generator has none. It is a function that stirs its input so well that the output looks random: *Philox*
# (Salmon et al. 2011) takes a counter of four words of 32 bits and a key, multiplies, swaps and xors ten times, and gives
# four words. `philox(counter, seed)` takes a LongTensor (4, B), a column for each row, and returns one of the same shape,
# each entry below 2³². The neighbouring counters 0, 1, 2 have nothing in common any more:

# %%
counters = torch.tensor([[0, 1, 2], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
philox(counters, seed=7)

# %% [markdown] exercise="counter_draw" role="statement"
# Return one number for each of `rows` (LongTensor (B,), numbers of 0 to 2⁴⁸), as LongTensor (B,): in 0 … `bound` − 1, all
# equally likely (`bound` ≤ 2²⁰). A row's number is a function of (`seed`, `step`, row) and of nothing else: not of its
# place in the batch, nor of what was drawn before. Other seeds, steps or rows give numbers that have nothing to do with it.
# `seed` and `step` are whole numbers from 0 to 2³¹. Philox is one way. Any function that stirs well will do.


# %% exercise="counter_draw" role="solution"
def counter_draw(seed, step, rows, bound):
    """LongTensor (B,): for each row a number in 0 … bound − 1 that depends on (seed, step, row) alone."""
    raise NotImplementedError("exercise counter_draw: replace this line with your answer")


# %% exercise="counter_draw" role="check"
check("counter_draw", counter_draw)

# %% [markdown]
# Four processes share a batch of eight rows; or one makes it alone; or one that was killed makes step 3 again. Your
# numbers:


# %%
def shared_batch():
    rows = torch.arange(100, 108)
    alone = counter_draw(0, 3, rows, 109)
    shared = torch.cat([counter_draw(0, 3, part, 109) for part in rows.chunk(4)])
    for _ in range(5):
        counter_draw(0, 4, rows, 109)  # somebody else's draws
    print("four processes:", torch.equal(alone, shared), "  again:", torch.equal(alone, counter_draw(0, 3, rows, 109)))


attempted(shared_batch)

# %% [markdown]
# The course's own batches are made in this way, by `kqa_core/text/span_corruption.py` on a processor and in one launch of
# `kqa_core/kernels/span_rows_triton.py` on a GPU: the same rows, bit for bit, because whole numbers do not round. Row 2 of
# step 5, in a batch and alone:

# %%
from kqa_core.text import DocumentTable, Vocabulary, corrupt_rows

lines = [document, "Ada Lovelace was born in London in 1815.", "Sofya Kovalevskaya, born in Moscow, taught analysis."]
vocabulary = Vocabulary.from_text("".join(lines))
documents = DocumentTable(lines, vocabulary)
batch = corrupt_rows(documents, torch.tensor([0, 1, 2]), 56, seed=0, step=5)
single = corrupt_rows(documents, torch.tensor([2]), 56, seed=0, step=5)
print(vocabulary.decode(batch[2]))
print(vocabulary.decode(single[0]))

# %% [markdown]
# ## What is moved, what is computed
#
# Count now. N heads (of all rows together), T positions, d channels; all numbers have 16 bits. What a kernel needs of the
# main memory it reads once, what it makes it writes once; in between, nothing leaves the chip.

# %% [markdown] exercise="bytes_and_operations" role="statement"
# Return a dict with these four keys, each `(bytes, operations)`. A product of an (a, b) and a (b, c) matrix has 2·a·b·c
# operations (multiplications and additions); nothing else is counted, and the whole square is, mask or not.
#
# - `in_steps`: three kernels, one after the other: Q Kᵀ; the softmax (with scale and mask), which makes a square of a
#   square; weights times V
# - `one_tile`: our kernel, forward: reads q, k, v, and writes the output
# - `synthesizer`: the same with one table of keys (T, d), which all heads share and which is read once (leave out b₂)
# - `backward`: our kernel on the way back: reads q, k, v and the output's gradient; computes logits and weights again;
#   writes the gradients of q, k and v


# %% exercise="bytes_and_operations" role="solution"
def bytes_and_operations(N, T, d):
    """{name: (bytes, operations)} for in_steps, one_tile, synthesizer, backward; N heads, T positions, d channels, 16 bits."""
    raise NotImplementedError("exercise bytes_and_operations: replace this line with your answer")


# %% exercise="bytes_and_operations" role="check"
check("bytes_and_operations", bytes_and_operations)

# %% [markdown]
# A processor moves and computes at the same time. So a kernel takes at least as long as the slower of the two, and that is
# its *roofline*: below a certain number of operations a byte, the *ridge*, it is the memory that holds it up, above it the
# arithmetic.

# %% [markdown] exercise="roofline" role="statement"
# A kernel moves `bytes_moved` and computes `operations`; a processor moves `bandwidth` bytes a second and computes `peak`
# operations a second. Return `(seconds, bound)`: the time it takes at least, and `"memory"` or `"compute"`, whichever holds
# it up.


# %% exercise="roofline" role="solution"
def roofline(bytes_moved, operations, bandwidth, peak):
    """(seconds, "memory" or "compute"): the least time of a kernel, and what holds it up."""
    raise NotImplementedError("exercise roofline: replace this line with your answer")


# %% exercise="roofline" role="check"
check("roofline", roofline)

# %% [markdown]
# The assignment's attention has 128 rows of 8 heads, 128 positions, 32 channels. On three GPUs, by their makers' data
# sheets:

# %%
from kqa_core.show import PROCESSORS, roofline_figure, roofline_slider


def bounds():
    for name, gpu in PROCESSORS.items():
        print(f"{name}, ridge at {gpu.ridge:.0f} operations a byte")
        for kernel, (moved, operations) in bytes_and_operations(128 * 8, 128, 32).items():
            seconds, bound = roofline(moved, operations, gpu.bandwidth, gpu.peak)
            print(
                f"   {kernel:12} {moved / 1e6:6.1f} MB  {operations / 1e9:5.1f} GFLOP  {1e6 * seconds:6.1f} µs at least, {bound}"
            )


attempted(bounds)

# %% [markdown]
# Move them yourself. A longer text makes the tile's products larger, faster than its traffic: that lifts a kernel towards
# the ridge. In steps, a head of d channels never gets past d/2 operations a byte, whatever the length. Which kernels are
# ever held up by an H200's arithmetic, and which by a T4's?

# %%
attempted(roofline_slider, bytes_and_operations)

# %% [markdown]
# In steps, the squares alone are four fifths of the traffic. In one tile they are gone, with not one operation less. On an
# H200 even one tile waits for the memory: 64 operations a byte are far below the ridge. A cleverer order of multiplications
# would save nothing there. Only less traffic would: heads that share keys, as the Synthesizer's do, or fusing what comes
# before and after.

# %% [markdown]
# ## What was measured
#
# Lower bounds are promises of the makers. The course's figures come from `kqa bench kernels`, on a machine with a GPU: our
# kernels against each of torch's, forward and back together. Where none were taken, the table says so:

# %% tags=["nbval-ignore-output"]
from kqa_core.experiments import race_table, recorded_race

recorded = recorded_race()
print(f"recorded on: {recorded.machine or 'no GPU yet'}\n")
print(race_table(recorded.times))

# %% [markdown]
# Whatever stands there, it has a consequence: our attention becomes the course's default only where it is shown to be 1.5
# times as fast as the best of torch's. Until then, `kqa_core/kernels/__init__.py` calls torch. Now you know how ours works,
# and you know how to tell whether it is worth its while. If this machine has a GPU, here is its own race:

# %% tags=["nbval-ignore-output"]
import subprocess
import sys

if torch.cuda.is_available() and HAS_TRITON:
    compiler = os.environ | {"TRITON_INTERPRET": "0"}  # in a process of its own: here, Triton is the interpreter
    raced = subprocess.run(
        [sys.executable, "-m", "kqa_core.experiments.kernel_race"], env=compiler, capture_output=True, text=True
    )
    print(raced.stdout or raced.stderr[-2000:])
else:
    print("No GPU with Triton here: not measured.")

# %% [markdown]
# Under the roof of an H200: hollow marks are the most that can be reached, filled ones what was recorded (only forward and
# back together were timed, so only they can be filled).

# %% tags=["nbval-ignore-output"]


def under_the_roof():
    counted = bytes_and_operations(128 * 8, 128, 32)
    kernels = {"in steps, forward": counted["in_steps"], "one tile, forward": counted["one_tile"]}
    kernels["one tile, both ways"] = tuple(sum(pair) for pair in zip(counted["one_tile"], counted["backward"], strict=True))
    taken = recorded.times["one tile"]["ours"] if "H200" in recorded.machine else None
    return roofline_figure(kernels, "H200", {} if taken is None else {"one tile, both ways": 1e-6 * taken})


attempted(under_the_roof)

# %%
progress()

# %% [markdown]
# This is the last notebook of the course. `cockpit()` in notebook 00 shows what is left to do in the others.
