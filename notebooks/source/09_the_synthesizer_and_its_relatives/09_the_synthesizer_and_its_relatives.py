# %% [markdown]
# # The Synthesizer and its relatives
#
# Nobody can predict a fair die. Here are two small language models that try. A row has nine throws of a die,
# and at each of the first eight the model predicts the next one. Each model is trained for a few seconds.
# Their code differs in one word.

# %% role="setup"
import math
import random  # for your answers

import torch
import torch.nn.functional as F  # for your answers

from kqa_core.check import attempted, check, hint, progress, solution  # hint("cost") gives a hint
from kqa_core.model import GPT, GPTConfig

torch.set_num_threads(1)  # everything here is small, and more threads would only wait for each other


# %% tags=["nbval-ignore-output"]
def throws(rows, generator):
    return torch.randint(1, 7, (rows, 9), generator=generator)  # (rows, 9)


def learn_the_die(variant):
    torch.manual_seed(0)
    no_dropout = {"embedding_dropout": 0.0, "attention_dropout": 0.0, "residual_dropout": 0.0}
    model = GPT(
        GPTConfig(7, 8, n_layer=1, n_head=1, d_model=32, variant=variant, linformer_rank=8, **no_dropout)
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    generator = torch.Generator().manual_seed(1)
    for _ in range(200):
        rows = throws(64, generator)
        _, loss = model(rows[:, :-1], rows[:, 1:])  # at each throw, predict the next one
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


@torch.no_grad()
def accuracy(model):
    rows = throws(2000, torch.Generator().manual_seed(2))
    return (model(rows[:, :-1])[0].argmax(dim=-1) == rows[:, 1:]).double().mean(dim=0)  # (8,), by position


dice = {variant: learn_the_die(variant) for variant in ("vanilla", "linformer")}
for variant, model in dice.items():
    print(
        f"{variant:9} predicts {100 * float(accuracy(model).mean()):.0f} % of new throws; guessing gives"
        f" {100 / 6:.0f} %"
    )

# %% [markdown]
# The first model is as good as possible. The second one does something impossible, and yet there is no bug in
# its training: it reads the throw that it predicts. It mixes the keys and values of all positions before a mask
# could hide the later ones. In Part 3 (optional) you find out how, from one formula.
#
# Since 2017 the equation of attention has been changed in many ways: to make it cheaper, to make longer texts
# possible, or to see which of its parts are needed. This notebook asks one question about each of these
# relatives: **where do the attention weights come from, and at what cost?** After it you can
#
# 1. write a Synthesizer, and say in which sense it is attention,
# 2. name a task that one layer of it cannot do, and explain why,
# 3. put a layer of your own into a Transformer, prove that it is active, train it, and compare it with
#    attention by paired tests,
# 4. say what each relative costs, and which of them remove the quadratic cost,
# 5. find out whether a layer uses the future, from its formula and by experiment.
#
# **You need** notebook 04 (heads, causal mask), finetuning from notebook 07, and for the optional sections the
# paired t-test of notebook 05. **Time**: the core takes about an hour
# and a quarter. Parts 1 to 3 take two and a quarter hours (50, 40 and 45 minutes). Part 4 is optional and takes
# another 75 minutes. If you run all cells without a pause, the whole notebook takes about two minutes. All
# symbols are in the [table of symbols](../00_start_here/00_start_here.ipynb#Symbols). One is new: $L$ is the
# *block size*, the length of the longest row, so $T \le L$.
#
# **Core and optional** ([the map of paths](../00_start_here/00_start_here.ipynb#Paths-through-the-course)).
# The path *assignment* needs *Weights without keys* and *The same pairs in another order* with the written question
# at its end. Of Part 2 it needs *Several heads*, *Plug it in* and *Pretrain it* before *Longer runs*. The rest is
# optional. Run also the code cells that you skip, with *Run → Run All Above Selected Cell*: later cells use what
# they define.

# %% [markdown]
# ---
# # Part 1. Where the weights come from
#
# ## Weights without keys
#
# **Question.** In attention, the logit $s_{ti} = q_t\cdot k_i$ compares position $t$ with position $i$: both
# tokens have a say. Is this comparison needed?
#
# **Idea.** The *dense Synthesizer* (Tay et al. 2020) leaves it out. Position $t$ looks at its own token only.
# From this token it computes one logit for each *place* of the row: place 0, place 1, and so on, whatever is
# there. Then everything continues as in attention: mask, softmax, average of the values.
#
# **A worked example.** A token has two components, and a row has at most three places. Two matrices make the
# logits: $A$, which is the identity here, and $B$. (The biases $b_1$ and $b_2$ of the general formula below
# are 0 here.)
#
# $$B = \begin{pmatrix}2 & 0 & 1\\ 0 & 3 & 0\end{pmatrix},$$
#
# with one column for each place. The token at position 2 is $x_2 = (1, -1)$.
#
# 1. *Hidden vector.* Multiply by $A$ and set negative components to 0: $\text{ReLU}(1, -1) = (1, 0)$.
# 2. *Logits.* Multiply by $B$: $(1, 0)\,B = (2, 0, 1)$.
# 3. *Weights.* The exponentials are $(7.39, 1, 2.72)$, which sum to $11.11$. So the weights are
#    $(0.665, 0.090, 0.245)$.

# %%
B_small = torch.tensor([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0]])
for x_2 in ([1.0, -1.0], [-1.0, 1.0]):
    hidden = torch.relu(torch.tensor(x_2))
    print("token", x_2, " weights", [f"{weight:.3f}" for weight in torch.softmax(hidden @ B_small, dim=0)])

# %% [markdown]
# Another token at position 2 gives other weights: $(-1, 1)$ attends mostly to place 1.
#
# **Predict.** We replace the token at position 0 by another one. Which weights of position 2 change? And does
# its output change?
#
# <details><summary><b>Answer</b></summary>
#
# No weight changes, because $x_0$ does not occur in steps 1 to 3. The output does change, because it contains
# $0.665\,v_0$, and the value $v_0$ is computed from $x_0$. In attention, $x_0$ would change both.
#
# </details>
#
# **In general**, for a row $X$ of shape $(T, d)$:
#
# $$\text{output} = \text{softmax}\big(\text{ReLU}(X A + b_1)\, B + b_2\big)\,(X V)$$
#
# with $A$ and $V$ of shape $(d, d_k)$, $b_1$ of shape $(d_k,)$, $B$ of shape $(d_k, L)$ and $b_2$ of shape
# $(L,)$. A row of $T$ positions uses the first $T$ columns of $B$ and of $b_2$. Logits of later positions are
# masked, as always.

# %% [markdown] exercise="synthesizer_attention" role="statement"
# Write one head. `x` has shape (N, T, d), `A` (d, d_k), `b1` (d_k,), `B` (d_k, L), `b2` (L,) and `V` (d,
# d_k), with T ≤ L. Return the output, shape (N, T, d_k). It is causal: position $t$ attends to positions
# $0, \dots, t$. Nothing is scaled, and there is no dropout. The logits lie between −250 and 250. Use torch, so
# that gradients flow; keep the dtype and the device of `x`, and change no argument.


# %% exercise="synthesizer_attention" role="solution"
def synthesizer_attention(x, A, b1, B, b2, V):
    """One head of the dense Synthesizer: x (N, T, d) → (N, T, d_k).
    B (d_k, L) and b2 (L,) with T ≤ L; causal.
    """
    raise NotImplementedError("exercise synthesizer_attention: replace this line with your answer")


# %% exercise="synthesizer_attention" role="check"
check("synthesizer_attention", synthesizer_attention)

# %% [markdown]
# A row may fill the block, and then it needs the last column of $B$. (The starter code of the original
# assignment has one column less. That is enough there, because its rows are one position shorter than its
# block.) Your function handles both:

# %%
generator = torch.Generator().manual_seed(3)
x, A, b1, B, b2, V = (
    torch.randn(*shape, generator=generator) for shape in ((1, 6, 4), (4, 5), (5,), (5, 6), (6,), (4, 5))
)
for T in (1, 3, 6):
    out = attempted(synthesizer_attention, x[:, :T], A, b1, B, b2, V)
    print(f"T = {T}, L = 6: output {tuple(out.shape)}") if out is not None else None

# %% [markdown]
# > **Takeaway.** In a dense Synthesizer, the weights of a position are a function of its own token. They say
# > how much weight each place gets, whatever is at that place.
#
# <details><summary><b>Going deeper (optional): who knows about places?</b></summary>
#
# Each column of $B$ stands for a place, so a Synthesizer knows places without any position embedding. What
# about attention without position embeddings? If it has no mask, as in an encoder, it sees a set of tokens
# and no order. With a *causal* mask this is not true. Suppose that all logits are equal, and that the value
# is 1 at the first token of the row and 0 elsewhere. Then position $t$ averages $t+1$ values, and its output
# is $1/(t+1)$: it has counted its own position. Haviv et al. (2022) found that trained causal models without
# position embeddings do know positions. So the mask alone leaks the position; notebook 05 shows what that is
# good for.
#
# </details>

# %% [markdown]
# ## It is still attention (optional)
#
# **Question.** The paper's title asks for a "rethinking" of self-attention: no keys, no dot products. Is it
# really something else?
#
# **Idea.** The logit of position $t$ for place $i$ is a sum of products, so it *is* a dot product. One of the
# two vectors belongs to $t$. The other one belongs to $i$ and is the same for every text.
#
# **A worked example.** Take the hidden vector $(1, 0)$ of the example above, and leave $b_2$ out. The logits
# are
#
# $$(1, 0)\cdot(2, 0) = 2,\qquad (1, 0)\cdot(0, 3) = 0,\qquad (1, 0)\cdot(1, 0) = 1.$$
#
# So the hidden vector is a query, and the keys are the *columns* of $B$: $k_0 = (2, 0)$, $k_1 = (0, 3)$,
# $k_2 = (1, 0)$. They do not depend on the text. The exercise does the same with $b_2$.

# %% [markdown] exercise="same_thing" role="statement"
# Given `x` (N, T, d), `A`, `b1`, `B` (d_k, L) and `b2` (L,), return `(query, key)`: `query` of shape (N, T,
# width) and `key` of shape (T, width), with any width that you like. The causal softmax of `query @ key.T`,
# *not* scaled, must give exactly the Synthesizer's weights. The key must be the same for every `x`. Change no
# argument.


# %% exercise="same_thing" role="solution"
def same_thing(x, A, b1, B, b2):
    """(query (N, T, width), key (T, width)) whose causal softmax of query @ key.T has
    the Synthesizer's weights.
    """
    raise NotImplementedError("exercise same_thing: replace this line with your answer")


# %% exercise="same_thing" role="check"
check("same_thing", same_thing)

# %% [markdown]
# So torch's own fused attention can run your Synthesizer, if it gets your query and key and a scale of 1. The
# next cell compares it with your first exercise, in float64.

# %%
double = [each.double() for each in (x, A, b1, B, b2, V)]
pair = attempted(same_thing, *double[:5])
mine = attempted(synthesizer_attention, *double)
if pair is not None and mine is not None:
    query, key = pair
    fused = F.scaled_dot_product_attention(query, key[None], double[0] @ double[5], is_causal=True, scale=1.0)
    print("the two agree to 12 digits:", bool((fused - mine).abs().max() <= 1e-12 * mine.abs().max()))

# %% [markdown]
# > **Takeaway.** Any table of logits that factors into queries times keys is attention. The Synthesizer is
# > attention whose keys no text can change.

# %% [markdown]
# ## The same pairs in another order
#
# **Question.** Does it matter that the keys are the same for every text?
#
# Here is a task that consists of nothing but looking up. A row has eight pairs, each of a key letter and a
# value. All eight letters and all eight values occur, in random order. Then one letter is asked for, and the
# answer is the value beside it.


# %%
def look_up_rows(rows, generator, n=8):
    keys = torch.rand(rows, n, generator=generator).argsort(dim=1)  # (rows, n), a permutation in each row
    values = torch.rand(rows, n, generator=generator).argsort(dim=1)
    asked = torch.randint(n, (rows,), generator=generator)
    answer = values.gather(1, (keys == asked[:, None]).int().argmax(dim=1, keepdim=True))[:, 0]
    return (keys, values, asked), answer


def as_text(keys, values, asked):
    """The text at each place of one row."""
    pairs = [f"{'abcdefgh'[k]}:{v}" for k, v in zip(keys.tolist(), values.tolist(), strict=True)]
    return [*pairs, f"{'abcdefgh'[int(asked)]}?"]


questions, answers = look_up_rows(3, torch.Generator().manual_seed(0))
for *row, answer in zip(*questions, answers, strict=True):
    print("  ".join(as_text(*row)), f" →  {int(answer)}")

# %% [markdown]
# Two models with *one* layer try it. In the first, the layer is attention. In the second, it is your
# Synthesizer, with as many channels. The token of a pair is the sum of a vector for its letter, a vector for
# its value and a vector for its place. There is no MLP: the output at the last position goes directly into a
# linear readout with eight logits, one for each answer.


# %%
from kqa_core.model import scaled_dot_product_attention as attention


class Reader(torch.nn.Module):
    def __init__(self, kind, n=8, d=32):
        super().__init__()

        def new(*shape, scale=1.0):
            return torch.nn.Parameter(scale * torch.randn(*shape))

        self.kind = kind
        self.key_letter, self.value_digit, self.asked_letter = new(n, d), new(n, d), new(n, d)
        self.place = new(n + 1, d, scale=0.5)
        # W_K is used by attention only
        self.A, self.W_K, self.V = (new(d, d, scale=d**-0.5) for _ in range(3))
        self.b1, self.B, self.b2 = new(d, scale=0.1), new(d, n + 1, scale=d**-0.5), new(n + 1, scale=0.1)
        self.readout = new(d, n, scale=d**-0.5)

    def tokens(self, keys, values, asked):
        pairs = self.key_letter[keys] + self.value_digit[values]  # (rows, n, d)
        return torch.cat((pairs, self.asked_letter[asked][:, None]), dim=1) + self.place  # (rows, n + 1, d)

    def layer(self, x, A, W_K, V):
        if self.kind == "dense Synthesizer":
            return synthesizer_attention(x, A, self.b1, self.B, self.b2, V)
        past = torch.ones(x.shape[1], x.shape[1]).tril() > 0
        return attention(x @ A, x @ W_K, x @ V, past)

    def forward(self, keys, values, asked):
        # (rows, n)
        return self.layer(self.tokens(keys, values, asked), self.A, self.W_K, self.V)[:, -1] @ self.readout

    def weights(self, keys, values, asked):
        """The weights of the last position, (rows, n + 1).
        If the values are one-hot vectors, the output is the weights.
        """
        x = self.tokens(keys, values, asked)
        T, d = x.shape[1:]
        wide = torch.cat((x, torch.eye(T).expand(len(x), T, T)), dim=-1)  # (rows, T, d + T)
        # the new channels change no logit
        A, W_K = (F.pad(each, (0, 0, 0, T)) for each in (self.A, self.W_K))
        V = F.pad(torch.eye(T), (0, 0, d, 0))  # (d + T, T): only the new channels are values
        return self.layer(wide, A, W_K, V)[:, -1]


# %% [markdown]
# **Predict.** What accuracy will each of them reach after 200 steps? A uniform guess is right in 1 of 8 rows,
# and its loss is $\ln 8$.


# %% tags=["nbval-ignore-output"]
def learn_to_look_up(kind, steps=200, every=10):
    torch.manual_seed(1)
    model, generator = Reader(kind), torch.Generator().manual_seed(1)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    questions, answers = look_up_rows(1000, torch.Generator().manual_seed(2))
    curve = []
    for step in range(steps + 1):
        if step % every == 0:
            with torch.no_grad():
                logits = model(*questions)
            curve.append(float((logits.argmax(dim=1) == answers).double().mean()))
        question, answer = look_up_rows(128, generator)
        loss = F.cross_entropy(model(*question), answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    loss = float(F.cross_entropy(logits, answers))
    print(f"{kind:18} loss {loss:.3f}, accuracy {100 * curve[-1]:.1f} %;  ln 8 = {math.log(8):.3f}")
    return model, curve


from kqa_core.show import learning_figure, show_orders

readers = {}
for kind in ("attention", "dense Synthesizer"):
    learned = attempted(learn_to_look_up, kind)
    if learned is not None:
        readers[kind] = learned
learning_figure({kind: curve for kind, (_, curve) in readers.items()}, every=10, chance=1 / 8)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Attention learns the task: it answers nearly all of the 1,000 test rows correctly, and it has never seen
# these rows in training. The Synthesizer stays at about 1 of 8, and its loss stays at about $\ln 8$.
#
# </details>
#
# The next picture shows why. It has the same eight pairs and the same question in three orders. A frame is
# around the pair that is asked for. Look at the weights of the last position in both models.

# %% tags=["nbval-ignore-output"]
keys, values, asked = (each[0] for each in look_up_rows(1, torch.Generator().manual_seed(4))[0])
orders = [torch.randperm(8, generator=torch.Generator().manual_seed(seed)) for seed in (0, 1, 2)]
rows = [(keys[order], values[order], asked) for order in orders]
together = [torch.stack(each) for each in zip(*rows, strict=True)]
with torch.no_grad():
    weights = {kind: model.weights(*together) for kind, (model, _) in readers.items()}
places = [int((row[0] == asked).nonzero()) for row in rows]
show_orders([as_text(*row) for row in rows], weights, places) if weights else None

# %% [markdown]
# In attention, the large weight follows the pair. In the Synthesizer, the three rows are equal to the last
# digit: its weights depend on the letter that is asked for and on the places, and these are the same in all
# three rows. It does not see that the pairs have moved.
#
# <details><summary><b>Going deeper (optional): attention finds a second solution</b></summary>
#
# Change the seed in `learn_to_look_up` to 0, and run the cells again. Attention learns the task just as well,
# but its picture is the opposite: the pair that is asked for has the weight 0.00, and the seven others share
# the rest. How can that work? All eight values occur in every row. So the value that is *missing* from the
# average is the answer, and the readout has negative weights. Of the seeds 0 to 5, three found each of the
# two solutions. In both, the weights follow the pair.
#
# </details>
#
# ### Why the Synthesizer's loss stays at ln 8
#
# The accuracy in the picture is that of a uniform guess, and so is the loss. Is this a failure of the
# training? No: no weights of this model reach a smaller loss. Here is the reason, for one letter that is
# asked for, say f.
#
# 1. *The logits are a sum of small terms.* The weights of the last position are fixed numbers now, and there
#    is no MLP. So each place adds one term that depends on its letter and one term that depends on its value.
#    No term knows both.
# 2. *A single term says nothing about the answer.* Suppose you know only that the value at place 3 is 5. With
#    probability 1/8 the letter at place 3 is f, and then the answer is 5. Otherwise the answer is one of the
#    seven other values, each with probability $\frac78\cdot\frac17 = \frac18$. So all eight answers are still
#    equally likely. The same holds if you know only the letter at a place.
# 3. *So no term lowers the loss at first.* Begin with eight equal logits, where the loss is $\ln 8$. Let a term
#    raise the logit of one answer a little, in all rows that contain its letter or value. In 1 of 8 of these rows
#    this is the right answer, and the loss falls. In 7 of 8 it is a wrong one, and the loss rises, by a seventh as
#    much. On average nothing changes: the slope of the mean loss is zero, whichever term you change.
# 4. *And a sum of them does not lower it later.* As a function of the logits, the loss is *convex*: it curves
#    upwards, so it is nowhere below its tangent. Here the tangent is flat and has the height $\ln 8$. So the mean
#    loss is $\ln 8$ or more, for all weights.
#
# In attention, step 1 fails: the weight of a place depends on the letter there, and it multiplies the value
# there.

# %% [markdown] exercise="cannot_look_up" role="statement"
# Answer in five to eight sentences.
#
# 1. What can the layer of attention do here that the dense Synthesizer cannot?
# 2. Why can no weights bring the Synthesizer's loss below $\ln 8$? Explain it in your own words, with one term as an
#    example.
# 3. Would longer training or a wider layer help? What would?

# %% [markdown] exercise="cannot_look_up" role="written"
# (your answer)

# %% [markdown]
# > **Takeaway.** To look something up, the weights must depend on what is looked through. Keys that are
# > computed from the text make this possible in a single layer.
#
# (A loss of $\ln 8$ does not mean that the accuracy is at most 1/8. Part 4 has weights, set by hand, with
# 23.4 %.)

# %% [markdown]
# ---
# # Part 2. Your Synthesizer in a Transformer
#
# ## Several heads
#
# **Question.** One layer without an MLP fails to look things up. What about a whole Transformer, with several
# heads, MLPs and two layers?
#
# Each head needs its own $A$, $b_1$ and $V$. As in notebook 04, the parameters of all heads are in one
# matrix: with $d_k = d/h$, head $j$ has the columns $j\,d_k, \dots, (j+1)\,d_k - 1$. As in the original
# assignment, all heads share $B$ and $b_2$.
#
# **Example.** With $d = 6$ and $h = 2$ heads, $d_k = 3$. Head 0 uses `A[:, 0:3]`, `b1[0:3]` and `V[:, 0:3]`,
# head 1 uses `A[:, 3:6]`, `b1[3:6]` and `V[:, 3:6]`. Their outputs, (N, T, 3) each, are concatenated to (N,
# T, 6) and multiplied by $W_O$.

# %% [markdown] exercise="synthesizer_layer" role="statement"
# Write the layer. `x` has shape (N, T, d), `A` and `V` (d, d), `b1` (d,), `B` (d_k, L), `b2` (L,) and `W_O`
# (d, d). Return `heads @ W_O`, shape (N, T, d), where `heads` are the concatenated outputs of all heads. The
# logits lie between −250 and 250. You may call your `synthesizer_attention`. Use torch, so that gradients flow; keep the dtype of `x`, and change
# no argument.


# %% exercise="synthesizer_layer" role="solution"
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    """Several heads of the dense Synthesizer: x (N, T, d) → (N, T, d).
    Head j has columns j·d_k … of A, b1 and V; causal.
    """
    raise NotImplementedError("exercise synthesizer_layer: replace this line with your answer")


# %% exercise="synthesizer_layer" role="check"
check("synthesizer_layer", synthesizer_layer)

# %% [markdown]
# ## Plug it in
#
# The course's `GPT` asks a registry for the attention of each block. `register_variant` adds yours to it.
# From then on, `GPTConfig(variant="mine")` builds a Transformer with your layer, and everything that works
# with a `GPT` works with it too.


# %%
from kqa_core.model import register_variant


class MySynthesizer(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        d, L = config.d_model, config.block_size
        self.n_head = config.n_head
        self.hidden = torch.nn.Linear(d, d)  # its weight is A transposed, its bias is b1
        self.table = torch.nn.Parameter(torch.empty(d // config.n_head, L).uniform_(-0.001, 0.001))  # B
        self.offset = torch.nn.Parameter(torch.zeros(L))  # b2
        self.value, self.projection = torch.nn.Linear(d, d, bias=False), torch.nn.Linear(d, d, bias=False)

    def forward(self, x, cache=None):
        A, V, W_O = self.hidden.weight.T, self.value.weight.T, self.projection.weight.T
        return synthesizer_layer(x, A, self.hidden.bias, self.table, self.offset, V, W_O, self.n_head)


register_variant("mine", MySynthesizer)

# %% [markdown]
# **Is it active?** Notebook 07 showed that a variant can be in the code and still not be used. So test it. We
# build one model with your layer and one with the course's own Synthesizer, give both the same weights, and
# compare their logits. For contrast we also compare your model with attention, again with the same weights
# wherever both have them.


# %%
def logits_with(variant, weights, tokens):
    """The logits of a small GPT of this variant that has these weights,
    as far as it has parameters of these names.
    """
    torch.manual_seed(0)
    model = GPT(GPTConfig(12, 16, n_layer=2, n_head=2, d_model=8, variant=variant)).double().eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name in weights:
                parameter.copy_(weights[name])
            elif name.endswith("bias"):
                parameter.zero_()
        return model(tokens)[0]


tokens = torch.randint(1, 12, (4, 16), generator=generator)
weights = {
    name: torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
    for name, parameter in GPT(
        GPTConfig(12, 16, n_layer=2, n_head=2, d_model=8, variant="mine")
    ).named_parameters()
}
own = attempted(logits_with, "mine", weights, tokens)
if own is not None:
    for variant in ("synthesizer", "vanilla"):
        apart = float((logits_with(variant, weights, tokens) - own).abs().max() / own.abs().max())
        print(f"your layer and {variant:11}: {'the same logits' if apart < 1e-9 else 'different logits'}")

# %% [markdown]
# With the same weights, your model computes what the course's Synthesizer computes. So your layer is in the
# model, in every block, and it is right.
#
# ## The look-up task again (optional)
#
# Part 1 had one layer and no MLP. Now both models are whole Transformers: two layers, three heads, MLPs and
# the residual stream. A row has six pairs now, and each pair is one token: 6 letters times 6 values give 36
# pair tokens, and there are 6 tokens for the letter that is asked for. The values are drawn at random, so a
# value may occur more than once in a row. All this makes the task faster to learn. The model predicts the
# value at the last position.
#
# **What can be done without looking up?** A uniform guess is right in 1 of 6 rows. It is better to answer the
# value that occurs most often in the row. The cell prints how often that is right.
#
# **Predict.** Which of these numbers will your Synthesizer be close to: the uniform guess, the most frequent
# value, or attention?
#
# The cell trains both models with three seeds each. Runs of one seed get the same rows in the same order. It
# takes about 20 seconds on a quiet machine.


# %% tags=["nbval-ignore-output"]
from kqa_core.show import live_runs

SEEDS, STEPS = (0, 1, 2), 250


def token_rows(rows, generator):
    """Tokens (rows, 7), numbers from 1 to 42, and the answers (rows,), from 43 to 48."""
    (keys, _, asked), _ = look_up_rows(rows, generator, n=6)
    values = torch.randint(6, keys.shape, generator=generator)  # a value may occur more than once
    tokens = torch.cat((1 + 6 * keys + values, 37 + asked[:, None]), dim=1)
    return tokens, 43 + values[keys == asked[:, None]]


def train_transformer(variant, seed, watch):
    torch.manual_seed(seed)
    no_dropout = {"embedding_dropout": 0.0, "attention_dropout": 0.0, "residual_dropout": 0.0}
    model = GPT(GPTConfig(49, 7, n_layer=2, n_head=3, d_model=48, variant=variant, **no_dropout))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    generator = torch.Generator().manual_seed(seed)
    for step in range(STEPS):
        tokens, answers = token_rows(64, generator)
        loss = F.cross_entropy(model(tokens)[0][:, -1], answers)  # at the last position only
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        watch(step + 1, float(loss.detach()))
    return model.eval()


test_tokens, test_answers = token_rows(200, torch.Generator().manual_seed(9))
# how often the most frequent value of a row occurs
often = F.one_hot((test_tokens[:, :6] - 1) % 6, 6).sum(dim=1).amax(dim=1)
print(f"of 200 rows: uniform guess 33, most frequent value {200 * float((often / 6).mean()):.0f} (expected)")

runs = {"attention": {}, "mine": {}}  # model → seed → which of the test rows are answered correctly
with live_runs(("attention", "mine"), STEPS, guess=6) as picture:
    for seed in SEEDS:
        for name, variant in (("attention", "vanilla"), ("mine", "mine")):
            model = attempted(train_transformer, variant, seed, picture.watch(name, seed))
            if model is not None:
                with torch.no_grad():
                    runs[name][seed] = model(test_tokens)[0][:, -1].argmax(dim=-1) == test_answers  # (200,)

for name, found in runs.items():
    print(f"{name:9} right answers of 200:", ", ".join(str(int(right.sum())) for right in found.values()))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Attention answers all or nearly all rows. Your Synthesizer is well above the uniform guess, somewhat below
# the most frequent value, and far below attention.
#
# </details>
#
# (A curve may go up and down again for a few steps, as at step 40 in our runs. Each point is the mean of five
# steps, so one batch with a large loss shows in five points. Training goes on as before.)
#
# So your Synthesizer has learned something, but no looking up. Its average tells it roughly how often each
# value occurs. Could it do better? In principle yes: here an MLP comes after the average, and it could combine
# the letter that is asked for with an average of all pairs. But that is hard to learn. Attention does it
# directly, by comparing a query with keys.
#
# **Your own class (optional).** The classes of notebook 04 take your Synthesizer as it is: it is a part that
# the block gets as an argument. The cell trains your model twice, with attention and with the Synthesizer.

# %% tags=["nbval-ignore-output"]
from kqa_core.exercise_helpers.kept_classes import kept_classes
from kqa_core.experiments import limited

MyAttention, MyBlock, MyGPT = kept_classes()


def train_mine(attention, steps):
    """Right answers of 200 after a training of MyGPT with this layer in every block."""
    torch.manual_seed(0)
    no_dropout = {"embedding_dropout": 0.0, "attention_dropout": 0.0, "residual_dropout": 0.0}
    config = GPTConfig(49, 7, n_layer=2, n_head=3, d_model=48, **no_dropout)
    model = MyGPT(config, lambda config: MyBlock(config, attention))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    generator = torch.Generator().manual_seed(0)
    for _ in range(steps):
        tokens, answers = token_rows(64, generator)
        loss = F.cross_entropy(model(tokens)[:, -1], answers)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        return int((model(test_tokens)[:, -1].argmax(dim=-1) == test_answers).sum())


for name, layer in (("attention", MyAttention), ("your Synthesizer", MySynthesizer)):
    right = attempted(train_mine, layer, limited(STEPS))
    if right is not None:
        print(f"MyGPT with {name}: {right} of 200")

# %% [markdown]
# ## Is it a difference? (optional)
#
# **Over questions.** Both models of one seed answer the same 200 rows, so their answers form pairs, and
# McNemar's test fits. (Both tests are in the [table of
# statistics](../05_mini_transformer_lab/05_mini_transformer_lab.ipynb#Statistics-used-in-this-course).)

# %% tags=["nbval-ignore-output"]
from kqa_core.evaluation import mcnemar, paired

for seed in runs["mine"]:
    first, second = runs["attention"][seed], runs["mine"][seed]
    lost, gained = int((first & ~second).sum()), int((second & ~first).sum())
    p = mcnemar(gained=gained, lost=lost)
    print(f"seed {seed}: only attention {lost:2}, only the Synthesizer {gained:2}, McNemar p = {p:.2g}")

# %% [markdown]
# **Over seeds.** For a statement about the two layers, we also test over seeds, with the paired t-test. It
# needs one number for each seed and model.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import show_seed_dots


def p_text(p):
    return f"p = {p:.3f}" if p >= 0.001 else "p < 0.001"


hits = {name: [int(right.sum()) for right in found.values()] for name, found in runs.items()}
if hits["mine"]:
    print(f"paired t-test over {len(hits['mine'])} seeds: {p_text(paired(hits['mine'], hits['attention']))}")
show_seed_dots(hits, label="right answers of 200") if hits["mine"] else None

# %% [markdown]
# The two tests answer two questions: *Do these two models differ on more questions than chance would
# explain?* And: *would other seeds show the same?* Give both in a report.
#
# ## Pretrain it
#
# Now the experiment of the original assignment, on a small scale. A model with your layer is pretrained on
# documents about invented people, finetuned on some questions, and asked about others. It is the same code as
# `kqa pretrain` and `kqa finetune`, with a small model and few steps: 483 short documents, three for each of
# 161 people; 60 questions to finetune on; and 100 to evaluate on. (One person is in the documents only.)

# %%
from kqa_core.experiments import answers_right, few_people_corpus, train_few
from kqa_core.text import runs as runs_folder

people = few_people_corpus()
print(
    f"{len(people.documents)} documents, {len(people.train)} train questions, {len(people.dev)} dev"
    " questions, such as"
)
print(people.documents[0], "\n" + people.dev[0].question, people.dev[0].answer)

# %% [markdown]
# **Predict.** The question "Where was … born?" names one person. The fact is not in the row: the model has to
# have learned it in pretraining. What are the attention weights needed for here?
#
# (The next cell takes about half a minute on a quiet machine. The pretrained models are kept in the folder
# `runs`, so it takes a few seconds when you run it again. With a changed layer it trains anew.)


# %% tags=["nbval-ignore-output"]
def compare(first, second):
    """The counts and the p-value of McNemar's test for two tensors of right answers."""
    lost, gained = int((first & ~second).sum()), int((second & ~first).sum())
    return (
        f"only attention {lost:2}, only the Synthesizer {gained:2}, McNemar p ="
        f" {mcnemar(gained=gained, lost=lost):.2g}"
    )


born = {}
for name, variant in (("attention", "vanilla"), ("mine", "mine")):
    trained = attempted(lambda variant: train_few(variant, people, 0, folder=runs_folder("09")), variant)
    if trained is not None:
        born[name] = answers_right(trained, people.dev)
        print(f"{name:9} {int(born[name].sum())} of {len(people.dev)} dev questions")
if len(born) == 2:
    print(compare(born["attention"], born["mine"]))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# To collect the name. Where the answer begins, the model needs the letters of the name, in the right order.
# In every question the name begins at the same place, so a Synthesizer can learn which places to attend to.
# But first and last names have different lengths, so the same letter can be at different places. This should
# give attention an advantage.
#
# </details>
#
# One seed and so few steps leave much to chance: read the two numbers with their $p$-value. Your run may show
# no difference at all. Here are recorded runs of the same experiment with twice as many steps and five seeds
# (`kqa bench few_people`; there the Synthesizer is the course's own). The paired t-test asks whether
# the five differences, one for each seed, lie further from 0 than chance would put them ([notebook
# 05](../05_mini_transformer_lab/05_mini_transformer_lab.ipynb#Statistics-used-in-this-course)).

# %%
from kqa_core.experiments import recorded_few

# each (seeds, questions)
longer = {variant: torch.tensor(answers) for variant, answers in recorded_few().items()}
if longer:
    for seed, (first, second) in enumerate(zip(longer["vanilla"], longer["synthesizer"], strict=True)):
        print(
            f"seed {seed}: attention {int(first.sum())}, Synthesizer {int(second.sum())};",
            compare(first, second),
        )
    hits = {name: answers.sum(dim=1).tolist() for name, answers in longer.items()}
    print(
        f"paired t-test over {len(hits['vanilla'])} seeds:"
        f" {p_text(paired(hits['synthesizer'], hits['vanilla']))}"
    )
show_seed_dots(hits, label="right answers of 100") if longer else print("not measured")

# %% [markdown]
# ### Longer runs (optional)
#
# Two models that come with the course were trained on the whole small world for longer: one with attention,
# one with a dense Synthesizer in every layer. Both answer its 100 dev questions, so McNemar's test applies to
# them, too.

# %% tags=["nbval-ignore-output"]
from kqa_core.evaluation import guesses
from kqa_core.experiments import shipped_model
from kqa_core.text import make_world

asked_people = [person for person in make_world("small").people if person.split == "dev"]
found = {}
for name in ("vanilla", "synthesizer"):
    shipped = shipped_model(f"small.{name}.finetune")
    said = guesses(shipped.model, shipped.vocabulary, [person.question for person in asked_people])
    found[name] = torch.tensor(
        [answer.answer == person.place for answer, person in zip(said, asked_people, strict=True)]
    )
    print(
        f"{name:12} {shipped.model.count_parameters():,} parameters: {int(found[name].sum())} of"
        f" {len(asked_people)}"
    )
print(compare(found["vanilla"], found["synthesizer"]))

# %% [markdown]
# Runs on the original data of the assignment, with 500 dev questions, take too long for a notebook, so they
# are not run here. Published student solutions report 12 to 27 % for attention (17 runs) and 5 to 14 % for
# the Synthesizer (8 runs; the sources are in `benchmarks/README.md` of the repository); [one of
# them](https://github.com/wuwowuyi/stanford_cs224n_NLP-with-Deep-Learning_winter2021/tree/main/assignment5)
# has 25.0 and 5.2 %. (These are their authors' figures. We did not repeat the runs.) The next cell lists six
# recipes, each for its full length, as far as the course has recorded runs of them. There is one number for
# each seed. The last lines compare the first two rows, with the t-test over three seeds (two degrees of
# freedom) and McNemar's test over questions, in which each question counts once.
#
# **Careful.** With the recipe of the assignment, a row with attention and a row with the Synthesizer differ in
# the layer only. (The first number of that row with attention was trained on two processor cores, the others on
# a GPU, which rounds otherwise. On another GPU, the same seed gave 27.2 %. So the three numbers of this row are
# closer together than such runs are.) With the recipes `best` and *generated questions* they differ in *two*
# things. There attention has rotary positions, and a Synthesizer cannot have them, because it has no keys to
# rotate. So such a difference is not only what attention is worth. With *generated questions*, both models
# learn the answers of a small program that had the documents open (the *reader* of notebook 08b, not the class
# `Reader` above). It is right on 92.0 % itself. That both reach its score says nothing about attention.

# %% tags=["nbval-ignore-output"]
from kqa_core.experiments import ladder_step, of_row, read_ladder

recorded = read_ladder()
rows = (
    "assignment, all 650 epochs",
    "assignment with the Synthesizer, all 650 epochs",
    "best, all of it",
    "best with the Synthesizer, all of it",
    "best with generated questions, all of it",
    "generated questions with the Synthesizer, all of it",
)
by_row = {
    row: ", ".join(f"{100 * run.accuracy.value:.1f} %" for run in of_row(recorded, "original", row))
    for row in rows
}
measured_rows = [f"{row:52} {shares}" for row, shares in by_row.items() if shares]
print("\n".join(measured_rows) or "None of these six recipes has a recorded run so far.")
if step := ladder_step(recorded, "original", rows[1], rows[0]):
    print(f"Recipe of the assignment, attention minus Synthesizer: {step.points:+.1f} points,")
    print(f"p over seeds {step.p_over_seeds}, p over questions {step.p_over_questions}.")

# %% [markdown] exercise="what_it_is_worth" role="statement"
# Write a report of about ten sentences: what is attention worth in these experiments?
#
# 1. **Setup**: what differs between the models, and what is the same? How do you know that your layer was
#    active?
# 2. **Result**: right answers on the look-up task, with McNemar's test for each seed and the t-test over
#    seeds. Then the birthplaces: your own run, the five recorded seeds, and the two models that come with the
#    course.
# 3. **Explanation**: why does attention do better? What does your Synthesizer do instead of looking up?
# 4. **Limits**: what do these experiments not show?

# %% [markdown] exercise="what_it_is_worth" role="written"
# (your answer)

# %% [markdown]
# > **Takeaway.** A Transformer with Synthesizer layers is worse than one with attention if it has to find
# > something by its content and not by its place. A comparison needs two tests: over questions and over
# > seeds.

# %% [markdown]
# ---
# # Part 3. At what cost? (optional)
#
# ## Does the Synthesizer save anything?
#
# **Question.** A Synthesizer compares no positions. Is it therefore cheaper than attention on long texts?
#
# **A worked example.** The product of an $(a, b)$ and a $(b, c)$ matrix takes $a\,b\,c$ multiplications. Take
# one head with $T = 4$ positions and $d_k = 2$.
#
# - *Attention.* Logits: $(4, 2)$ times $(2, 4)$, 32 multiplications. Output: $(4, 4)$ times $(4, 2)$, 32
#   more. Together 64, with 16 weights.
# - *Synthesizer.* Logits: the hidden vectors, $(4, 2)$, times $B$, $(2, 4)$: 32. Output: 32. Together 64,
#   with 16 weights.
#
# **Predict.** What happens to both numbers if the text is twice as long?
#
# <details><summary><b>Answer</b></summary>
#
# They become four times as large, in both layers: $2T^2 d_k$ multiplications and $T^2$ weights.
#
# </details>
#
# So the Synthesizer saves $W_K$, but it does **not** remove the quadratic cost. It fills the same $T\times T$
# table, only from another source. To save cost, the table must not be filled. There are two ideas: make it
# thinner, or leave most of it out.

# %% [markdown]
# ## A thinner table: low rank
#
# **Question.** A table of weights has $T\times T$ numbers. Does it contain that much information?
#
# **A worked example.** Four positions. The first two have the same weights, and so have the last two:
#
# $$\begin{pmatrix}\frac12&\frac12&0&0\\ \frac12&\frac12&0&0\\ 0&0&\frac12&\frac12\\ 0&0&\frac12&\frac12\end{pmatrix}
# =\begin{pmatrix}1&0\\ 1&0\\ 0&1\\ 0&1\end{pmatrix}\begin{pmatrix}\frac12&\frac12&0&0\\ 0&0&\frac12&\frac12\end{pmatrix}.$$
#
# A $4\times4$ table is the product of a $4\times2$ and a $2\times4$ table: it has **rank** 2. To average
# values with it, first compute the two mixtures on the right, $\frac12 v_0 + \frac12 v_1$ and
# $\frac12 v_2+\frac12 v_3$. Then each position takes one of the mixtures. In general, a table of rank $r$
# needs $2Tr$ numbers in place of $T^2$.
#
# A trained table is not exactly of low rank. How close is it to one? To measure this, we need one more idea.
#
# **Singular values, by an example.** An *outer product* $u\,w^\top$ of two vectors is the matrix with the
# entries $u_i w_j$. It has rank 1. Here is a matrix as a sum of two outer products, with the unit vectors
# $u_0 = (1, 1)/\sqrt2$ and $u_1 = (1, -1)/\sqrt2$:
#
# $$\begin{pmatrix}2&1\\ 1&2\end{pmatrix}
# = 3\begin{pmatrix}\frac12&\frac12\\ \frac12&\frac12\end{pmatrix}
# + 1\begin{pmatrix}\frac12&-\frac12\\ -\frac12&\frac12\end{pmatrix}
# = 3\,u_0 u_0^\top + 1\,u_1 u_1^\top.$$
#
# The numbers 3 and 1 are the *singular values* of this matrix. If we keep the first term only, all four
# entries become 1.5: that is the best approximation of rank 1. The squares of the singular values are 9 and
# 1, so the first term holds $9/(9 + 1) = 90\,\%$ of their sum.
#
# **In general**, every matrix is a sum of terms $\sigma_j\,u_j w_j^\top$ with singular values
# $\sigma_0\ge\sigma_1\ge\dots\ge0$. The $u_j$ are unit vectors that are orthogonal to each other, and so are
# the $w_j$. The first $r$ terms are the best approximation of rank $r$. The share of $\sum_j\sigma_j^2$ that
# they contain says how good it is: 100 % means exact.
#
# **Predict.** In the identity matrix, each position attends to itself only. It is a sum of $T$ terms
# $1\,u_j u_j^\top$, where $u_j$ has a 1 at place $j$ and 0 elsewhere. So all its singular values are 1. With
# $T=40$ positions, what share of the sum of squares do the first 10 of them hold?
#
# <details><summary><b>Answer</b></summary>
#
# $10/40 = 25\,\%$. A table of this kind needs all its singular values.
#
# </details>
#
# **Real weights.** The next picture has the first 40 characters of a document, in the small pretrained model
# of the course. (Its training rows have about 40 characters, so we do not use more.) On the left is the table
# of one head. In the middle is its best approximation of rank 10. On the right is the share that the first
# singular values hold, one line for each head.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import attention_of, show_low_rank

vanilla = shipped_model("small.vanilla.finetune")
documents = [document for document in make_world("small").documents if len(document) >= 40][:30]


def real_weights(document, T):
    """The weights of all 8 heads of the small model on the first T characters: a tensor (8, T, T)."""
    tokens = vanilla.vocabulary.encode(document[:T])
    return torch.tensor(attention_of(vanilla.model, tokens).weights).flatten(0, 1).double()


show_low_rank(real_weights(documents[0], 40), r=10)

# %% [markdown]
# With 10 of 40 singular values, all eight heads are far above the 25 % of the identity matrix. Where a line
# is above 0.9, $2\cdot40\cdot10 = 800$ numbers hold most of what the table holds. So a table of lower rank
# can come close to a real one. (At this length that saves almost nothing: the causal mask makes 780 of the
# 1,600 weights 0, so 820 are left. For a fixed rank $r$, the saving grows with $T$.) Wang et al. (2020) saw
# such curves in a large encoder. They also proved that for a fixed error, the rank $r$ need only grow like
# $\log T$, and, by a second theorem, that there is a bound without $T$, which depends on $d$. This is the idea
# of the next layer, whose $r$ is fixed. (Part 4 asks which of our heads have a lower rank than chance
# gives them.)
#
# > **Takeaway.** A table of rank $r$ needs $2Tr$ numbers in place of $T^2$. The singular values of a table
# > say how close it is to a table of rank $r$.

# %% [markdown]
# ## The Linformer
#
# **Idea.** The *Linformer* (Wang et al. 2020) mixes first and attends afterwards. A trained matrix $E$ of
# shape $(r, T)$ mixes the $T$ keys to $r$ rows, and a matrix $F$ mixes the values. Then every query attends
# to $r$ rows in place of $T$:
#
# $$\text{softmax}\big(Q\,(E K)^\top / \sqrt{d_k}\big)\,(F V).$$
#
# **A worked example.** Three values with one component, $v = (1, 2, 6)$, and
# $F = \begin{pmatrix}\frac12&\frac12&0\\ 0&\frac12&\frac12\end{pmatrix}$. Then $F v = (1.5,\ 4)$: two rows
# instead of three. If a query has the weights $(0.8, 0.2)$ for them, its output is
# $0.8\cdot1.5 + 0.2\cdot4 = 2$.

# %%
F_small = torch.tensor([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]])
mixed = F_small @ torch.tensor([1.0, 2.0, 6.0])
print("F v =", mixed.tolist(), "  output", f"{float(torch.tensor([0.8, 0.2]) @ mixed):.1f}")

# %% [markdown] exercise="linformer_attention" role="statement"
# Write one head. `q`, `k` and `v` have shape (N, T, d_k), `E` and `F` have shape (r, T). Return the output,
# shape (N, T, d_k). There is no mask. The logits lie between −250 and 250. (Inside this function, `F` is the
# matrix and not torch's functions.) Use torch, so that gradients flow; keep dtype and device, and change no
# argument.


# %% exercise="linformer_attention" role="solution"
def linformer_attention(q, k, v, E, F):
    """One head of the Linformer: q, k, v (N, T, d_k), E and F (r, T) → (N, T, d_k); no mask."""
    raise NotImplementedError("exercise linformer_attention: replace this line with your answer")


# %% exercise="linformer_attention" role="check"
check("linformer_attention", linformer_attention)

# %% [markdown]
# ## How the die was predicted
#
# Why was there no mask? In the worked example, position 0 may use $v_0$ only. But row 0 of $F v$ contains
# $v_1$, and row 1 contains $v_1$ and $v_2$. If we mask both rows, nothing is left. So no mask helps: the rows
# are not positions.
#
# **Which inputs does an output depend on?** Four small cases with $r = 2$ are enough. The query has the
# logits $(1, 3)$ for the two rows, so its weights are $(0.12, 0.88)$.
#
# 1. *Column 2 of $F$ is $(0, \frac12)$.* Then $v_2$ is in row 1, and the output contains
#    $0.88\cdot\frac12\,v_2$. It depends on $v_2$.
# 2. *Column 2 of $F$ is $(0, 0)$.* Then $v_2$ is in no row. The output does not depend on it.
# 3. *Column 2 of $E$ is $(5, 5)$.* Change $k_2$ so that $q\cdot k_2/\sqrt{d_k}$ grows by 1. Then both logits
#    grow by 5, to $(6, 8)$. The weights remain $(0.12, 0.88)$, because a softmax ignores what is added to all
#    logits. The output does not depend on $k_2$. With the column $(5, 0)$ it would.
# 4. *Both rows of $F$ are equal.* Then the two rows of $F v$ are equal, and their average is the same for all
#    weights. The output depends on no key at all.
#
# In all four cases the position of the query does not matter.

# %% [markdown] exercise="linformer_leaks" role="statement"
# Given `E` and `F`, both of shape (r, T), return a BoolTensor (T, T): True at [t, i] if the output at
# position $t$ depends on `k[:, i]` or on `v[:, i]`. It does if there are queries, keys and values for which a
# change of `k[:, i]` or `v[:, i]` changes the output. (The query at $t$ does not count.) Numbers are exact:
# an entry that is not 0 counts as not 0, however small it is (in float64; none is nearer to 0 than 1e-100).
# Columns of `E` or `F` may be zero or constant, rows may be equal, and r may be 1. (If rows of `E` are equal, entries of `F` could cancel each other
# whatever the query is. Such pairs of matrices do not occur.) Do not change the matrices.


# %% exercise="linformer_leaks" role="solution"
def linformer_leaks(E, F):
    """BoolTensor (T, T): True at [t, i] where the output at t depends on k or v
    at position i. E, F (r, T).
    """
    raise NotImplementedError("exercise linformer_leaks: replace this line with your answer")


# %% exercise="linformer_leaks" role="check"
check("linformer_leaks", linformer_leaks)

# %% [markdown]
# Your answer is a statement about a formula. A *probe* knows no formula: it changes one input and observes
# which outputs change. Here are both for random matrices with special columns. In the first pair, neither
# matrix uses position 2 (case 2), and at position 3 column 3 of $E$ is constant and column 3 of $F$ is 0
# (case 3). In the second pair, the rows of $F$ are equal (case 4), and column 1 of $F$ is 0. The first table
# is printed.

# %%
from kqa_core.evaluation import influence

ROUNDING = 1e-9  # a smaller change of an output is only rounding
E_some, F_some = (torch.randn(3, 5, generator=generator, dtype=torch.float64) for _ in range(2))
E_some[:, 2], F_some[:, 2] = 0.0, 0.0
E_some[:, 3], F_some[:, 3] = 5.0, 0.0
F_equal = F_some[:1].repeat(3, 1)
F_equal[:, 1] = 0.0
queries, rows = (torch.randn(1, 5, 4, generator=generator, dtype=torch.float64) for _ in range(2))
if attempted(linformer_attention, queries, rows, rows, E_some, F_some) is not None:
    for case, mix in (("cases 2 and 3", F_some), ("case 4       ", F_equal)):
        said = attempted(linformer_leaks, E_some, mix)
        if said is not None:
            probed = influence(
                lambda kv, mix=mix: linformer_attention(queries, kv, kv, E_some, mix), rows, ROUNDING
            )
            print(f"{case}: your table and the probe agree: {torch.equal(said, probed)}")
    print(influence(lambda kv: linformer_attention(queries, kv, kv, E_some, F_some), rows, ROUNDING).int())

# %% [markdown]
# Every row of the table is the same. So the output at position 0 depends on the last position, and this is
# how the die was predicted: in training, the next throw is an *input* of the model, and the model learned to
# copy it. Look at its accuracy position by position.
#
# **Predict.** Which of the eight positions cannot cheat?

# %% tags=["nbval-ignore-output"]
for variant, model in dice.items():
    print(f"{variant:9}", "  ".join(f"{100 * float(share):3.0f} %" for share in accuracy(model)))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The last one. The throw that it has to predict is not in the input.
#
# </details>
#
# When a model writes text, *every* position that it predicts from is the last one. So what the Linformer has
# learned is worth nothing there. The Linformer was made for encoders, which may use the whole text. As a
# language model it has a very small loss, and it is useless. The probe of notebook 05 shows it in a second.

# %%
from kqa_core.evaluation import reads_the_future

tokens = throws(1, torch.Generator().manual_seed(5))[:, :8]
for variant, model in dice.items():
    print(f"{variant:9} depends on the future: {reads_the_future(model.eval(), tokens)}")

# %% [markdown]
# > **Takeaway.** The Linformer mixes $T$ keys and values to $r$ rows, and its cost is linear in $T$. The
# > mixtures have no positions, so this form can have no causal mask. (Forms that mix block by block can.)

# %% [markdown]
# ## Leaving most of the table out
#
# **Question.** Can a position compare itself with a few others only, and still make use of the whole text?
#
# **Idea.** *BigBird* (Zaheer et al. 2020) allows three kinds of pairs: a **window** of neighbours, a few
# **global** positions that all positions attend to, and a few **random** links, which are drawn once and then
# belong to the model. In a single layer, each position attends to only $k$ positions, itself included. But
# these have attended to others in the layer before.
#
# **A worked example.** Four positions, and each attends to itself and to the one before it. In two layers,
# position 3 attends to position 2, which has attended to position 1.
#
# - After 1 layer, position 3 depends on the inputs 2 and 3.
# - After 2 layers, it depends on 1, 2 and 3.
# - After 3 layers, it depends on all four. Each layer adds one step to the path.

# %% [markdown] exercise="layers_reach" role="statement"
# `mask` is a BoolTensor (T, T), True at [t, i] if position $t$ attends to position $i$. Every position
# attends to itself. Return a BoolTensor (T, T): True at [t, i] if, after `layers` layers with this mask, the
# output at $t$ can depend on the input at $i$. `layers` is at least 1 and at most 100. The mask need not be
# causal. Do not change it.


# %% exercise="layers_reach" role="solution"
def layers_reach(mask, layers):
    """BoolTensor (T, T): True at [t, i] where output t can depend on input i after `layers` layers.
    mask: BoolTensor (T, T).
    """
    raise NotImplementedError("exercise layers_reach: replace this line with your answer")


# %% exercise="layers_reach" role="check"
check("layers_reach", layers_reach)

# %% [markdown]
# **Predict.** 64 positions, with a window of 4, 2 global positions and 2 random links. So in the causal form,
# a position attends to at most 8 of 64. How much does the last position depend on after 1, 2 and 3 layers?
# The upper row of the picture is causal, as a language model needs it. The lower row is BigBird as it was
# published, for encoders: window and links go both ways, and the global positions attend to the whole text.

# %% tags=["nbval-ignore-output"]
from kqa_core.model import BigBirdAttention
from kqa_core.show import show_reach

torch.manual_seed(1)
few = {"bigbird_window": 4, "bigbird_global": 2, "bigbird_random": 2}
causal = BigBirdAttention(GPTConfig(8, 64, n_head=1, d_model=8, **few)).mask(torch.arange(64), 64)  # (64, 64)
both_ways = causal | causal.T
both_ways[:2] = True  # the global positions attend to everything
reached = {
    name: [attempted(layers_reach, mask, layers) for layers in (1, 2, 3)]
    for name, mask in (("causal", causal), ("both ways", both_ways))
}
show_reach(reached) if reached["causal"][0] is not None else None

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# In both directions, two layers reach everything: any position sends to a global position in the first layer, and any
# other position gets it from there in the second. That is why BigBird can match full attention with few
# pairs, and the theory in the paper depends on it. In the causal form, a global position sees only what is
# before it. Positions 0 and 1 have almost nothing before them, so they collect almost nothing. There the
# random links do the work: 12 % after one layer, 38 % after two, and 84 % after three.
#
# </details>
#
# **Careful.** To reach a position is not the same as to compare with it. Full attention finds the right word
# among all words in one layer. With few links, the information has to pass through other positions, which
# must keep it. The paper says both. It proves that sparse attention with global positions can in principle do
# what full attention does. And under a common conjecture about the cost of finding orthogonal vectors, some
# tasks need more layers.
#
# > **Takeaway.** With $k$ keys for each query the cost is linear in $T$. A few layers connect all positions,
# > if some positions are connected to all others, or if links are random.

# %% [markdown]
# ## Count and measure

# %% [markdown] exercise="cost" role="statement"
# For one head with `T` positions and width `d_k`, return a dict with the four keys `attention`,
# `synthesizer`, `linformer` and `bigbird`. Each value is a pair `(multiplications, weights)`. Queries, keys,
# values and the Synthesizer's hidden vectors are given; count the matrix products from there to the output.
# Where there is a $T\times T$ table, count the whole square, as if the mask came afterwards. The Synthesizer
# uses T columns of $B$. The Linformer has `r` mixed rows, and the mixing counts. In BigBird, each query has
# exactly `k` keys, and only these are multiplied. Weights are the results of a softmax.


# %% exercise="cost" role="solution"
def cost(T, d_k, r, k):
    """{name: (multiplications, weights)} of one head of attention, synthesizer, linformer and bigbird."""
    raise NotImplementedError("exercise cost: replace this line with your answer")


# %% exercise="cost" role="check"
check("cost", cost)

# %% [markdown]
# Your counts for $d_k = 32$, $r = 16$ and $k = 24$, and the exponent $p$ of $T^p$ between the two lengths:

# %%
from kqa_core.show import cost_figure, exponent

derived = [attempted(cost, T, 32, 16, 24) for T in (128, 2048)]
if derived[0] is not None:
    print("                T = 128        T = 2,048   exponent")
    for name, (few_multiplications, _) in derived[0].items():
        many = derived[1][name][0]
        growth = exponent((128, 2048), (few_multiplications, many))
        print(f"{name:12} {int(few_multiplications):10,} {int(many):16,}   {growth:8.2f}")

# %% [markdown]
# The exponent of the Synthesizer is 2.00, like that of attention. At $T = 2{,}048$ the Linformer needs 64
# times fewer multiplications than attention. Now measure. For time, we take the processor's time, forward and
# backward, the best of five. For memory, we count the numbers that torch keeps for the backward pass. There
# is one more line: torch's *fused* attention. It computes the weights block by block, and skips the blocks
# that the causal mask hides. It keeps none of the weights and computes them again in the backward pass.


# %% tags=["nbval-ignore-output"]
import time


def measured(T, d=32, r=16):
    g = torch.Generator().manual_seed(T)
    x, q, k, v = (torch.randn(1, T, d, generator=g, requires_grad=True) for _ in range(4))
    A, B, b, c = (torch.randn(*shape, generator=g) for shape in ((d, d), (d, T), (d,), (T,)))
    E, mix = torch.randn(r, T, generator=g), torch.randn(r, T, generator=g)
    past = torch.ones(T, T).tril() > 0
    few = {"bigbird_window": 16, "bigbird_global": 4, "bigbird_random": 4}
    bigbird = BigBirdAttention(GPTConfig(8, T, n_head=1, d_model=d, attention_dropout=0.0, **few))
    layers = {
        "attention": lambda: attention(q, k, v, past),
        "fused attention": lambda: F.scaled_dot_product_attention(
            q[:, None], k[:, None], v[:, None], is_causal=True
        ),
        "dense Synthesizer": lambda: synthesizer_attention(x, A, b, B, c, A),
        "Linformer": lambda: linformer_attention(q, k, v, E, mix),
        "BigBird, gathered": lambda: bigbird.gathered_attention(q[:, None], k[:, None], v[:, None]),
    }
    return {name: found for name, run in layers.items() if (found := attempted(one_run, run)) is not None}


def one_run(run):
    kept = []
    with torch.autograd.graph.saved_tensors_hooks(lambda each: kept.append(each) or each, lambda each: each):
        run()
    numbers = sum({each.data_ptr(): each.numel() for each in kept}.values())
    best = math.inf
    for _ in range(5):
        start = time.process_time()
        run().sum().backward()
        best = min(best, time.process_time() - start)
    return best, numbers


lengths = (256, 512, 1024, 2048)
table = [measured(T) for T in lengths]
names = [name for name in table[0] if all(name in row for row in table)]
seconds = {name: [row[name][0] for row in table] for name in names}
numbers = {name: [row[name][1] for row in table] for name in names}
if {"Linformer", "fused attention"} <= set(names):
    ratio = seconds["fused attention"][-1] / seconds["Linformer"][-1]
    print(f"T = {lengths[-1]:,}: fused attention takes {ratio:.1f} times as long as the Linformer")
cost_figure(lengths, seconds, numbers)

# %% [markdown]
# Compare the slopes with your exponents. Memory grows almost as derived: near 2 for the layers that keep the
# square, near 1 for the others. Time is less exact. At short lengths a fixed overhead makes lines flatter,
# and large products run at a better rate. The lines of the layers that keep the square can also be a little
# steeper than 2, probably because a large square no longer fits into the processor's cache. BigBird's line is
# less steep than that of fused attention, but it begins far above it: collecting $k$ keys and values for each
# query costs time, and the copies need memory. A better exponent pays only from some length on.
#
# What did the fused kernel save? *Memory*: its line on the right has slope 1. But it still computes about
# half of the $T^2$ weights, so its time grows with $T^2$ for long texts. At $T = 2{,}048$ the Linformer is
# faster than fused attention too (see the printed line). By count, its lead doubles whenever $T$ doubles; at
# these lengths, overhead hides a part of it. So fused kernels have made one reason for the relatives less
# important, the memory. For long texts, the quadratic time remains.
#
# > **Takeaway.** The Synthesizer changes where the weights come from, and keeps the cost. The Linformer and
# > BigBird keep queries and keys, and do not fill the table: both are linear in $T$. Fused kernels save
# > memory, not operations.

# %% [markdown]
# ## Summary
#
# Where does the weight of position $t$ for place $i$ come from, and what does the layer cost? (The factor
# $d_k$ is left out.)
#
# - *Attention*: from the tokens at $t$ and at $i$. Cost $T^2$.
# - *Dense Synthesizer*: from the token at $t$ and the place $i$. Cost $T^2$.
# - *Random Synthesizer* (Part 4): from the places $t$ and $i$ only. Cost $T^2$.
# - *Linformer*: from the token at $t$ and mixtures of all tokens. Cost $T\,r$; in this form it cannot be causal.
# - *BigBird*: from the tokens at $t$ and at $i$, for $k$ places $i$ only. Cost $T\,k$.
# - *Perceiver* (Part 4): from the token at $t$ and $m$ rows that have attended to the text. Cost $T\,m$; with
#   causal masks, inputs at position $m$ or later reach no row.
#
# ## Test yourself
#
# **1.** (Part 3) A paper says: "Because the Synthesizer needs no dot products between tokens, it removes the quadratic
# cost of attention." What do you answer?
#
# <details><summary><b>Answer</b></summary>
#
# It needs no dot products between *tokens*, but it still computes a logit for each pair of a position and a
# place, and averages $T$ values for each position. Its exponent is 2.00, like that of attention. It saves the
# key projection only.
#
# </details>
#
# **2.** In a Synthesizer layer, two rows differ only in the order of their first four tokens. What is the
# same at the last position, and what is not?
#
# <details><summary><b>Answer</b></summary>
#
# In the first layer, the weights are the same, because they depend on the last token only. The output is
# different, unless the weights of the four places are equal, because other values are at these places. (From
# the second layer on, the last token's vector has changed, so the weights can change too.)
#
# </details>
#
# **3.** (Part 3) A language model with a new kind of layer has a much lower loss than attention. What do you check
# first?
#
# <details><summary><b>Answer</b></summary>
#
# Whether it uses the future: change later inputs, and check whether earlier outputs change. Then whether the
# layer is active at all, and whether the difference holds over seeds.
#
# </details>

# %%
progress()

# %% [markdown]
# **Next:** [10 Fine-tune an encoder](../10_fine_tune_an_encoder/10_fine_tune_an_encoder.ipynb), where a
# pretrained model learns to tell praise from criticism. Part 4 below is optional: nothing later needs it.

# %% [markdown]
# ---
# # Part 4. More relatives, and two closer looks (optional)
#
# ## The random Synthesizer
#
# **Question.** If the weights need not depend on the token at $i$, do they need the token at $t$?
#
# The *random Synthesizer* has a table $R$ of logits, with one row for each position. It is drawn at the start,
# and then either trained or left as it is. No text can change a weight.
#
# **Example.** $R = \begin{pmatrix}1 & 7\\ \ln 3 & 0\end{pmatrix}$ and the values $v = (1, 5)$. Position 0 can
# only attend to itself: its output is 1. Position 1 has the logits $(\ln 3, 0)$, so the weights
# $(\frac34, \frac14)$, and its output is $\frac34\cdot1+\frac14\cdot5 = 2$.

# %% [markdown] exercise="random_synthesizer" role="statement"
# Write one head. `x` has shape (N, T, d), `R` (L, L) and `V` (d, d_v), with T ≤ L. Return softmax(R) (x V),
# causal, with shape (N, T, d_v). A row of T positions uses the first T rows and columns of `R`. Its entries
# lie between −250 and 250. Use torch, so that gradients flow; keep dtype and device, and change no argument.


# %% exercise="random_synthesizer" role="solution"
def random_synthesizer(x, R, V):
    """One head of the random Synthesizer: x (N, T, d), R (L, L), V (d, d_v) → (N, T, d_v); causal, T ≤ L."""
    raise NotImplementedError("exercise random_synthesizer: replace this line with your answer")


# %% exercise="random_synthesizer" role="check"
check("random_synthesizer", random_synthesizer)

# %% [markdown]
# With constant weights, the whole layer is linear: its output for a sum of two inputs is the sum of its two
# outputs. In attention this is false, because the weights change with the input.

# %%
R, small = torch.randn(6, 6, generator=generator), torch.randn(2, 1, 6, 4, generator=generator)
parts = [attempted(random_synthesizer, each, R, V) for each in (small[0], small[1], small[0] + small[1])]
if parts[2] is not None:
    print("linear:", torch.allclose(parts[0] + parts[1], parts[2], atol=1e-4))

# %% [markdown]
# ## The mask of BigBird
#
# **Example.** One row of the mask, for $t = 9$, with a window of 3, 2 global positions and 1 link. The window
# has the positions 7, 8 and 9. The global positions are 0 and 1. The link is one of the five positions that
# are left: 2, 3, 4, 5 or 6, each with probability 1/5.

# %% [markdown] exercise="bigbird_mask" role="statement"
# Return a BoolTensor (T, T), True at [t, i] where position $t$ attends to position $i \le t$: if $t - i <$
# `window`, or if $i <$ `n_global`, or if $i$ is one of the links of $t$. Each position has `n_random`
# different links. They are drawn from the earlier positions that are not allowed already. Every choice of
# `n_random` of them has the same probability, and the choices for different $t$ are independent. If there are
# fewer than `n_random`, the position gets them all. Draw from `rng`, which is a `random.Random`. `window` is
# at least 1.


# %% exercise="bigbird_mask" role="solution"
def bigbird_mask(T, window, n_global, n_random, rng):
    """BoolTensor (T, T): a causal window, the first n_global positions,
    and n_random links for each position.
    """
    raise NotImplementedError("exercise bigbird_mask: replace this line with your answer")


# %% exercise="bigbird_mask" role="check"
check("bigbird_mask", bigbird_mask)

# %%
from kqa_core.show import mask_figure

mask = attempted(bigbird_mask, 32, 4, 2, 2, random.Random(8))
mask_figure(mask, "window 4, 2 global, 2 links") if mask is not None else None

# %% [markdown]
# ## The Perceiver
#
# A *Perceiver* (Jaegle et al. 2021) has $m$ trained vectors, with $m$ far smaller than $T$. They are the rows
# of a matrix of shape $(m, d)$, which we call the *basis*. These rows attend to the text, and the result is a
# matrix $Y$ of the same shape. The middle layers work on the $m$ rows of $Y$ only. At the end the text
# attends to these rows. This is the causal form of a later assignment (CS224n 2023), without the projections:
#
# - *down*: $Y = \text{attention}(Q = \text{basis},\ K = V = X)$, where row $i$ may attend to the inputs up to
#   $i$,
# - *up*: $X + \text{attention}(Q = X,\ K = V = Y)$, where position $t$ may attend to the rows up to $t$.
#
# **Example.** Three inputs and $m = 2$ rows, and all logits are 0, so all weights are equal. Row 0 attends to
# input 0: $y_0 = x_0$. Row 1 attends to inputs 0 and 1: $y_1 = \frac12(x_0+x_1)$. Position 2 attends to both
# rows, so its output is $x_2 + \frac12(y_0 + y_1) = x_2 + \frac34 x_0+\frac14 x_1$.

# %% [markdown] exercise="perceiver_down_up" role="statement"
# `x` has shape (N, T, d) and `basis` (m, d); m may be smaller or larger than T. Divide logits by $\sqrt d$.
# The divided logits lie between −250 and 250. Return `(y, output)`: `y` of shape (N, m, d) and the output of
# shape (N, T, d), with x already added. Use torch, so that gradients flow; keep dtype and device, and change no argument.


# %% exercise="perceiver_down_up" role="solution"
def perceiver_down_up(x, basis):
    """(y (N, m, d), output (N, T, d)): basis (m, d) attends to x (N, T, d),
    and x attends to y, causally, plus x.
    """
    raise NotImplementedError("exercise perceiver_down_up: replace this line with your answer")


# %% exercise="perceiver_down_up" role="check"
check("perceiver_down_up", perceiver_down_up)

# %% [markdown]
# These masks have a price. Row $i$ attends to inputs up to $i$, and there are only $m$ rows. So an input at
# position $m$ or later is in no row at all. Here $m = 3$; which inputs does each output depend on?

# %%
basis = torch.randn(3, 4, generator=generator, dtype=torch.float64)
row = torch.randn(1, 8, 4, generator=generator, dtype=torch.float64)
if attempted(perceiver_down_up, row, basis) is not None:
    print(influence(lambda each: perceiver_down_up(each, basis)[1], row).int())

# %% [markdown]
# The end of a text depends on its beginning and on itself, and on nothing just before it. Here are all
# relatives side by side, each probed in one layer, with $m = 5$ for the Perceiver. Cells above the staircase
# line are in the future.

# %%
from kqa_core.show import patterns_figure

patterns_figure()

# %% [markdown]
# The first three panels look the same, and yet they are three different layers. A probe shows *that* an
# output depends on an input. It does not show where the weight comes from: from both tokens in attention,
# from one in the dense Synthesizer, from none in the random one.

# %% [markdown]
# ## How low is the rank of real tables?
#
# **Question.** In Part 3, ten singular values held most of a table of 40 × 40 weights. Is that more than
# chance? And what happens on longer texts?
#
# We count how many singular values hold 90 % of the sum of squares, for the first $T$ characters of 30
# documents. For comparison we take tables of the same shape whose logits are drawn at random.
#
# **Predict.** Which heads need fewer singular values than random logits? How does the number grow with $T$?


# %% tags=["nbval-ignore-output"]
def needed(weights, share=0.9):
    """How many singular values contain this share of the sum of squares, for each matrix of (…, T, T)."""
    squares = torch.linalg.svdvals(weights) ** 2
    return (squares.cumsum(dim=-1) / squares.sum(dim=-1, keepdim=True) < share).sum(dim=-1) + 1.0


rng = torch.Generator().manual_seed(0)
print("  T   layer 0   layer 1   random logits")
for T in (8, 16, 24, 32, 40):
    real = torch.stack([needed(real_weights(document, T)) for document in documents]).mean(dim=0)  # (8,)
    drawn = 2 * torch.randn(200, T, T, generator=rng, dtype=torch.float64)
    drawn = drawn.masked_fill(torch.ones(T, T).triu(1) > 0, -math.inf).softmax(dim=-1)
    print(f"{T:3} {real[:4].mean():9.1f} {real[4:].mean():9.1f} {needed(drawn).mean():15.1f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# At $T=40$, the heads of the second layer need 6.9 of 40 singular values on average, those of the first layer
# 12.5, and random logits 13.0. So the tables of the first layer hardly have a lower rank than chance gives
# them, and their number grows like that of random logits. Only in the second layer is the number clearly
# smaller. There it also grows more slowly than $T$: from 24 to 40 positions it rises by about a third, and
# $T$ by two thirds.
#
# </details>
#
# So tables of a much lower rank come close to the heads of the second layer. (We did not test whether the
# model would still answer correctly with them.) The theory of Wang et al. (2020) uses a result of Johnson and
# Lindenstrauss: if vectors are multiplied by a random matrix with few rows, their dot products change little.
# Our small tables neither prove nor contradict that the rank need only grow like $\log T$. And one thing is
# different in the Linformer: the singular vectors belong to one text, but its mixtures are the same for all
# texts.

# %% [markdown]
# ## Is 1/8 the best accuracy of a Synthesizer?
#
# In Part 1, no weights of the one-layer Synthesizer have a loss below $\ln 8$, which is the loss of a uniform
# guess. But its *accuracy* can be higher than 1/8. Here are weights that we set by hand:
#
# - The last position attends to place 0 and to itself, with weight ½ each.
# - The letters a, b, …, h have the numbers 0, 1, …, 7. There are eight answers, 0 to 7, and each begins with
#   the logit 0.
# - The answer that is the *value* at place 0 gets $+1$.
# - The answer that is the number of the *letter* at place 0 gets $-2$.
# - The answer that is the number of the letter that is *asked for* gets $+2$.
#
# **A worked example.** Suppose the row begins with c:5. The letter c has the number 2, so answer 2 gets $-2$,
# and answer 5 gets $+1$. The letter that is asked for adds $+2$ to the answer with its number: 2 for c, 0 for
# a, 5 for f. The table has the logits of three answers (the others are 0). The largest one is bold.
#
# | | 0 | 2 | 5 |
# |---|---|---|---|
# | c? | 0 | 0 | **1** |
# | a? | **2** | $-2$ | 1 |
# | f? | 0 | $-2$ | **3** |
#
# If c is asked for, the answer 5 is right. In the two other cases the answer is the number of the letter that
# is asked for. This number has nothing to do with the value beside the letter, so on average over these rows
# it is right in 1 of 8.
#
# The first pair matches in 1 of 8 rows, and then the answer is right. Together:
#
# $$\tfrac18 + \tfrac78\cdot\tfrac18 = \tfrac{15}{64} = 23.4\,\%.$$


# %% tags=["nbval-ignore-output"]
def set_by_hand(size):
    """A Synthesizer reader with weights that are set by hand; its logits are multiplied by `size`."""
    model = Reader("dense Synthesizer")
    one, none = torch.eye(8), torch.zeros(8, 8)
    for parameter in model.parameters():
        parameter.data.zero_()
    for letters, parts in (
        (model.key_letter, (one, none, none)),
        (model.value_digit, (none, one, none)),
        (model.asked_letter, (none, none, one)),
    ):
        # 8 channels for keys, 8 for values, 8 for the letter asked for
        letters.data[:, :24] = torch.cat(parts, dim=1)
    model.b2.data[1:8] = -1e4  # so the places 1 to 7 get no weight, and 0 and 8 the same
    model.V.data.copy_(torch.eye(32))
    # the factor 2 undoes the weight ½
    model.readout.data[:24] = 2 * size * torch.cat((-2 * one, one, 2 * one))
    return model


@torch.no_grad()
def measure(model):
    questions, answers = look_up_rows(50_000, torch.Generator().manual_seed(5))
    logits = model(*questions)
    return float((logits.argmax(dim=1) == answers).double().mean()), float(F.cross_entropy(logits, answers))


for size in (1, 0.3, 0.1, 0.01):
    found = attempted(lambda size: measure(set_by_hand(size)), size)
    if found is not None:
        print(
            f"logits times {size:4}: accuracy {100 * found[0]:.1f} %, loss {found[1]:.4f};  ln 8 ="
            f" {math.log(8):.4f}"
        )

# %% [markdown]
# The accuracy is about 23.4 % (with 50,000 random rows, chance makes it differ by 0.2 or so). The loss is
# *larger* than $\ln 8$. Smaller logits make it smaller, but it never gets below $\ln 8$. So a model that is
# trained on the loss does not find these weights. The accuracy asks only which logit is the largest, and it
# is not a convex function. (We do not know whether other weights reach more than 15/64.)

# %% [markdown]
# ## Three questions to write about (optional)

# %% [markdown] exercise="perceiver_cost" role="statement"
# A Perceiver has $m$ rows, $\ell$ layers between *down* and *up*, and a text of $T$ tokens of width $d$. Give the order
# of its cost in $m$, $T$, $\ell$ and $d$, part by part, and compare it with $\ell$ layers of ordinary attention. What is
# the price?

# %% [markdown] exercise="perceiver_cost" role="written"
# (your answer)

# %% [markdown] exercise="why_low_rank" role="statement"
# Explain in four to six sentences, without formulas if you can: what does the Linformer assume about tables of
# weights, how does it use this, and how much does it save? Which part of this is proved, which part is only
# observed, and for which tables does it fail?

# %% [markdown] exercise="why_low_rank" role="written"
# (your answer)

# %% [markdown] exercise="why_bigbird" role="statement"
# BigBird allows three kinds of links: a window, global tokens, and pairs drawn at random. Explain what each kind is
# for, how the number of links grows with $T$, and what the price is. Four to six sentences.

# %% [markdown] exercise="why_bigbird" role="written"
# (your answer)

# %% [markdown]
# **Next:** [10 Fine-tune an encoder](../10_fine_tune_an_encoder/10_fine_tune_an_encoder.ipynb).
