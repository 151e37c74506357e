# %% [markdown]
# # The Synthesizer and its relatives
#
# Nobody can predict a fair die. Here are two small language models that try. A row has nine throws of a die, and at each
# of the first eight the model predicts the next one. Each model is trained for a few seconds. Their code differs in one word.

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
    model = GPT(GPTConfig(7, 8, n_layer=1, n_head=1, d_model=32, variant=variant, linformer_rank=8, **no_dropout))
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
    print(f"{variant:9} predicts {100 * float(accuracy(model).mean()):.0f} % of new throws; guessing gives {100 / 6:.0f} %")

# %% [markdown]
# The first model is as good as possible. What the second one does is impossible, and yet it is no bug in the training. In
# Part 3 you find out how it does it, from one formula.
#
# Since 2017 the equation of attention has been changed in many ways: to make it cheaper, to make longer texts possible, or to see
# which of its parts are needed. This notebook asks one question about each of these relatives: **where do the attention weights come
# from, and at what cost?** After it you can
#
# 1. write a Synthesizer, and say in which sense it is attention,
# 2. name a task that one layer of it cannot do, and explain why,
# 3. put a layer of your own into a Transformer, prove that it is active, train it, and compare it with attention by paired tests,
# 4. say what each relative costs, and which of them remove the quadratic cost,
# 5. find out whether a layer uses the future, from its formula and by experiment.
#
# **You need** notebook 04 (heads, causal mask), the paired t-test of notebook 05 and finetuning from notebook 07. **Time**: two
# hours for Parts 1 to 3. Part 4 is optional and takes another 45 minutes. If nothing waits for you, the whole notebook runs in
# about a minute. All symbols are in the [table of symbols](../00_start_here/00_start_here.ipynb#Symbols). One is new: $L$ is the
# *block size*, the length of the longest row, so $T \le L$.

# %% [markdown]
# ---
# # Part 1. Where the weights come from
#
# ## Weights without keys
#
# **Question.** In attention, the logit $s_{ti} = q_t\cdot k_i$ compares position $t$ with position $i$: both tokens have a say. Is
# this comparison needed?
#
# **Idea.** The *dense Synthesizer* (Tay et al. 2020) leaves it out. Position $t$ looks at its own token only. From this token it
# computes one logit for each *place* of the row: place 0, place 1, and so on, whatever is there. Then everything continues as in
# attention: mask, softmax, average of the values.
#
# **A worked example.** A token has two components, and a row has at most three places. Two matrices make the logits: $A$, which is
# the identity here, and
#
# $$B = \begin{pmatrix}2 & 0 & 1\\ 0 & 3 & 0\end{pmatrix},$$
#
# with one column for each place. The token at position 2 is $x_2 = (1, -1)$.
#
# 1. *Hidden vector.* Multiply by $A$ and set negative components to 0: $\text{ReLU}(1, -1) = (1, 0)$.
# 2. *Logits.* Multiply by $B$: $(1, 0)\,B = (2, 0, 1)$.
# 3. *Weights.* The exponentials are $(7.39, 1, 2.72)$, which sum to $11.11$. So the weights are $(0.665, 0.090, 0.245)$.

# %%
B_small = torch.tensor([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0]])
for x_2 in ([1.0, -1.0], [-1.0, 1.0]):
    hidden = torch.relu(torch.tensor(x_2))
    print("token", x_2, " weights", [f"{weight:.3f}" for weight in torch.softmax(hidden @ B_small, dim=0)])

# %% [markdown]
# Another token at position 2 gives other weights: $(-1, 1)$ attends mostly to place 1.
#
# **Predict.** We replace the token at position 0 by another one. Which weights of position 2 change? And does its output change?
#
# <details><summary><b>Answer</b></summary>
#
# No weight changes, because $x_0$ does not occur in steps 1 to 3. The output does change, because it contains $0.665\,v_0$, and the
# value $v_0$ is computed from $x_0$. In attention, $x_0$ would change both.
#
# </details>
#
# **In general**, for a row $X$ of shape $(T, d)$:
#
# $$\text{output} = \text{softmax}\big(\text{ReLU}(X A + b_1)\, B + b_2\big)\,(X V)$$
#
# with $A$ and $V$ of shape $(d, d_k)$, $b_1$ of shape $(d_k,)$, $B$ of shape $(d_k, L)$ and $b_2$ of shape $(L,)$. A row of $T$
# positions uses the first $T$ columns of $B$ and of $b_2$. Logits of later positions are masked, as always.

# %% [markdown] exercise="synthesizer_attention" role="statement"
# Write one head. `x` has shape (N, T, d), `A` (d, d_k), `b1` (d_k,), `B` (d_k, L), `b2` (L,) and `V` (d, d_k), with T ≤ L. Return
# the output, shape (N, T, d_k). It is causal: position $t$ attends to positions $0, \dots, t$. Nothing is scaled, and there is no
# dropout. Use torch, so that gradients flow; keep the dtype and the device of `x`, and change no argument.


# %% exercise="synthesizer_attention" role="solution"
def synthesizer_attention(x, A, b1, B, b2, V):
    """One head of the dense Synthesizer: x (N, T, d) → (N, T, d_k). B (d_k, L) and b2 (L,) with T ≤ L; causal."""
    raise NotImplementedError("exercise synthesizer_attention: replace this line with your answer")


# %% exercise="synthesizer_attention" role="check"
check("synthesizer_attention", synthesizer_attention)

# %% [markdown]
# A row may fill the block, and then it needs the last column of $B$. (The starter code of the original assignment has one column
# less. That is enough there, because its rows are one position shorter than its block.) Your function handles both:

# %%
generator = torch.Generator().manual_seed(3)
x, A, b1, B, b2, V = (torch.randn(*shape, generator=generator) for shape in ((1, 6, 4), (4, 5), (5,), (5, 6), (6,), (4, 5)))
for T in (1, 3, 6):
    out = attempted(synthesizer_attention, x[:, :T], A, b1, B, b2, V)
    print(f"T = {T}, L = 6: output {tuple(out.shape)}") if out is not None else None

# %% [markdown]
# > **Takeaway.** In a dense Synthesizer, the weights of a position are a function of its own token. They say how much weight each
# > place gets, whatever is at that place.

# %% [markdown]
# ## It is still attention
#
# **Question.** The paper's title asks for a "rethinking" of self-attention: no keys, no dot products. Is it really something else?
#
# **Idea.** The logit of position $t$ for place $i$ is a sum of products, so it *is* a dot product. One of the two vectors belongs to
# $t$. The other one belongs to $i$ and is the same for every text.
#
# **A worked example.** Take the hidden vector $(1, 0)$ of the example above, and leave $b_2$ out. The logits are
#
# $$(1, 0)\cdot(2, 0) = 2,\qquad (1, 0)\cdot(0, 3) = 0,\qquad (1, 0)\cdot(1, 0) = 1.$$
#
# So the hidden vector is a query, and the keys are the *columns* of $B$: $k_0 = (2, 0)$, $k_1 = (0, 3)$, $k_2 = (1, 0)$. They do not
# depend on the text. The exercise does the same with $b_2$.

# %% [markdown] exercise="same_thing" role="statement"
# Given `x` (N, T, d), `A`, `b1`, `B` (d_k, L) and `b2` (L,), return `(query, key)`: `query` of shape (N, T, width) and `key` of shape
# (T, width), with any width that you like. The causal softmax of `query @ key.T`, *not* scaled, must give exactly the
# Synthesizer's weights. The key must be the same for every `x`.


# %% exercise="same_thing" role="solution"
def same_thing(x, A, b1, B, b2):
    """(query (N, T, width), key (T, width)) whose causal softmax of query @ key.T has the Synthesizer's weights."""
    raise NotImplementedError("exercise same_thing: replace this line with your answer")


# %% exercise="same_thing" role="check"
check("same_thing", same_thing)

# %% [markdown]
# So torch's own fused attention can run your Synthesizer, if it gets your query and key and a scale of 1. The next cell compares it
# with your first exercise, in float64.

# %%
double = [each.double() for each in (x, A, b1, B, b2, V)]
pair = attempted(same_thing, *double[:5])
mine = attempted(synthesizer_attention, *double)
if pair is not None and mine is not None:
    query, key = pair
    fused = F.scaled_dot_product_attention(query, key[None], double[0] @ double[5], is_causal=True, scale=1.0)
    print("the two agree to 12 digits:", bool((fused - mine).abs().max() <= 1e-12 * mine.abs().max()))

# %% [markdown]
# > **Takeaway.** Any table of logits that factors into queries times keys is attention. The Synthesizer is attention whose keys
# > no text can change.

# %% [markdown]
# ## The same pairs in another order
#
# **Question.** Does it matter that the keys are the same for every text?
#
# Here is a task that consists of nothing but looking up. A row has eight pairs, each of a key letter and a value. All eight letters
# and all eight values occur, in random order. Then one letter is asked for, and the answer is the value beside it.


# %%
def look_up_rows(rows, generator, n=8):
    keys = torch.rand(rows, n, generator=generator).argsort(dim=1)  # (rows, n), a permutation in each row
    values = torch.rand(rows, n, generator=generator).argsort(dim=1)
    asked = torch.randint(n, (rows,), generator=generator)
    answer = values.gather(1, (keys == asked[:, None]).int().argmax(dim=1, keepdim=True))[:, 0]
    return (keys, values, asked), answer


def as_text(keys, values, asked):
    """What is at each place of one row."""
    pairs = [f"{'abcdefgh'[k]}:{v}" for k, v in zip(keys.tolist(), values.tolist(), strict=True)]
    return [*pairs, f"{'abcdefgh'[int(asked)]}?"]


questions, answers = look_up_rows(3, torch.Generator().manual_seed(0))
for *row, answer in zip(*questions, answers, strict=True):
    print("  ".join(as_text(*row)), f" →  {int(answer)}")

# %% [markdown]
# Two models with *one* layer try it. In the first, the layer is attention. In the second, it is your Synthesizer, with as many
# channels. The token of a pair is the sum of a vector for its letter, a vector for its value and a vector for its place. There is no
# MLP: the output at the last position goes directly into a linear readout with eight logits, one for each answer.


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
        self.A, self.W_K, self.V = (new(d, d, scale=d**-0.5) for _ in range(3))  # W_K is used by attention only
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
        return self.layer(self.tokens(keys, values, asked), self.A, self.W_K, self.V)[:, -1] @ self.readout  # (rows, n)

    def weights(self, keys, values, asked):
        """The weights of the last position, (rows, n + 1). If the values are one-hot vectors, the output is the weights."""
        x = self.tokens(keys, values, asked)
        T, d = x.shape[1:]
        wide = torch.cat((x, torch.eye(T).expand(len(x), T, T)), dim=-1)  # (rows, T, d + T)
        A, W_K = (F.pad(each, (0, 0, 0, T)) for each in (self.A, self.W_K))  # the new channels change no logit
        V = F.pad(torch.eye(T), (0, 0, d, 0))  # (d + T, T): only the new channels are values
        return self.layer(wide, A, W_K, V)[:, -1]


# %% [markdown]
# **Predict.** What accuracy will each of them reach after 200 steps? A uniform guess is right in 1 of 8 rows, and its loss is
# $\ln 8$.


# %% tags=["nbval-ignore-output"]
def learn_to_look_up(kind, steps=200, every=10):
    torch.manual_seed(0)
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
# Attention learns the task: nearly all rows of a kind that it has never seen are right. The Synthesizer stays at about 1 of 8, and
# its loss stays at about $\ln 8$.
#
# </details>
#
# The next picture shows why. It has the same eight pairs and the same question in three orders. The red frame is around the pair
# that is asked for. Look at the weights of the last position in both models.

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
# In attention, the large weight follows the pair. In the Synthesizer, the three rows are equal to the last digit: its weights
# depend on the letter that is asked for and on the places, and these are the same in all three rows. It does not see that the pairs have moved.
#
# ### Is 1/8 the best accuracy?
#
# The loss stays at $\ln 8$, which is the loss of a uniform guess. But the *accuracy* of a Synthesizer can be higher than 1/8. Here
# are weights that we set by hand:
#
# - The last position attends to place 0 and to itself, with weight ½ each.
# - The readout gives $+1$ to the value at place 0, $-2$ to the answer with the number of the letter at place 0, and $+2$ to the
#   answer with the number of the letter that is asked for. (The letters a, b, …, h have the numbers 0, 1, …, 7.)
#
# **A worked example.** Suppose the row begins with c:5.
#
# - *c is asked for.* Answer 2 gets $-2 + 2 = 0$, because both letters are c. Answer 5 gets $+1$ and wins. It is right.
# - *f is asked for.* Answer 5 gets $+1$ for the value and $+2$ for the letter f: it wins. *a is asked for*: answer 0 gets $+2$ and
#   wins. In these cases the answer is the number of the letter, which is a pure guess.
#
# The first pair matches in 1 of 8 rows, and then the answer is right. In the other 7 of 8 rows it is a guess among eight. Together:
#
# $$\tfrac18 + \tfrac78\cdot\tfrac18 = \tfrac{15}{64} = 23.4\,\%.$$


# %%
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
        letters.data[:, :24] = torch.cat(parts, dim=1)  # 8 channels for keys, 8 for values, 8 for the letter asked for
    model.b2.data[1:8] = -1e4  # so the places 1 to 7 get no weight, and 0 and 8 the same
    model.V.data.copy_(torch.eye(32))
    model.readout.data[:24] = 2 * size * torch.cat((-2 * one, one, 2 * one))  # the factor 2 undoes the weight ½
    return model


@torch.no_grad()
def measure(model):
    questions, answers = look_up_rows(50_000, torch.Generator().manual_seed(5))
    logits = model(*questions)
    return float((logits.argmax(dim=1) == answers).double().mean()), float(F.cross_entropy(logits, answers))


for size in (1, 0.3, 0.1, 0.01):
    found = attempted(lambda size: measure(set_by_hand(size)), size)
    if found is not None:
        print(f"logits times {size:4}: accuracy {100 * found[0]:.1f} %, loss {found[1]:.4f};  ln 8 = {math.log(8):.4f}")

# %% [markdown]
# The accuracy is about 23.4 % (these are 50,000 random rows). The loss is *larger* than $\ln 8$. Smaller logits make it smaller, but
# it never gets below $\ln 8$. So a model that is trained on the loss does not find these weights. (We do not know whether other weights
# reach more than 15/64.)

# %% [markdown] exercise="cannot_look_up" role="statement"
# Answer in five to eight sentences.
#
# 1. What can the layer of attention do here that the dense Synthesizer cannot?
# 2. Why does the Synthesizer's loss stay at $\ln 8$, although 15/64 of the answers can be right?
# 3. Would longer training or a wider layer help? What would?

# %% [markdown] exercise="cannot_look_up" role="written"
# (your answer)

# %% [markdown]
# > **Takeaway.** To look something up, the weights must depend on what is looked through. Keys that are computed from the text
# > make this possible in a single layer.
#
# **A good place to stop.** In Part 2 your Synthesizer becomes a layer of a real Transformer.
# After a break, run all cells above first (less than half a minute).

# %% [markdown]
# ---
# # Part 2. Your Synthesizer in a Transformer
#
# ## Several heads
#
# **Question.** One layer without an MLP fails to look things up. What about a whole Transformer, with several heads, MLPs and two
# layers?
#
# Each head needs its own $A$, $b_1$ and $V$. As in notebook 04, the parameters of all heads are in one matrix: with $d_k = d/h$, head $j$
# has the columns $j\,d_k, \dots, (j+1)\,d_k - 1$. As in the original assignment, all heads share $B$ and $b_2$.
#
# **Example.** With $d = 6$ and $h = 2$ heads, $d_k = 3$. Head 0 uses `A[:, 0:3]`, `b1[0:3]` and `V[:, 0:3]`, head 1 uses
# `A[:, 3:6]`, `b1[3:6]` and `V[:, 3:6]`. Their outputs, (N, T, 3) each, are concatenated to (N, T, 6) and multiplied by $W_O$.

# %% [markdown] exercise="synthesizer_layer" role="statement"
# Write the layer. `x` has shape (N, T, d), `A` and `V` (d, d), `b1` (d,), `B` (d_k, L), `b2` (L,) and `W_O` (d, d). Return
# `heads @ W_O`, shape (N, T, d), where `heads` are the concatenated outputs of all heads. You may call your
# `synthesizer_attention`.


# %% exercise="synthesizer_layer" role="solution"
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    """Several heads of the dense Synthesizer: x (N, T, d) → (N, T, d). Head j has columns j·d_k … of A, b1 and V; causal."""
    raise NotImplementedError("exercise synthesizer_layer: replace this line with your answer")


# %% exercise="synthesizer_layer" role="check"
check("synthesizer_layer", synthesizer_layer)

# %% [markdown]
# ## Plug it in
#
# The course's `GPT` asks a registry for the attention of each block. `register_variant` adds yours to it. From then on,
# `GPTConfig(variant="mine")` builds a Transformer with your layer, and everything that works with a `GPT` works with it too.


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
# **Is it active?** Notebook 07 showed that a variant can be in the code and still not be used. So test it. We build one model with
# your layer and one with the course's own Synthesizer, give both the same weights, and compare their logits. For contrast we
# also compare your model with attention, again with the same weights wherever both have them.


# %%
def logits_with(variant, weights, tokens):
    """The logits of a small GPT of this variant that has these weights, as far as it has parameters of these names."""
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
    for name, parameter in GPT(GPTConfig(12, 16, n_layer=2, n_head=2, d_model=8, variant="mine")).named_parameters()
}
own = attempted(logits_with, "mine", weights, tokens)
if own is not None:
    for variant in ("synthesizer", "vanilla"):
        apart = float((logits_with(variant, weights, tokens) - own).abs().max() / own.abs().max())
        print(f"your layer and {variant:11}: {'the same logits' if apart < 1e-9 else 'different logits'}")

# %% [markdown]
# With the same weights, your model computes what the course's Synthesizer computes. So your layer is in the model, in every block,
# and it is right.
#
# ## Short stories
#
# First a short experiment: the street stories of notebook 05. A story says in what state the animal is, describes the traffic, may change the
# state, and ends with our running sentence. The model predicts the last word, the state that was mentioned last.

# %%
from kqa_core.experiments import STREET_STEPS, Row, street_text, train_street

street = street_text()
for story in street.changed[:2]:
    print(street.read(story), "\n")
print(f"{len(street.train):,} stories to train on, {len(street.short)} new ones to test on")

# %% [markdown]
# **Predict.** Both models have two layers. Guessing one of the eight states gives 1 of 8. Will your Synthesizer be close to a guess, close to attention, or in
# between?
#
# The next cell trains both models with three seeds each. Runs of one seed get the same stories in the same order. On a quiet machine it takes
# about half a minute.


# %% tags=["nbval-ignore-output"]
from kqa_core.show import live_runs

SEEDS = (0, 1, 2)
runs = {"attention": {}, "mine": {}}  # model → seed → which of the test stories are answered correctly


@torch.no_grad()
def right_answers(model, stories):
    return model(stories[:, :-1])[0][:, -1].argmax(dim=-1) == stories[:, -1]  # (number of stories,)


with live_runs(("attention", "mine"), STREET_STEPS, guess=8) as picture:
    for seed in SEEDS:
        for name, variant in (("attention", "vanilla"), ("mine", "mine")):
            row = Row(n_layer=2, variant=variant)
            model = attempted(train_street, street, row, seed, watch=picture.watch(name, seed))
            if model is not None:
                runs[name][seed] = right_answers(model, street.short)

for name, found in runs.items():
    print(f"{name:9} right answers of {len(street.short)}, by seed:", ", ".join(str(int(right.sum())) for right in found.values()))
