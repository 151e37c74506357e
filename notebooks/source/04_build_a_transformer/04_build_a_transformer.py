# %% [markdown]
# # Build a Transformer
#
# Two layers of attention, one line each. They differ in one place: the first sets forbidden weights to 0, the second sets
# forbidden *scores* to minus infinity. In both, no position gives any weight to a later one. Now change the last of six
# positions, and see which outputs move.

# %% role="setup"
import math
import random  # for your answers

import sympy as sp
import torch
import torch.nn.functional as F  # for your answers

from kqa_core.check import attempted, check, hint, progress  # hint("causal_mask") gives a hint

# %%
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
    print(f"{layer.__name__:30} outputs that moved: {[t for t in range(6) if moved[t]]}")

# %% [markdown]
# With the first, *every* position has felt the change of the last. Nobody gave it any weight, and yet all of them know. A
# language model built that way can peek in training and cannot when it writes, so its loss promises more than it keeps.
#
# A Transformer is made of a few parts, none longer than three lines, and most of them can be wrong in a way that runs.
# You build each part here and have it compared with torch's own. When you leave this notebook you can
#
# 1. write scaled, masked, multi-head attention, and say what every line is for,
# 2. derive why scores are divided by $\sqrt{d_\text{head}}$,
# 3. test a layer: against an oracle, for its blindness to the future, and for gradients that arrive,
# 4. tell encoder from decoder by what may read what, with the shape of every tensor,
# 5. put the parts together to a GPT, count its parameters, train it and let it write.
#
# Shapes are written behind the lines: B rows in a batch, T positions, C = d_model channels, nh heads, hs = d_head = C / nh
# channels a head.

# %% [markdown]
# ## Scores
#
# A query asks every key. With the queries in the rows of $Q$ and the keys in the rows of $K$, all questions are one
# product:
#
# $$\text{scores} = \frac{Q K^\top}{\sqrt{d_k}}, \qquad \text{scores}_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}}.$$

# %% [markdown] exercise="attention_scores" role="statement"
# `q` has shape (…, n_q, d_k) and `k` shape (…, n_k, d_k), with the same leading axes, such as batch and head, or none.
# Return the scores, shape (…, n_q, n_k).


# %% exercise="attention_scores" role="solution"
def attention_scores(q, k):
    """Scaled scores: q (…, n_q, d_k), k (…, n_k, d_k) → (…, n_q, n_k)."""
    raise NotImplementedError("exercise attention_scores: replace this line with your answer")


# %% exercise="attention_scores" role="check"
check("attention_scores", attention_scores)

# %% [markdown]
# The rows of `x` as queries and as keys: the scores of every position with every other, and of each with itself.

# %%
scores = attempted(attention_scores, x, x)
print(scores.round(decimals=2)) if scores is not None else None

# %% [markdown]
# ## Why the root?
#
# Take components that are independent, with mean 0 and variance 1. A dot product adds up d products of them, so it
# spreads more the longer the vectors are. How much more, the left picture measures. What that does to a softmax over 16
# keys is on the right.

# %%
from kqa_core.show import mask_slider, spread_figure

spread_figure()

# %% [markdown]
# A layer that starts out with all its weight on one key passes next to no gradient to the others: it can hardly learn to look
# elsewhere. Dividing by $\sqrt d$ makes the start the same for all widths. Now derive it, a little more generally than
# the paper does: let the keys have a mean.

# %% [markdown] exercise="scaling_variance" role="statement"
# All components are independent. Those of the query have mean 0 and variance 1; those of the key have mean `m` and
# standard deviation `s`. `d`, `s` and `m` are positive sympy symbols. Return two expressions:
#
# 1. the variance of $q \cdot k$,
# 2. the number to divide by, so that the quotient has variance 1.


# %% exercise="scaling_variance" role="solution"
def scaling_variance(d, s, m):
    """(variance of q·k, divisor that makes it 1), for d components; the key's have mean m and standard deviation s."""
    raise NotImplementedError("exercise scaling_variance: replace this line with your answer")


# %% exercise="scaling_variance" role="check"
check("scaling_variance", scaling_variance)

# %% [markdown]
# Derived on the left, measured in 200,000 draws on the right; they agree to about a percent.

# %%
d, s, m = sp.Symbol("d", integer=True, positive=True), sp.Symbol("s", positive=True), sp.Symbol("m", positive=True)
derived = attempted(scaling_variance, d, s, m)
if derived is not None:
    generator = torch.Generator().manual_seed(8)
    print("  d    s    m   derived  measured")
    for width, spread, mean in ((16, 1, 0), (16, 2, 0), (16, 1, 3), (64, 1, 0)):
        query = torch.randn(200_000, width, generator=generator)
        key = mean + spread * torch.randn(200_000, width, generator=generator)
        measured = float((query * key).sum(dim=-1).var())
        exact = float(sp.sympify(derived[0]).subs({d: width, s: spread, m: mean}))
        close = abs(measured / exact - 1) < 0.02
        print(f"{width:3} {spread:4} {mean:4} {exact:9.0f}  {'within 2 %' if close else round(measured)}")

# %% [markdown]
# ## Who may read whom
#
# A model that writes from left to right must not see what it is to write next. Row t of the mask says what position t may
# read: itself, and what is earlier.

# %% [markdown] exercise="causal_mask" role="statement"
# Return a tensor of shape (T, T) and dtype `torch.bool`, True at [t, s] where position t may read position s.


# %% exercise="causal_mask" role="solution"
def causal_mask(T):
    """Who may read whom: BoolTensor (T, T), True where attention is allowed."""
    raise NotImplementedError("exercise causal_mask: replace this line with your answer")


# %% exercise="causal_mask" role="check"
check("causal_mask", causal_mask)

# %%
mask = attempted(causal_mask, 6)
print(mask.int()) if mask is not None else None

# %% [markdown]
# Minus infinity is not just a large negative number. Below, the future's scores are set to `mask_value`. At −4 the leak
# can be seen with the naked eye. Take −10, which looks safe, and then make the scores steeper, as training does.

# %% tags=["nbval-ignore-output"]
mask_slider(mask_value=-4.0)

# %% [markdown] exercise="why_mask_first" role="statement"
# The layer `weights_set_to_zero` of the opening gives no weight to the future, and its outputs know it all the same. In
# two to four sentences: which way does the future take? How does minus infinity before the softmax close it, and what
# else would?

# %% [markdown] exercise="why_mask_first" role="written"
# *Your answer here.*

# %% [markdown]
# ## Many heads in one tensor
#
# One softmax makes one set of weights, and often a position must look at two things at once. So the C channels are shared
# among several heads, each with scores and weights of its own. In torch a head is one more axis of the batch.

# %% [markdown] exercise="split_heads" role="statement"
# Turn `x` of shape (B, T, C) into shape (B, n_head, T, d_head) with d_head = C / n_head. Head h holds, at every position,
# channels $h \cdot d_\text{head}$ to $(h+1) \cdot d_\text{head} - 1$.


# %% exercise="split_heads" role="solution"
def split_heads(x, n_head):
    """(B, T, C) → (B, n_head, T, C // n_head): head h holds the h-th run of channels."""
    raise NotImplementedError("exercise split_heads: replace this line with your answer")


# %% exercise="split_heads" role="check"
check("split_heads", split_heads)

# %% [markdown]
# Two positions, six channels, three heads. The tens of each number are its position and the ones its channel, so you can see
# where it went.

# %%
tens_and_ones = torch.tensor([[[10.0, 11, 12, 13, 14, 15], [20, 21, 22, 23, 24, 25]]])  # (1, 2, 6)
heads = attempted(split_heads, tens_and_ones, 3)
print(heads.int()) if heads is not None else None

# %% [markdown] exercise="merge_heads" role="statement"
# And back: `x` has shape (B, n_head, T, d_head). Return shape (B, T, n_head · d_head), so that merging undoes splitting.


# %% exercise="merge_heads" role="solution"
def merge_heads(x):
    """(B, n_head, T, d_head) → (B, T, n_head · d_head), the inverse of split_heads."""
    raise NotImplementedError("exercise merge_heads: replace this line with your answer")


# %% exercise="merge_heads" role="check"
check("merge_heads", merge_heads)

# %%
merged = attempted(lambda: merge_heads(split_heads(tens_and_ones, 3)))
print("there and back again:", torch.equal(merged, tens_and_ones)) if merged is not None else None

# %% [markdown]
# On paper each head has its own small matrices. In code there is one large one, since one large product is faster than
# eight small ones. They are the same thing.

# %% [markdown] exercise="one_big_projection" role="statement"
# `small` holds h matrices, shape (h, d_in, d_head); head i reads `x @ small[i]`. Return one matrix W of shape
# (d_in, h · d_head), such that `split_heads(x @ W, h)` has `x @ small[i]` as its head i, for every x.


# %% exercise="one_big_projection" role="solution"
def one_big_projection(small):
    """One matrix (d_in, h · d_head) that does what the h maps small (h, d_in, d_head) do, head beside head."""
    raise NotImplementedError("exercise one_big_projection: replace this line with your answer")


# %% exercise="one_big_projection" role="check"
check("one_big_projection", one_big_projection)

# %%
maps = torch.randn(8, 64, 8, generator=torch.Generator().manual_seed(1))  # (h, d_in, d_head)
large = attempted(one_big_projection, maps)
if large is not None:
    rows = torch.randn(2, 5, 64, generator=torch.Generator().manual_seed(2))  # (B, T, d_in)
    one_by_one = torch.stack([rows @ each for each in maps], dim=1)  # (B, h, T, d_head)
    at_once = attempted(split_heads, rows @ large, 8)
    if at_once is not None:
        print("eight small products and one large one agree:", torch.allclose(one_by_one, at_once, atol=1e-4))

# %% [markdown]
# ## The whole layer
#
# Everything is there. Project x to queries, keys and values; split; score; mask; softmax; average; merge; and one last
# product, the *output projection*, through which the heads talk to each other.

# %% [markdown] exercise="causal_self_attention" role="statement"
# `x` has shape (B, T, C); `w_q`, `w_k`, `w_v` and `w_o` have shape (C, C) and are applied from the right, as `x @ w_q`.
# Return multi-head causal self-attention with `n_head` heads, shape (B, T, C). No biases, no dropout. Keep the dtype and
# the device of x; the layer must be trainable, and T, B or n_head may be 1. You may call what you have written above.


# %% exercise="causal_self_attention" role="solution"
def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    """Multi-head causal self-attention: x (B, T, C), weights (C, C) applied as x @ w → (B, T, C)."""
    raise NotImplementedError("exercise causal_self_attention: replace this line with your answer")


# %% exercise="causal_self_attention" role="check"
check("causal_self_attention", causal_self_attention)

# %% [markdown]
# The experiment of the opening once more, now with your layer. The position that changed is the only one to move, and the
# others are not just close to what they were: every bit is the same.

# %%
generator = torch.Generator().manual_seed(3)
w_q, w_k, w_v, w_o = (torch.randn(4, 4, generator=generator, dtype=torch.float64) for _ in range(4))
before = attempted(causal_self_attention, x[None], w_q, w_k, w_v, w_o, 2)
if before is not None:
    after = causal_self_attention(changed[None], w_q, w_k, w_v, w_o, 2)
    print("outputs that moved:", [t for t in range(6) if not torch.equal(before[0, t], after[0, t])])

# %% [markdown]
# ## Break it
#
# Spoil it, as little as you can. Below, your layer gets a whisper of the future: a millionth of the next position's input,
# added to an output that is otherwise yours. The shape is right, all gradients arrive, and the numbers are yours to five
# digits. (The row is rolled round, so the last position hears the first, which it may.)


# %% tags=["raises-exception"]
def whispered(x, w_q, w_k, w_v, w_o, n_head):
    return causal_self_attention(x, w_q, w_k, w_v, w_o, n_head) + 1e-6 * x.roll(-1, dims=1)


if before is not None:
    whisper = whispered(x[None], w_q, w_k, w_v, w_o, 2)
    print(f"largest change of any output: {float((whisper - before).abs().max()):.0e}")
check("causal_self_attention", whispered)

# %% [markdown]
# The check does not look at your mask. It changes the future and looks at the past, as you did above. A millionth is not
# harmless: a model is trained to guess the next character and nothing else, and its later layers are free to make a whisper
# louder.

# %% [markdown]
# ## Reading another text
#
# A translator writes one text while reading another. The *encoder* turns the source into a **memory**, one vector for
# each position, in which every position has read all others: no mask. The *decoder* writes, with a mask. Between its
# self-attention and its MLP stands **cross-attention**: queries from the decoder, keys and values from the memory.

# %% [markdown] exercise="cross_attention" role="statement"
# `x` has shape (B, n_q, C), `memory` shape (B, n_k, D). `w_q` is (C, n_head · d_k), `w_k` (D, n_head · d_k), `w_v`
# (D, n_head · d_v) and `w_o` (n_head · d_v, C); the widths d_k and d_v need not be equal. Return cross-attention, shape
# (B, n_q, C).


# %% exercise="cross_attention" role="solution"
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    """x (B, n_q, C) reads memory (B, n_k, D) → (B, n_q, C). Head widths: d_k for queries and keys, d_v for values."""
    raise NotImplementedError("exercise cross_attention: replace this line with your answer")


# %% exercise="cross_attention" role="check"
check("cross_attention", cross_attention)

# %% [markdown]
# There is no mask here, and nothing in the equation knows where a key stood. So the order of the memory cannot matter,
# unless its vectors tell of it, which is what positions are for.

# %%
memory = torch.randn(1, 5, 4, generator=generator, dtype=torch.float64)
read = attempted(cross_attention, x[None], memory, w_q, w_k, w_v, w_o, 2)
if read is not None:
    shuffled = cross_attention(x[None], memory[:, [3, 0, 4, 2, 1]], w_q, w_k, w_v, w_o, 2)
    print("a shuffled memory reads the same:", torch.allclose(read, shuffled))

# %% [markdown]
# ## A block
#
# Attention lets positions read each other; the MLP lets each position think. Both are *added* to a stream that runs
# straight through the model, so that gradients find the way back at any depth. In the pre-LN block the LayerNorms stand
# at the entrance of each branch, and the stream itself is left alone.

# %% [markdown] exercise="pre_ln_block" role="statement"
# `norm_1`, `attention`, `norm_2` and `mlp` are four functions from (B, T, C) to (B, T, C). Return what the pre-LN block
# made of them gives for `x`: first the branch with attention, then the one with the MLP. Do not change x itself.


# %% exercise="pre_ln_block" role="solution"
def pre_ln_block(x, norm_1, attention, norm_2, mlp):
    """One pre-LN block: x (B, T, C) → (B, T, C)."""
    raise NotImplementedError("exercise pre_ln_block: replace this line with your answer")


# %% exercise="pre_ln_block" role="check"
check("pre_ln_block", pre_ln_block)

# %% [markdown]
# ## Shapes all along
#
# A source of n positions, a target of m positions, b pairs of them in a batch. Outside attention, every tensor is
# (b, n, d) or (b, m, d), through all layers of both stacks: that is why blocks can be stacked.

# %% [markdown] exercise="encoder_decoder_shapes" role="statement"
# For a batch of `b`, sources of length `n`, targets of length `m`, d_model `d`, `h` heads and `vocab_size` characters,
# return a dict with these eight shapes as tuples:
#
# `memory`, what the encoder hands over · `encoder_weights` and `decoder_weights`, the weights of the two self-attentions ·
# `cross_queries` and `cross_keys`, of the cross-attention, as `split_heads` gives them · `cross_weights` ·
# `decoder_output`, after the decoder's last block · `logits`, as in training.


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
# Three of the eight are weights, and end in a table: a row for each query, a column for each key. Which cells of it may be
# filled is what tells an encoder's attention from a decoder's.

# %%
from kqa_core.show import reading_figure

reading_figure()

# %% [markdown]
# ## GPT
#
# A GPT is a decoder without a memory. Its parts, by the names that the course's own model gives them:
#
# `token_embedding`, a module: tokens (B, T) → (B, T, C) · `position_embedding`, a parameter (block_size, C), a row for each
# place · `dropout` · `blocks`, to be run one after the other · `norm`, a last LayerNorm · `head`, a linear map to logits.

# %% [markdown] exercise="gpt_forward" role="statement"
# Given `tokens`, int64 of shape (B, T), and a `model` with these parts, return the logits, shape (B, T, vocab_size). The
# model knows whether it is being trained; leave its mode as it is.


# %% exercise="gpt_forward" role="solution"
def gpt_forward(tokens, model):
    """Logits (B, T, vocab_size) of tokens (B, T), from the parts of the model."""
    raise NotImplementedError("exercise gpt_forward: replace this line with your answer")


# %% exercise="gpt_forward" role="check"
check("gpt_forward", gpt_forward)

# %% [markdown] exercise="count_parameters" role="statement"
# How many numbers does such a GPT learn? Attention has four linear maps from C to C, each *with* a bias; the MLP goes from C
# to 4C and back, with biases; a LayerNorm has a gain and a shift for each channel; the head has no bias and shares nothing
# with the embedding. Return the number for `vocab_size`, `block_size`, `n_layer`, `n_head` and `d_model`.


# %% exercise="count_parameters" role="solution"
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    """The number of parameters of a GPT of these sizes."""
    raise NotImplementedError("exercise count_parameters: replace this line with your answer")


# %% exercise="count_parameters" role="check"
check("count_parameters", count_parameters)

# %% [markdown]
# Derived, and counted in the model that the course trains in later notebooks. Which of its parts is the largest?

# %%
from kqa_core.model import GPT, GPTConfig

counted = GPT(GPTConfig(vocab_size=256)).count_parameters()
derived = attempted(count_parameters, 256, 128, 4, 8, 256)
print(f"derived {int(derived):,}, counted {counted:,}") if derived is not None else None

# %% [markdown]
# ## Let it write
#
# Now run it. The model below is made of *your* attention, your block and your forward; torch adds embeddings, norms and
# linear maps. It reads the shipped small world, 776 lines about people who never lived, character by character.

# %%
from kqa_core.text import shipped

text = (shipped("world/small") / "wiki.txt").read_text(encoding="utf-8")
characters = sorted(set(text))
codes = torch.tensor([characters.index(c) for c in text])
print(f"{len(text):,} characters, {len(characters)} different ones")
print(text[:120])


# %%
class MyBlock(torch.nn.Module):
    def __init__(self, C, n_head):
        super().__init__()
        self.maps = torch.nn.ParameterList([torch.nn.Parameter(torch.randn(C, C) * C**-0.5) for _ in range(4)])
        self.norm_1, self.norm_2, self.n_head = torch.nn.LayerNorm(C), torch.nn.LayerNorm(C), n_head
        self.mlp = torch.nn.Sequential(torch.nn.Linear(C, 4 * C), torch.nn.GELU(), torch.nn.Linear(4 * C, C))

    def attention(self, x):
        self.read = x.detach()  # kept, to look at where it reads
        return causal_self_attention(x, *self.maps, self.n_head)

    def forward(self, x):
        return pre_ln_block(x, self.norm_1, self.attention, self.norm_2, self.mlp)


class MyGPT(torch.nn.Module):
    def __init__(self, vocab_size, block_size, n_layer, n_head, C):
        super().__init__()
        self.token_embedding = torch.nn.Embedding(vocab_size, C)
        self.position_embedding = torch.nn.Parameter(0.1 * torch.randn(block_size, C))
        self.dropout = torch.nn.Dropout(0.0)
        self.blocks = torch.nn.ModuleList([MyBlock(C, n_head) for _ in range(n_layer)])
        self.norm = torch.nn.LayerNorm(C)
        self.head = torch.nn.Linear(C, vocab_size, bias=False)

    def forward(self, tokens):
        return gpt_forward(tokens, self)


# %% [markdown]
# Before anything is learned, all characters are about equally likely, so the loss should be near ln(number of
# characters). That is the first thing to look at in any training: a start far above it is a mistake.


# %% tags=["nbval-ignore-output"]
def train(steps, block_size=64, rows=24):
    torch.manual_seed(0)
    model = MyGPT(len(characters), block_size, n_layer=3, n_head=4, C=64)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(steps + 1):
        starts = torch.randint(len(codes) - block_size - 1, (rows,))
        batch = codes[starts[:, None] + torch.arange(block_size + 1)]  # (rows, block_size + 1)
        logits = model(batch[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
        if step % 100 == 0:
            print(f"step {step:4}: loss {float(loss.detach()):.2f}  (ln {len(characters)} = {math.log(len(characters)):.2f})")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


model = attempted(train, 500)


# %% tags=["nbval-ignore-output"]
@torch.no_grad()
def write(model, start, length, temperature=0.7, block_size=64):
    generator = torch.Generator().manual_seed(5)
    row = [characters.index(c) for c in start]
    for _ in range(length):
        logits = model(torch.tensor([row[-block_size:]]))[0, -1]
        row.append(int(torch.multinomial(torch.softmax(logits / temperature, dim=-1), 1, generator=generator)))
    return "".join(characters[code] for code in row)


print(attempted(write, model, "\n", 400)) if model is not None else None

# %% [markdown]
# After less than a minute it spells, it ends its sentences, and it knows what they are about: people with two names, places,
# years. None of what it says is true: it has learned how such sentences go. How a model comes to know something is the matter
# of the notebooks on pretraining.
#
# Where does it look? The next cell has it read a line, and computes what each of its heads gives to each character, with your own
# parts. A row is a character that reads, a column one that is read. Go through the heads: which read the character just before,
# which the beginning of the word, which many at once?

# %% tags=["nbval-ignore-output"]
from kqa_core.show import explore


@torch.no_grad()
def weights_of(model, line):
    model(torch.tensor([[characters.index(c) for c in line]]))
    tables = []
    for block in model.blocks:
        q, k = (split_heads(block.read @ each, block.n_head) for each in block.maps[:2])  # (1, nh, T, hs)
        scores = attention_scores(q, k).masked_fill(~causal_mask(len(line)), -math.inf)
        tables.append(torch.softmax(scores, dim=-1))  # (1, nh, T, T)
    return tables


line = text.partition("\n")[0][:60]
tables = attempted(weights_of, model, line) if model is not None else None
explore(tables, line) if tables is not None else None

# %% [markdown]
# Change something and train again: without √d, with one head, with post-LN. Each of them learns, writes, and looks like a
# model; whoever has nothing to compare with does not see that anything is missing. So the checks here look at the numbers of a
# layer, and not at the loss.

# %% tags=["nbval-ignore-output"]
if torch.cuda.is_available():
    print("This machine has a GPU: .to('cuda') on the model and on each batch, and try a larger one.")
else:
    print("No GPU here, and none needed. On one, you would move the model and each batch with .to('cuda').")

# %% [markdown] exercise="encoder_or_decoder" role="statement"
# In three to five sentences: which positions may read which in an encoder, and in a decoder? Why does a decoder need the
# mask, and what does it get for it? Name a task for each. And why is the memory read without a mask?

# %% [markdown] exercise="encoder_or_decoder" role="written"
# *Your answer here.*

# %%
progress()

# %% [markdown]
# Next: **05 the mini-Transformer lab**, where you change the parts and measure what it does.
