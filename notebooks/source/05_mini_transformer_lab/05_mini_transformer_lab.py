# %% [markdown]
# # Mini-Transformer lab
#
# A published run of this lab reports a small change with a large effect. The heads of a small language model
# are *re-weighted*: the output of each head is multiplied by its own matrix norm. These are the perplexities
# that were reported (lower is better; perplexity is explained below):

# %% role="setup"
import math
import random  # for your answers
import statistics  # for your answers

import numpy as np  # for your answers
import torch
import torch.nn.functional as F  # for your answers

from kqa_core.check import attempted, check, hint, progress, solution  # hint("…") gives hints
from kqa_core.stats import t_quantile  # for your answers

# %%
from kqa_core.experiments import PUBLISHED

plain, reweighted = PUBLISHED["learned"], PUBLISHED["norm-reweight"]
for where, value in plain.items():
    print(
        f"{where:16} plain {value:6.1f}   re-weighted {reweighted[where]:12,.1f}   ratio"
        f" {reweighted[where] / value:8,.2f}"
    )

# %% [markdown]
# The re-weighted model is a tenth better on the text that it was trained on, and a tenth better on text that
# it had never seen. But on one single sentence it is almost eight thousand times worse than the plain model.
# A model that chooses at random among two million words would do better. Chance alone does not explain this.
# Something is wrong with the re-weighted model, and in this notebook you find out what it is, by experiment.
#
# After this notebook you can
#
# 1. say what a perplexity means, and what the perplexity of a scrambled and of a long sentence shows,
# 2. give positions to a model in four ways, derive why rotary positions depend on distances only, and say
#    where they fail,
# 3. test with a paired t-test of your own whether two rows of a table differ,
# 4. write a probe that finds out whether any function reads the future, and repair a function that does,
# 5. plan, run, test and report an experiment of your own.
#
# **You need** notebook 04 (heads, causal mask, loss) and the standard deviation. **Time**: six to seven
# hours, in five parts: measuring (30 minutes), positions (150), heads (55),
# leaks (95), your own experiment (70). The computer needs about two minutes to run all cells. All symbols are
# in the [table of symbols](../00_start_here/00_start_here.ipynb#Symbols). `solution("perplexity")` shows a
# model answer with comments, once it is open (notebook 00 says when).
#
# **Core and optional** ([the map of paths](../00_start_here/00_start_here.ipynb#Paths-through-the-course)).
# The whole notebook is optional, and its parts can be read one by one. The core goes from notebook 04 to
# notebook 06.

# %% [markdown]
# ---
# # Part 1. Measuring a language model
#
# ## The lab
#
# The plain model has 3 layers, 3 heads and width $d=48$. Its tokens are words. The published run was trained
# on real English, ours on 2,700 lines about invented people. Words that occur fewer than five times are
# replaced by `<unk>`, so fewer than 700 different words are left. So a run takes seconds, and we can do what
# the published run did not: train every variant three times, with three random seeds. Because the text is
# simpler, our perplexities are much smaller. Compare rows with each other, not our numbers with the published
# ones.
#
# For training, all lines are joined and cut into rows of 32 words, at any place. One batch has 24 rows. We
# evaluate in two ways. For the columns *train* and *dev*, the text is cut into such rows and batches again.
# *Train* is a part of the training text. *Dev* (short for *development set*) is text that is not used for
# training. For the other columns, one text is read alone, with its own length. The original lab calls it a
# *sentence*. With us it is a whole line, which often has more than one sentence. There are three kinds:

# %%
from kqa_core.experiments import ROW_LENGTH, VARIANTS, lab_text

text = lab_text()
print(
    f"{len(text.vocabulary)} different words; {len(text.train):,} words to train on, {len(text.dev):,} in dev"
)
for name, sentences in (("normal", text.normal), ("scrambled", text.scrambled), ("long", text.long)):
    sentence = text.read(sentences[0])
    print(
        f"\n{name}: {len(sentences)} sentences of {statistics.fmean(map(len, sentences)):.0f} words on"
        " average, such as"
    )
    print(sentence if len(sentence) < 200 else sentence[:200] + " …")

# %% [markdown]
# The sign ⏎ stands between two lines, so every line begins with it. A *scrambled* sentence has the words of a
# normal one in random order; the original lab calls it the *weird* sentence. A *long* sentence has 96 words,
# three times as many as a training row. Look at its text: it consists of several lines, each about another
# person. This will matter.

# %% [markdown]
# ## Perplexity
#
# How good are the predictions of a language model? At each position, the model gives every word of the
# vocabulary a probability. A good model gives a large probability $p$ to the word that really comes next. Its
# *loss* at this position is $-\ln p$.
#
# The mean loss is hard to picture, so one reports $e^{\text{mean loss}}$, the **perplexity**. It has a simple
# meaning: *the model is as uncertain as somebody who guesses among that many equally likely words.*
#
# **Example.** Three words come, and the model gave them the probabilities $\frac12$, $\frac14$ and $\frac18$.
# The losses are $\ln 2$, $\ln 4 = 2\ln 2$ and $\ln 8 = 3\ln 2$. Their mean is $2\ln 2 = 1.386$, and
# $e^{2\ln 2} = 4$. So the perplexity is 4.
#
# **Predict.** Before you run the next cell: what is the perplexity if the third probability is not $\frac18$,
# but $\frac1{64}$?

# %%
for probabilities in ((1 / 2, 1 / 4, 1 / 8), (1 / 2, 1 / 4, 1 / 64)):
    losses = [-math.log(p) for p in probabilities]
    print(
        f"losses {', '.join(f'{loss:.3f}' for loss in losses)}   perplexity"
        f" {math.exp(statistics.fmean(losses)):.2f}"
    )

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# It doubles, to 8. The loss of the third word is now $6\ln 2$, so the mean is $3\ln 2$.
#
# </details>
#
# A single word with a tiny probability can raise the perplexity a lot, and there is no upper limit. A model
# that gives all $V$ words the same probability has the perplexity $V$. A model that is confident and wrong can
# have more.
#
# In general, for targets $y_1, \dots, y_n$ with probabilities $p(y_i)$:
#
# $$\text{perplexity} = \exp\Bigl(-\frac1n\sum_{i=1}^n \ln p(y_i)\Bigr).$$

# %% [markdown] exercise="perplexity" role="statement"
# `logits` has shape (B, T, V): at each position of each row of the batch, one logit for each of V words.
# `targets` has shape (B, T) and holds the words that came next, as numbers from 0 to V − 1. A target of 0 is
# padding and does not count; it may stand anywhere in a row. Return the perplexity: e to the mean loss over
# all targets of the batch that are not padding; there is at least one. The logits are any finite numbers in
# float32 or float64. Both tensors are contiguous: neither is a slice or a transposed view. If the probability
# of a target is too small for a float, an infinite perplexity or an error will do. A Python number or a torch
# number will do. Do not change the arguments.


# %% exercise="perplexity" role="solution"
def perplexity(logits, targets):
    """e to the mean loss over the targets that are not 0. logits (B, T, V), targets (B, T)."""
    raise NotImplementedError("exercise perplexity: replace this line with your answer")


# %% exercise="perplexity" role="check"
check("perplexity", perplexity)

# %% [markdown]
# Now measure a real model. **Predict.** What is the perplexity of a model that has not been trained at all?

# %% tags=["nbval-ignore-output"]
from kqa_core.experiments import lab_model, train_lab
from kqa_core.text import runs

folder = runs("05")  # finished trainings are kept here, and loaded when you run the cells again
torch.set_num_threads(1)  # a model this small is not faster with more threads
sentence = text.normal[0]
for name, model in (
    ("untrained", lab_model(len(text.vocabulary), VARIANTS["learned"], seed=0).eval()),
    ("60 batches", train_lab(text, VARIANTS["learned"], seed=0, steps=60, folder=folder)),
):
    with torch.no_grad():
        logits, _ = model(sentence[None, :-1])
    found = attempted(perplexity, logits, sentence[None, 1:])
    if found is not None:
        print(f"{name:10} perplexity {float(found):6.1f} of {len(text.vocabulary)} words")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# About the number of words. The logits of an untrained model are all close to 0, so all words get nearly the
# same probability. After 60 batches, the model is far better than guessing.
#
# </details>
#
# > **Takeaway.** Perplexity is $e^{\text{mean loss}}$. It is 1 for a perfect prediction, $V$ for a uniform
# > guess, and larger than $V$ for a model that is confident and wrong.

# %% [markdown]
# ## The table of the lab
#
# The original lab reports five columns: *train*, *dev*, and three kinds of sentences. Below is the plain
# model, published and ours. The row *learned* is our plain model, the row *none* is the same model without
# positions. Our numbers are means over three seeds, ± the standard deviation between the seeds. They were
# recorded with `kqa bench mini_transformer`, with 400 batches a run.

# %%
from kqa_core.experiments import recorded_lab

results = recorded_lab()
columns = ("train", "dev", "normal", "scrambled", "long")
print(" " * 9 + "".join(f"{where:>11}" for where in columns))
print("published" + "".join(f"{plain.get(where, '–'):>11}" for where in columns))
print(f"published, single sentence {plain['single sentence']}")
print("\nours:")
print(results.table(rows=("learned", "none"), columns=columns))

# %% [markdown]
# Three published numbers are known to us for the plain model: *train*, *dev*, and the single sentence of the
# opening. We do not know which kind of sentence it is, so it has a line of its own, and three columns are
# ours alone. The published numbers are much larger because real English has a larger vocabulary and is harder
# to predict.
#
# Our *scrambled* column is remarkable: more than 27,000, with a vocabulary of only 695 words. And it is
# almost as large for the model without positions. You explain both in the first exercise of Part 2, after a
# look at what such a model knows about order.

# %% [markdown]
# ---
# # Part 2. Positions
#
# ## The running sentence without positions
#
# "The **animal** didn't cross the **street** because it was tired." If the two nouns change places, the
# sentence means something else. Does attention notice? Its output at the last word is
# $\sum_i \alpha_{ti} v_i$: a sum over this word and all before. A sum does not depend on the order of its
# terms. The weights depend on the keys, and the keys on the words, not on their places. So a single attention
# layer without positions must give the same output for both sentences.
#
# **Predict.** What happens with two layers? With the rotary positions that you write below?

# %%
from kqa_core.experiments import Row, street_text

street = street_text()  # its vocabulary holds the running sentence; the text itself comes later
sentences = [
    "the animal didn't cross the street because it was",
    "the street didn't cross the animal because it was",
]
tokens = torch.tensor([[street.vocabulary.index(word) for word in each.split()] for each in sentences])
for name, row in (
    ("no positions, 1 layer", Row(positions="none", n_layer=1)),
    ("no positions, 2 layers", Row(positions="none", n_layer=2)),
    ("rotary positions, 1 layer", Row(positions="rotary", n_layer=1)),
):
    model = lab_model(len(street.vocabulary), row, seed=0).double().eval()
    with torch.no_grad():
        logits = model(tokens)[0][:, -1]  # what both sentences predict after "was"
    change = float((logits[0] - logits[1]).abs().max())
    print(f"{name:26} logits after 'was': {'the same' if change < 1e-12 else 'different'}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# With two layers, the outputs differ even without positions. With rotary positions, one layer is enough.
#
# </details>
#
# Why do two layers see the order? The reason is the causal mask. Position 1 sees two words, position 2 sees
# three. So after the first layer, the vector at a word already depends on which words came before it, and the
# second layer can use this. A deep causal model has some information about order without any position
# embedding. But it must first build this information from the mask, and we will see below what that costs.
#
# And what does a model with a *single* layer know? It does not know the order of the words before. But it
# knows which words they are, and it knows which word is the *current* one: the one that gives the query. In
# both sentences above, the current word is "was".
#
# > **Takeaway.** Attention alone sees a set of words. Order must come from the causal mask and depth, or from
# > positions that we add. An encoder, which has no causal mask, needs positions to see order at all.

# %% [markdown] exercise="what_scrambling_tells" role="statement"
# Go back to the last table of Part 1. From *normal* to *scrambled*, the perplexity of the row *learned* rises
# from 9.57 to 27,414, and that of the row *none*, without positions, from 9.27 to 21,672. Answer in four or
# five sentences.
#
# 1. What does the rise from *normal* to *scrambled* show that the model has learned?
# 2. What does it mean that the perplexity is larger than 695?
# 3. Why does the model without positions suffer about as much? (It has three layers and a causal mask.)


# %% [markdown] exercise="what_scrambling_tells" role="written"
# (your answer)

# %% [markdown]
# ## Sine–cosine positions
#
# How can we give a position to a model as a vector? Vaswani et al. (2017) add a fixed vector to each word,
# built from waves. Think of several clock hands. The first hand turns by 1 radian at each position, the
# second more slowly, and so on. The components of the vector are the sine and the cosine of the angle of each
# hand. Fast hands distinguish neighbours, slow hands distinguish near from far.
#
# **Example.** Let $d=4$, so there are two hands. Their speeds are $10000^{0}=1$ and $10000^{-2/4}=0.01$
# radians per position. At position 2 they are at the angles 2 and 0.02. So the vector is
# $(\sin 2, \cos 2, \sin 0.02, \cos 0.02) = (0.909, -0.416, 0.020, 1.000)$.

# %%
angles = torch.tensor([2 * 1.0, 2 * 0.01])
print(
    "position 2:", [f"{value:.3f}" for pair in zip(angles.sin(), angles.cos(), strict=True) for value in pair]
)

# %% [markdown]
# In general, at position $t$ (counted from 0), columns $2m$ and $2m+1$ hold
#
# $$\sin(t\,\omega_m),\quad \cos(t\,\omega_m),\qquad \omega_m = 10000^{-2m/d},\quad m = 0, \dots, d/2-1.$$

# %% [markdown] exercise="sinusoidal_positions" role="statement"
# Return the table of sine–cosine positions for $t = 0, \dots, T-1$ as a tensor of shape (T, d) in float32 or
# float64, where d is even: the sine in column $2m$, the cosine in column $2m+1$, with the speeds $\omega_m$
# of the formula above.


# %% exercise="sinusoidal_positions" role="solution"
def sinusoidal_positions(T, d):
    """Sines in the even columns, cosines in the odd ones: a float tensor (T, d)."""
    raise NotImplementedError("exercise sinusoidal_positions: replace this line with your answer")


# %% exercise="sinusoidal_positions" role="check"
check("sinusoidal_positions", sinusoidal_positions)

# %% [markdown]
# Your table as a picture. Each row is a position, each column one component of the vectors.

# %%
from kqa_core.show import show_position_waves

waves = attempted(sinusoidal_positions, 96, 48)
show_position_waves(waves) if isinstance(waves, torch.Tensor) else None

# %% [markdown]
# The columns on the left change at every position, those on the right hardly change at all.
#
# **Predict.** Take several pairs of rows of your table. In each pair, the two rows are the same distance
# apart. Does the dot product depend on where the pair is?

# %%
if isinstance(waves, torch.Tensor):
    for distance in (0, 1, 5, 20):
        products = [float(waves[t].double() @ waves[t + distance].double()) for t in (0, 10, 70)]
        print(f"distance {distance:2}: " + "  ".join(f"{each:6.2f}" for each in products))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# No, only the distance counts. For one hand, $\sin a\sin b+\cos a\cos b=\cos(a-b)$. So the dot product of
# rows $t$ and $i$ is $\sum_m\cos((t-i)\,\omega_m)$.
#
# </details>
#
# But in attention, the position vectors are not compared alone. They are added to words, projected by $W_Q$
# and $W_K$, and only then compared. So nothing guarantees that a logit depends on the distance. The next idea
# guarantees it.
#
# > **Takeaway.** Sine–cosine positions are a fixed table with a wave in each column. The dot product of two
# > rows depends on their distance only.

# %% [markdown]
# ## Rotary positions
#
# We want logits that depend on the words and on the *distance* of the two positions, and on nothing else.
# *Rotary positions* (RoPE, Su et al. 2021) do this without adding anything. They rotate the query at position
# $t$ and the key at position $i$, each by an angle proportional to its position. If both move by ten
# positions, both rotate by the same additional angle, and the angle between them stays the same.
#
# **Example in two dimensions.** Let the query and the key be $q=k=(1,0)$, and let the angle be 1 radian per
# position. The query at $t=2$ becomes $(\cos 2,\sin 2)$, the key at $i=1$ becomes $(\cos 1,\sin 1)$. Their
# dot product is $\cos 2\cos 1+\sin 2\sin 1=\cos(2-1)=0.540$. At $t=51$ and $i=50$ it is $\cos(51-50)$, the
# same number. At $t=3$ and $i=1$ it is $\cos 2=-0.416$.
#
# **Derivation.** Let $R(\varphi)$ be the matrix that rotates by the angle $\varphi$:
#
# $$R(\varphi)=\begin{pmatrix}\cos\varphi&-\sin\varphi\\ \sin\varphi&\cos\varphi\end{pmatrix}.$$
#
# Two facts about rotations are enough. Rotating back is transposing, $R(\varphi)^\top=R(-\varphi)$. Two
# rotations add their angles, $R(\varphi)R(\psi)=R(\varphi+\psi)$. So for any query $q$ at position $t$ and
# any key $k$ at position $i$, with $\omega$ radians per position,
#
# $$\bigl(R(t\omega)\,q\bigr)\cdot\bigl(R(i\omega)\,k\bigr)=q^\top R(t\omega)^\top R(i\omega)\,k
# =q^\top R\bigl((i-t)\,\omega\bigr)\,k.$$
#
# The positions $t$ and $i$ appear only in the difference $i-t$. This is the **relative property** of rotary
# positions. It holds for all $q$ and $k$, so also after $W_Q$ and $W_K$.
#
# In $d$ dimensions, the components are paired: components $2m$ and $2m+1$ are a point in a plane of their
# own. Each pair has its own speed, $\omega_m=\theta^{-2m/d}$ with $\theta=10000$. At position $t$ the pair
# $(a, b)$ is rotated by $\varphi=t\,\omega_m$:
#
# $$(a, b) \mapsto (a \cos\varphi - b \sin\varphi,\ a \sin\varphi + b \cos\varphi).$$
#
# The logit is a sum over the pairs, and each term depends on $i-t$ only. So the whole logit does.

# %% [markdown] exercise="rope" role="statement"
# Rotate `x` of shape (…, T, d), where d is even and there may be any leading axes. The position $t$ is the
# index along the last axis but one. Pair $m$ consists of components $2m$ and $2m+1$ and rotates by
# $t\cdot\theta^{-2m/d}$. Keep shape, dtype and device. Stay in torch, so that gradients flow, and do not
# change `x` itself.


# %% exercise="rope" role="solution"
def rope(x, theta=10000.0):
    """Rotary positions: x (…, T, d) → (…, T, d),
    pair (2m, 2m + 1) at position t rotated by t · theta^(−2m/d).
    """
    raise NotImplementedError("exercise rope: replace this line with your answer")


# %% exercise="rope" role="check"
check("rope", rope)

# %% [markdown]
# Test the relative property with your function. The same random query and key are put at several positions.
#
# **Predict.** Which of the three logits are equal?

# %%
generator = torch.Generator().manual_seed(3)
q_one, k_one = (torch.randn(1, 8, generator=generator, dtype=torch.float64).expand(60, 8) for _ in range(2))
turned = [attempted(rope, each) for each in (q_one, k_one)]
if turned[0] is not None and turned[1] is not None:
    for t, i in ((5, 2), (50, 47), (50, 20)):
        print(f"query at {t:2}, key at {i:2}: logit {float(turned[0][t] @ turned[1][i]):8.5f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The first two, because their distance is 3. The third pair has distance 30.
#
# </details>
#
# **Explore.** Each clock below is a pair of components. The curve is the logit of a query and a key that are
# equal. Move `distance`. Then choose the other sign of the exponent, a mistake that has been published. What
# does it change?

# %%
from kqa_core.show import rotary_slider

rotary_slider(distance=8)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# With the right sign, the curve falls quickly at first: it is 0.73 at distance 4. After that it goes up and
# down (0.62 at 9, 0.72 at 12, 0.37 at 28, 0.60 at 57), but stays clearly above 0, because the slow pairs have
# hardly turned. So if query and key are equal, near words have larger logits on the whole, but not at every
# step. With the wrong sign, all pairs but the first turn by more than one radian per position. After one step
# the curve is at 0.19, and from there it goes up and down around 0 without a pattern: near and far cannot be
# distinguished.
#
# </details>

# %% [markdown] exercise="rotary_attention" role="statement"
# Now use the rotation in attention. `q`, `k` and `v` have shape (N, n_head, T, d_head) and are already split
# into heads. Return causal attention with rotary positions ($\theta=10000$), of the same shape, dtype and
# device. Scale the logits by $1/\sqrt{d_\text{head}}$. Stay in torch, so that gradients flow, and do not
# change `q`, `k` and `v`. You may call your `rope`.


# %% exercise="rotary_attention" role="solution"
def rotary_attention(q, k, v):
    """Causal attention with rotary positions: q, k, v (N, n_head, T, d_head) → (N, n_head, T, d_head)."""
    raise NotImplementedError("exercise rotary_attention: replace this line with your answer")


# %% exercise="rotary_attention" role="check"
check("rotary_attention", rotary_attention)

# %% [markdown]
# ### Break it: the other sign
#
# Call your `rope` with $1/\theta$ in place of $\theta$. This is the exponent with the wrong sign. The first
# pair still rotates as before, lengths are kept, and logits still depend on the distance only. So a test of
# these properties does not find the mistake. What does?


# %% tags=["raises-exception"]
def other_sign(x, theta=10000.0):
    return rope(x, 1 / theta)


sample = torch.randn(5, 8, generator=generator, dtype=torch.float64)
broken = attempted(other_sign, sample)
if broken is not None:
    print("lengths stay:", torch.allclose(broken.norm(dim=-1), sample.norm(dim=-1)))
check("rope", other_sign, record=False)

# %% [markdown]
# A test of the values does. The check rotates one pair by hand and compares.
#
# > **Takeaway.** Rotary positions rotate queries and keys, not values. Because
# > $R(t\omega)^\top R(i\omega)=R((i-t)\omega)$, a logit depends on the two words and their distance. Most of
# > today's large language models use them.

# %% [markdown]
# ## Four kinds of positions
#
# The lab compares four ways to give positions to a model: *learned* (a trained vector per position, added to
# the word), *sinusoidal* (a fixed vector, added), *rotary*, and *none*. The picture shows how similar two
# positions are. For learned and sinusoidal positions, this is the cosine of the angle between their two
# vectors. Rotary positions have no vectors. There, it is the logit of an equal query and key at the two
# positions, as in the clocks above; it is 1 at distance 0. On the left are all pairs of positions, on the
# right one row of it. Choose *learned* and move `position` beyond 31: what do you see, and why?

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_positions, live_figure

learned_rows = train_lab(text, VARIANTS["learned"], seed=1, steps=60, folder=folder).position_embedding


def positions_figure(figure, kind, position):
    return draw_positions(figure, kind, position, learned_rows, ROW_LENGTH)


live_figure(
    positions_figure, width=10, height=3.6, kind=["sinusoidal", "rotary", "learned"], position=(0, 95, 1, 20)
)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The similarity is 0. Training rows have 32 words, so positions 32 to 95 never occur in training, and their
# vectors are still the zeros of the start. With sinusoidal and rotary positions, the similarity depends on
# the distance only.
#
# </details>
#
# Here are the recorded results, first as a table, then with one dot for each run. A line joins runs with the
# same seed.

# %%
from kqa_core.show import show_seed_dots

kinds = ("sinusoidal", "learned", "rotary", "none")
print(results.table(rows=kinds, columns=columns))
show_seed_dots({row: results.perplexities(row, "dev") for row in kinds}, label="perplexity on dev")

# %% [markdown]
# On *train* and *dev*, the four rows are within a few percent of each other. Are these differences real, or
# would three other seeds give another order? We need a test.

# %% [markdown]
# ## Is it a difference? The paired t-test
#
# Two runs with the same seed see the same batches in the same order. So they form a *pair*, and we compare
# within pairs: take the difference of each pair. If the two variants are equally good, these numbers scatter
# around 0.
#
# **Example.** The *dev* perplexities of rotary and learned positions, from the recorded runs.

# %%
rotary, learned = results.perplexities("rotary", "dev"), results.perplexities("learned", "dev")
gaps = [a - b for a, b in zip(rotary, learned, strict=True)]
print("seed   rotary   learned   difference")
for seed, gap in enumerate(gaps):
    print(f"{seed:4} {rotary[seed]:8.3f} {learned[seed]:9.3f} {gap:12.3f}")
mean, deviation = statistics.fmean(gaps), statistics.stdev(gaps)
error = deviation / math.sqrt(3)
print(
    f"mean difference {mean:.3f}, standard deviation {deviation:.4f}, standard error {error:.4f}, t"
    f" {mean / error:.1f}"
)

# %% [markdown]
# The mean difference is $-0.178$. Is it far from 0? Compare it with the distance that chance alone would
# give. The standard deviation says how much *one* difference varies: 0.0129. The mean of $n$ differences
# varies less, by a factor of $\sqrt n$. This is its **standard error**: $0.0129/\sqrt3=0.0074$. So the mean
# lies $0.178/0.0074\approx24$ standard errors from 0. The number of standard errors, with its sign, is called
# $t$. So $t$ here is the **test statistic**, not a position:
#
# $$t=\frac{\text{mean difference}}{\text{standard error}}\approx-24.$$
#
# ### How large is a large t?
#
# Let us see what chance can do. We make experiments in which there is no difference: draw three numbers from
# a normal distribution with mean 0, and compute their $t$. We do this 400,000 times, and then the same with 6
# and with 30 numbers.
#
# **Predict.** With three numbers, in how many of 100 such experiments is $|t|$ larger than 2?

# %%
generator = np.random.default_rng(0)
print("numbers   |t| > 2   95 % of all t lie between   t_quantile(0.975, n - 1)")
for n in (3, 6, 30):
    chance = generator.normal(size=(400_000, n))  # each row is one experiment
    t = chance.mean(axis=1) / (chance.std(axis=1, ddof=1) / math.sqrt(n))
    low, high = np.quantile(t, [0.025, 0.975])
    print(f"{n:7} {np.mean(abs(t) > 2):9.0%} {low:16.2f} and {high:.2f} {t_quantile(0.975, n - 1):18.2f}")
print(f"  1,000 {t_quantile(0.975, 999):51.2f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# In 18 of 100. With 30 numbers it is 5 of 100. With three numbers, it happens more often that all of them are
# close together by chance. Then the standard deviation is too small, and $t$ is large.
#
# </details>
#
# So a $t$ of 2 proves little if you have three runs. Where is the limit? Four terms are needed to read the
# table.
#
# - **Quantile.** The 0.975 quantile is the number that 97.5 % of all values are below. For three numbers it
#   is about 4.30. So in 2.5 of 100 experiments, chance makes a $t$ above 4.30.
# - **Two-sided.** Either of two variants may be the better one, so $t$ may also be far below 0. By symmetry,
#   chance makes a $t$ below $-4.30$ in 2.5 of 100 experiments. Both sides together are 5 of 100. So a
#   two-sided test *at the level of 5 %* takes the 0.975 quantile as its limit. (The 0.95 quantile would leave
#   5 % on each side, 10 % in all.)
# - **Degrees of freedom.** The differences of the example deviate from their mean by $-0.0135$, $+0.0122$ and
#   $+0.0013$. Deviations from a mean always add up to 0. If you know two of these three, you know the third.
#   So $n$ differences have $n-1$ degrees of freedom. This is why the variance divides by $n-1$, and why the
#   limit is `t_quantile(0.975, n - 1)`.
# - **95 % interval.** The mean plus and minus the limit times the standard error: here
#   $-0.178\pm4.30\cdot0.0074$, from $-0.210$ to $-0.146$. If you compute such an interval in 100 experiments,
#   it contains the true difference in about 95 of them. It excludes 0 exactly if $|t|$ is beyond the limit.
#
# The rule of the **paired t-test**: if $|t|$ is beyond the limit, report a difference; if not, say "not shown
# to differ". In the example, 24 is far beyond 4.30. The limit assumes that the differences are independent and
# normally distributed. Three differences are too few to check this.

# %%
from kqa_core.show import show_paired_test

show_paired_test(rotary, learned, names=("rotary", "learned"))

# %% [markdown]
# On the left, zero lies outside the 95 % interval of the mean difference. On the right is the curve of $t$ if
# only chance makes the differences: 2.5 % of its area lies on each side beyond ±4.30 (orange). Both pictures
# say the same.
#
# In general, for differences $g_0, \dots, g_{n-1}$ with mean $\bar g$ and standard deviation $\hat\sigma$:
#
# $$\hat\sigma^2=\frac1{n-1}\sum_i(g_i-\bar g)^2,\qquad t=\frac{\bar g}{\hat\sigma/\sqrt n},\qquad
# \text{a difference if } |t|>t_{0.975,\,n-1}.$$
#
# You may have met 1.96 as a limit. The last line of the table shows where it comes from: it holds for very
# many runs. For three runs, the limit is 4.30.

# %% [markdown] exercise="is_it_a_difference" role="statement"
# `first` and `second` are lists of n numbers (n ≥ 3): two rows of a table, one number per seed. The i-th
# numbers of both have the same seed. Return True if the means differ by a paired t-test, two-sided, at the
# level of 5 %; False if not. The limit must be right for every n. Two equal lists do not differ (an error
# will do, too); in all others the n differences are not all the same number. Do not change the lists.
#
# `t_quantile(probability, degrees)` gives the quantile of Student's t, for any probability:
# `t_quantile(0.975, 2)` is 4.303.


# %% exercise="is_it_a_difference" role="solution"
def is_it_a_difference(first, second):
    """Whether two lists of numbers, one per seed, differ by a paired t-test at 5 %: a bool."""
    raise NotImplementedError("exercise is_it_a_difference: replace this line with your answer")


# %% exercise="is_it_a_difference" role="check"
check("is_it_a_difference", is_it_a_difference)

# %% [markdown]
# Use your test on positions. Each row is compared with learned positions.
#
# **Predict.** Look at the dots above: which rows differ on *dev*?


# %%
def compare(rows, where=("train", "dev", "normal"), other="learned"):
    """Your test on recorded rows, each against `other`."""
    for row in rows:
        for column in where:
            mine, plain = results.perplexities(row, column), results.perplexities(other, column)
            verdict = attempted(is_it_a_difference, mine, plain)
            if verdict is None:
                return
            percent = 100 * (statistics.fmean(mine) / statistics.fmean(plain) - 1)
            print(
                f"{row:14} {column:7} {percent:+5.1f} %  "
                f" {'a difference' if verdict else 'not shown to differ'}"
            )


compare(("sinusoidal", "rotary", "none"))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Rotary positions and no positions. The differences of sinusoidal and learned positions are 0.28, 0.27 and
# 0.09: all have one sign, but they vary a lot. Their mean is 0.21 and its standard error 0.061, so $t=3.4$,
# and the limit is 4.30.
#
# </details>
#
# Rotary positions differ from learned ones in all three columns: better by 3.5, 2.1 and 7.8 %. The model
# without positions is worse on *dev* and better on *normal*, and both are differences. Why is the row
# *learned* worse on *normal*? Ten of the 60 sentences have more than 33 words, so they reach positions that
# never occur in training. There the learned vectors are still zero. So *normal* also measures what happens on
# longer texts, while *train* and *dev* do not. On these two, rotary positions are better by 2 to 4 %.
#
# Sinusoidal positions are *not shown to differ*, although their mean on *normal* is 5 % worse. This is not
# the same as "equal". Their runs vary so much that three seeds cannot decide. More seeds could.
#
# **Careful.** These are nine tests, and each gives a false alarm in 1 of 20 cases if there is no difference.
# So the chance of at least one false alarm is larger than 5 %. Do not rely on a narrow result that you found
# among many.
#
# **What if we ignore the pairs?** Welch's t-test compares two lists without pairs. The *p-value* of a test is
# the probability of a $|t|$ at least this large if there is no difference. So "a difference" at the level of
# 5 % is the same as $p<0.05$.

# %%
from kqa_core.stats import paired, welch

for row, column in (("none", "normal"), ("sinusoidal", "dev")):
    both = results.perplexities(row, column), results.perplexities("learned", column)
    print(f"{row:10} {column:7} paired p = {paired(*both):.3f}   Welch p = {welch(*both):.3f}")

# %% [markdown]
# The two tests can disagree. For the model without positions, Welch's test does not find the difference on
# *normal*: the runs of one variant differ so much from seed to seed that this variation hides it. The paired
# test removes what the two runs of a seed have in common, and finds it. For sinusoidal positions on *dev* it
# is the other way round: these pairs have little in common, and Welch's test, which counts six runs instead
# of three differences, has a smaller limit.
#
# So choose the test *before* you look at the results. Our runs are made in pairs, so we use the paired test.
#
# > **Takeaway.** Compare runs of the same seed. $t$ is the mean difference in units of its standard error.
# > With three runs, chance alone makes $|t|>4.30$ in 5 of 100 experiments. A small $|t|$ does not show
# > equality.

# %% [markdown]
# ## Statistics used in this course
#
# Each idea has one place in which it is derived or built. The other notebooks lead back to this table.
#
# | idea | what it says | where |
# |---|---|---|
# | standard error | how much a mean of $n$ numbers varies: their standard deviation over $\sqrt n$ | this notebook |
# | $p$-value | how often chance alone gives a result at least as extreme; below 0.05 one usually says that a difference is shown | this notebook |
# | paired t-test | compares two settings that were run with the same seeds: it tests the mean of the differences | this notebook |
# | Wilson's interval | the true accuracies that fit $k$ right answers of $n$; it also works if $k$ is 0 | notebook 07 |
# | McNemar's test | compares two models on the same questions: only those count that exactly one of the two answers correctly. Each is treated as the toss of a coin. | notebook 08 |
# | two models or two settings | McNemar's test compares two *trained models*. A statement about two *settings* needs several seeds, in pairs, and the paired t-test. | this notebook |
# | overlap of two intervals | does *not* show that there is no difference, least of all if the two are measured on the same questions or seeds. | notebook 08 |
# | many tests | of 20 tests without any difference, one falls below 0.05 by chance. So divide the limit by their number (Bonferroni). | notebook 08 |
# | calibration | of the answers with a confidence of 80 %, 80 % are right. | notebook 08, Part 4 |
# | permutation test | compares a result with what it becomes when the labels are shuffled | notebook 11 |
#
# Two terms of PyTorch also come before they are explained. **AdamW** is an optimizer: gradient descent in which
# each parameter has a step size of its own (built in notebook 10). A **hook** is a function of yours that
# PyTorch calls whenever a module runs; it may look at the module's inputs and outputs, or replace them
# (notebook 08, *Ablation*).

# %% [markdown]
# ## Longer than in training
#
# Look at the table again. On *long*, rotary positions have 9.35 and learned ones 23.6. It is tempting to
# conclude: rotary positions work for texts that are longer than those in training, because they only see
# distances. **This conclusion is wrong**, for two reasons. Let us check both.
#
# **Reason 1: many distances are new.** Position $t$ attends to the positions $i\le t$. In training, all
# distances $t-i$ are at most 31. In a row of 96 words, how many of the pairs are that close?

# %%
T = 96
pairs = [(t, i) for t in range(T) for i in range(t + 1)]
old = [t - i < ROW_LENGTH for t, i in pairs]
print(f"{len(pairs):,} pairs, {statistics.fmean(old):.0%} of them at a distance of at most {ROW_LENGTH - 1}")
print(f"at the last position: {ROW_LENGTH} of {T} pairs, {ROW_LENGTH / T:.0%}")
# the eight pairs of components of a head with 16 components
speeds = [10000 ** (-2 * m / 16) for m in range(8)]
print("angle at distance 31, in turns:", ", ".join(f"{31 * speed / (2 * math.pi):.3f}" for speed in speeds))

# %% [markdown]
# Only 55 % of the pairs have a distance that occurred in training, and at the last position only 33 %. Two of
# the eight pairs of components make a full turn within distance 31, so they have met angles all around the
# circle. The other six meet angles that are new to the model. Nothing in training says what a logit should be
# there.
#
# **Reason 2: the long sentences do not need the far words.** They consist of unrelated lines. Perhaps the
# words just before are enough. We can test this: cut the text to the last 8 words before each prediction, and
# compare.
#
# We train three rotary and three learned models, with 150 batches each, and read the first 12 long sentences.
# Only the words 32 to 95 of each sentence count: training rows have the positions 0 to 31, so only later ones
# are new. So expect other numbers than in the table, which has all sentences, all words and 400 batches.
#
# **Predict.** Do the predictions get worse if the model sees only the last 8 words?
#
# (You may skip the code of `beyond_training`: it cuts the sentences into windows and calls your
# `perplexity`.)

# %% tags=["nbval-ignore-output"]
trained = {
    row: [train_lab(text, VARIANTS[row], seed, steps=150, folder=folder) for seed in range(seeds)]
    for row, seeds in (("rotary", 3), ("learned", 3), ("norm-reweight", 1))  # the last one is for Part 4
}
long = torch.stack(text.long[:12])  # (12, 96): half of the sentences, to save time


@torch.no_grad()
def beyond_training(model, window=None):
    """Perplexity of words 32 to 95 of the long sentences,
    from all words before or from the last `window` only.
    """
    if window is None:
        rows = long
        # 0: does not count
        targets = torch.cat((torch.zeros_like(long[:, 1:ROW_LENGTH]), long[:, ROW_LENGTH:]), dim=1)
    else:
        rows = long.unfold(1, window + 1, 1)[:, ROW_LENGTH - window :].flatten(0, 1)  # one row for each word
        targets = torch.cat((torch.zeros_like(rows[:, 2:]), rows[:, -1:]), dim=1)
    return float(perplexity(model(rows[:, :-1])[0], targets))


for row in ("rotary", "learned"):
    if attempted(beyond_training, trained[row][0]) is None:
        break
    found = {
        window: [beyond_training(model, window) for model in trained[row]] for window in (None, 8, 16, 31)
    }
    for window, values in found.items():
        read = f"the last {window} words only" if window else "all words before"
        print(f"{row:8} {read:23} seed by seed: " + ", ".join(f"{value:.1f}" for value in values))
    verdict = attempted(
        is_it_a_difference, *([math.log(value) for value in found[window]] for window in (None, 8))
    )
    if verdict is not None:
        print(f"{row:8} all words or 8: {'a difference' if verdict else 'not shown to differ'}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# They get better, with both kinds of positions and with every seed. Your test calls it a difference.
#
# </details>
#
# All these models predict better from the last 8, 16 or 31 words than from everything. So the words that are
# further back than any in training are of no use on this text; they only disturb. The column *long* does not
# measure whether a model can use far words. It measures how much it is disturbed by them, and rotary
# positions are disturbed little.
#
# ## A text in which far words matter
#
# To learn more, we need a text whose words can only be predicted from far away. Here it is: **street
# stories**. A story says in what state an animal is, describes the traffic, may change the state once or
# twice, and ends with our running sentence.

# %%
from kqa_core.experiments import STREET_PLAIN, STREET_STEPS, answer_loss, measure_street, train_street

for story in street.changed[:2]:
    print(street.read(story), "\n")
print(f"{len(street.train)} stories to train on, of {street.train.shape[1]} words each")
print(f"short: {len(street.short)} new stories of {street.short.shape[1]} words")
print(f"changed: the {len(street.changed)} of them with several states")
print(f"long: {len(street.long)} new stories of {street.long.shape[1]} words")

# %% [markdown]
# Only the last word is a prediction target. It must be the state that was mentioned *last*. So the model has
# to find the states, which can be far back, and it has to know which of them is the latest.
#
# **Predict.** What is the best perplexity of a model that sees only the last 10 words?
#
# <details><summary><b>Answer</b></summary>
#
# Eight. The last nine words before the answer are "the animal didn't cross the street because it was" in
# every story, after a full stop. They say nothing about the state, and there are eight states.
#
# </details>
#
# So here a model *must* use far words to be better than a guess among the eight states.
#
# The recorded results: models with two layers, three seeds, 120 steps (`kqa bench street`).

# %%
street_results = recorded_lab(name="street")
print(street_results.table(rows=kinds, columns=("short", "changed", "long")))
for row, column in (("rotary", "short"), ("rotary", "long"), ("none", "changed"), ("none", "long")):
    mine, plain = street_results.losses[row][column], street_results.losses["learned"][column]
    seeds = ", ".join(f"{math.exp(a):.2f} ({math.exp(b):.2f})" for a, b in zip(mine, plain, strict=True))
    verdict = attempted(is_it_a_difference, mine, plain)
    if verdict is not None:
        print(f"{row} (learned), {column}: {seeds}   {'a difference' if verdict else 'not shown to differ'}")

# %% [markdown]
# The tests use losses and not perplexities. The perplexities of one row range from 210 to 559, so one seed
# would decide everything; their logarithms are comparable.
#
# - On *short* stories, rotary and learned positions both solve the task: perplexity 1.02.
# - On *long* stories, **rotary positions are the worst of all**: 328, far beyond 8. The models are
#   confidently wrong. Compared with learned positions, this is a difference.
# - Without positions, the model finds the states, but has trouble telling which one is the latest
#   (*changed*). With three seeds this is not shown to differ from learned positions, although every seed is
#   worse. On *long* stories it is the best of all. A likely reason: it has no unknown angles and no untrained
#   vectors that could disturb it.
#
# So rotary positions do not in general work on texts that are longer than those in training. On the invented
# people they seemed to, because only near words mattered there. Others found the same (Chen et al. 2023): a
# model with rotary positions usually fails beyond its training length unless something is done about it.
#
# <details><summary><b>Going deeper (optional): what is done about it</b></summary>
#
# - *ALiBi* (Press, Smith and Lewis 2022) has no rotation and no position vectors. It subtracts $a\,(t-i)$
#   from each logit, with a fixed slope $a$ per head. Far words get small weights at every length, so longer
#   texts do not disturb. The price: far words are hard to use.
# - *Position interpolation* (Chen et al. 2023) keeps rotary positions, but multiplies all positions by
#   (training length)/(new length). So no angle is larger than in training. Neighbours are then closer
#   together than in training, so the model needs a short further training.
# - *No positions* (Kazemnejad et al. 2023 compare many encodings): a causal model without positions can do
#   better on longer texts than with most encodings. Our *long* column is a small example.
#
# </details>
#
# > **Takeaway.** Rotary positions make logits depend on distance. This does not tell the model what to do at
# > distances it has never seen. To measure whether a model uses far words, you need a text in which far words
# > are needed.

# %% [markdown]
# **Your own class (optional).** In the last part of notebook 04 you can write the model as classes. Here your
# model trains on the street stories, once and with one seed. If you have not written the classes, the library's
# take their place, and a line says so. It takes about ten seconds.

# %% tags=["nbval-ignore-output"]
from kqa_core.exercise_helpers.kept_classes import kept_classes
from kqa_core.model import GPTConfig
from kqa_core.experiments import limited

MyAttention, MyBlock, MyGPT = kept_classes()


def my_block(config):
    return MyBlock(config, MyAttention)


def last_word_loss(model, stories):
    """The mean loss of the last word of stories (n, length), in nats."""
    return F.cross_entropy(model(stories[:, :-1])[:, -1], stories[:, -1])


def train_my_model(steps):
    torch.manual_seed(0)
    no_dropout = {"embedding_dropout": 0.0, "attention_dropout": 0.0, "residual_dropout": 0.0}
    longest = street.long.shape[1] - 1
    model = MyGPT(GPTConfig(len(street.vocabulary), longest, 2, 3, 48, **no_dropout), my_block)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(steps):
        rows = street.train[torch.randint(len(street.train), (48,))]
        loss = last_word_loss(model, rows)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 30 == 0:
            print(f"step {step:3}: perplexity {math.exp(float(loss.detach())):.1f}")
    return model.eval()


own = train_my_model(limited(STREET_STEPS))
with torch.no_grad():
    print(f"your model on short stories: perplexity {math.exp(float(last_word_loss(own, street.short))):.2f}")

# %% [markdown]
# It solves the task like the model of the lab, in the same number of steps: with the state that was mentioned
# last, the perplexity is close to 1.

# %% [markdown] exercise="sine_cosine_harm" role="statement"
# The published run reports that sine–cosine positions are harmful: the training perplexity rises from 401 to
# 525. It adds a hypothesis: because the waves continue beyond the length of the training rows, they should
# help on *long* texts. Answer in five or six sentences, with numbers from the tables of Part 2.
#
# 1. Do our results confirm the harm on *train*? Use your test, and compare the size of the effect.
# 2. Give one reason why the published model could suffer more. Here is a hint. The waves have values up to 1.
#    Word embeddings start with about 0.02 per component. Our model multiplies the word embeddings by
#    $\sqrt d$ before it adds the waves, so they start with about $0.02\cdot\sqrt{48}=0.14$. That is still
#    less than the waves, but seven times more. We do not know whether the published model does the same;
#    suppose it does not.
# 3. Do our results on *long* support the hypothesis? Look at the invented people and at the street stories.
#    The next cell calls your test on both. Which further experiment could decide it?
#
# When should you test losses and not perplexities? A perplexity is $e^\text{loss}$. If the perplexities of
# the seeds are within a few percent of each other, both tests nearly agree. If one seed has several times the
# perplexity of another, test the losses.

# %%
compare(("sinusoidal",), where=("train", "long"))
verdict = attempted(
    is_it_a_difference, *(street_results.losses[row]["long"] for row in ("sinusoidal", "learned"))
)
if verdict is not None:
    print(f"street stories, long: {'a difference' if verdict else 'not shown to differ'}")

# %% [markdown] exercise="sine_cosine_harm" role="written"
# (your answer)

# %% [markdown]
# ---
# # Part 3. Heads
#
# ## Moving heads
#
# After each head has computed its output, the outputs are concatenated and multiplied by $W_O$. The lab
# changes something between the two steps. Two of its ideas only move the heads to other places.
#
# **Example.** A shift makes (C, A, B) of the heads (A, B, C). A shuffle makes one of the six possible orders,
# drawn at random each time.

# %% [markdown] exercise="rearrange_heads" role="statement"
# `heads` has shape (B, n_head, T, d_head). Return a new tensor of the same shape with the heads in other
# places:
#
# - `how == "shift"`: each head moves to the place of the next one, and the last head to the first place.
# - `how == "shuffle"`: the heads are in a random order. The order is drawn anew at every call, is the same
#   for the whole batch, and all orders are equally likely. Draw from the global generator of torch, numpy or
#   Python, and do not seed it.


# %% exercise="rearrange_heads" role="solution"
def rearrange_heads(heads, how):
    """The heads (B, n_head, T, d_head) in other places; how is "shift" or "shuffle"."""
    raise NotImplementedError("exercise rearrange_heads: replace this line with your answer")


# %% exercise="rearrange_heads" role="check"
check("rearrange_heads", rearrange_heads)

# %%
heads = torch.arange(3.0)[None, :, None, None].expand(1, 3, 2, 2)  # head h is filled with the number h
moved = attempted(rearrange_heads, heads, "shift")
if moved is not None:
    print("after a shift, places 0, 1, 2 hold heads", *(f"{head:.0f}" for head in moved[0, :, 0, 0]))
    orders = {tuple(rearrange_heads(heads, "shuffle")[0, :, 0, 0].tolist()) for _ in range(200)}
    print(f"in 200 shuffles they were in {len(orders)} different orders")

# %% [markdown]
# ## The running sentence with heads rearranged
#
# Train a plain model on the street stories, with the heads where they are. Then take one story and change the
# *trained* model in three ways: shift its heads, shuffle its heads, set its position vectors to zero.
#
# **Predict.** After which of the three changes does the model still solve the task?
#
# (You may skip the code. It puts your `rearrange_heads` in front of $W_O$, measures, and restores the model.
# A shuffle is random, so its numbers are means of 20 draws.)

# %% tags=["nbval-ignore-output"]
street_model = train_street(street, STREET_PLAIN, seed=0, folder=folder)
story = next(each for each in street.changed if street.vocabulary[each[-1]] == "tired")
print(street.read(story))


def move_heads(how):
    """A hook on W_O: the heads are rearranged before they are multiplied by it."""
    return lambda _, given: (
        rearrange_heads(given[0].unflatten(2, (3, 16)).transpose(1, 2), how).transpose(1, 2).flatten(2)
    )


@torch.no_grad()
def after_change(how):
    """The probability of the right word in this story, and the perplexity on the short stories."""
    positions = street_model.position_embedding.clone()
    moved = how in ("shift", "shuffle")
    hooks = [
        b.attention.projection.register_forward_pre_hook(move_heads(how))
        for b in street_model.blocks
        if moved
    ]
    if how == "positions removed":
        street_model.position_embedding.zero_()
    draws = range(20 if how == "shuffle" else 1)
    try:
        p = statistics.fmean(
            float(street_model(story[None, :-1])[0][0, -1].softmax(-1)[story[-1]]) for _ in draws
        )
        return p, math.exp(statistics.fmean(answer_loss(street_model, street.short) for _ in draws))
    finally:  # leave the model as it was
        street_model.position_embedding.copy_(positions)
        for hook in hooks:
            hook.remove()


torch.manual_seed(0)
for how in ("as trained", "shift", "shuffle", "positions removed"):
    if (found := attempted(after_change, how)) is not None:
        print(f"{how:18} p('tired') {found[0]:.3f}   perplexity {found[1]:.2f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# None of them: after each change, the perplexity on the 200 short stories is near 8, the perplexity of a
# guess, or far above it. On this one story, the shuffled model still gives "tired" much of the probability.
# This is a mean of 20 draws. In each layer, one order in six moves nothing, and some of the others do little
# harm to this story. On all stories the harm is clear.
#
# </details>
#
# So in a trained model you cannot move the heads: the rows of $W_O$ that belong to one head expect the output
# of this head. And this model does not work without the position vectors that it was trained with.
#
# Training *with* the change is a different matter, because the model can adapt:
#
# - **Shift.** The same change in every step. If $W_O$ has its blocks shifted too, the result is exactly the
#   plain model. So both can learn the same functions, and a shift cannot help or harm in principle.
# - **Shuffle.** A new order in every step. $W_O$ cannot know which head comes where, so it must treat all
#   heads alike. This is a *regulariser*, like dropout: it makes training harder, and it could help on new
#   text or harm. In evaluation, the heads of this model are not shuffled (dropout is off then, too).

# %%
heads, W_O = torch.randn(1, 3, 9, 16, dtype=torch.float64), torch.randn(48, 48, dtype=torch.float64)
shifted = attempted(rearrange_heads, heads, "shift")
if shifted is not None:
    W_shifted = W_O.roll(16, dims=0)  # the rows of W_O that belong to a head move with it
    outputs = [each.transpose(1, 2).flatten(2) for each in (heads, shifted)]  # merged: (1, 9, 48)
    same = torch.allclose(outputs[1] @ W_shifted, outputs[0] @ W_O)
    print("shifted heads, W_O with shifted blocks: the same output", same)
print(results.table(rows=("learned", "shuffle", "shift"), columns=columns))
print()
compare(("shuffle", "shift"))
print()
print(street_results.table(rows=("learned", "shuffle", "shift"), columns=("short", "changed", "long")))
for column in ("short", "long"):
    mine, other = street_results.losses["shuffle"][column], street_results.losses["learned"][column]
    verdict = attempted(is_it_a_difference, mine, other)
    if verdict is not None:
        seeds = ", ".join(f"{math.exp(loss):.2f}" for loss in mine)
        print(f"shuffle, {column}: {seeds}   {'a difference' if verdict else 'not shown to differ'}")

# %% [markdown]
# As expected, the shift is not shown to differ anywhere. The shuffle costs 2.9 % on *train* and 1.1 % on
# *dev*, and both are differences. So here the regulariser does a little harm. On the street stories the
# results point both ways. On *short*, the mean perplexity of the shuffle is 3.05 against 1.02, but this is
# not shown to differ, because its seeds are far apart. On *long* the shuffle is better, 12.1 against 29.9,
# and this is a difference.
#
# > **Takeaway.** To change a trained model and to train a changed model are two different experiments. They
# > answer two different questions.

# %% [markdown] exercise="do_heads_specialise" role="statement"
# The authors of the published run saw that shuffling the heads during training hardly changes the perplexity.
# They concluded that the heads have no "expertise", that is, no head has a job of its own. Explain in four or
# five sentences why the conclusion does not follow. Use both experiments above: the heads moved *after*
# training, and *during* training. What does each of them show about the plain model? And which result would
# really show that heads have no expertise?

# %% [markdown] exercise="do_heads_specialise" role="written"
# (your answer)

# %% [markdown]
# ## Re-weighting heads
#
# The third idea is the one of the published run: strong heads should count more. The strength of a head is
# its *matrix norm* (Frobenius norm): the square root of the sum of the squares of all its entries, over all
# positions and components. Each head is multiplied by its norm and divided by the mean norm of the heads
# $O_0, \dots, O_{h-1}$ of the same row of the batch:
#
# $$O_j \;\leftarrow\; O_j \cdot \frac{\lVert O_j \rVert_F}{\frac1h \sum_g \lVert O_g \rVert_F}.$$
#
# **Example.** Three heads have the norms 1, 2 and 3. The mean is 2. So they are multiplied by ½, 1 and 1½,
# and have the norms ½, 2 and 4½ afterwards.

# %% [markdown] exercise="reweight_heads" role="statement"
# `heads` has shape (B, n_head, T, d_head). Multiply each head of each row of the batch by its Frobenius norm,
# over its T × d_head entries. Divide it by the mean norm of all heads of the same row. Keep shape and dtype.
# Gradients must flow through everything. Do not change `heads` itself.


# %% exercise="reweight_heads" role="solution"
def reweight_heads(heads):
    """Each head times its matrix norm over the mean norm: (B, n_head, T, d_head), the same shape."""
    raise NotImplementedError("exercise reweight_heads: replace this line with your answer")


# %% exercise="reweight_heads" role="check"
check("reweight_heads", reweight_heads)

# %%
torch.manual_seed(5)
one = torch.randn(1, 1, 8, 4)
heads = torch.cat([size * one / one.norm() for size in (1.0, 2.0, 3.0)], dim=1)
stronger = attempted(reweight_heads, heads)
if stronger is not None:
    before, after = ([f"{float(head.norm()):.1f}" for head in each[0]] for each in (heads, stronger))
    print("norms before", ", ".join(before))
    print("norms after ", ", ".join(after))
print(results.table(rows=("learned", "norm-reweight"), columns=columns))
print()
compare(("norm-reweight",))
print()
for row, column in (("shuffle", "dev"), ("norm-reweight", "normal")):
    both = results.perplexities(row, column), results.perplexities("learned", column)
    print(f"{row:14} {column:7} paired p = {paired(*both):.3f}   Welch p = {welch(*both):.3f}")

# %% [markdown]
# Re-weighting is better by 3.9 % on *train*, 4.0 % on *dev* and 2.1 % on *normal*, and all three are
# differences. The published run reports 10 % and 9 %. So half of the puzzle has come back: the gain is real.
#
# Two of the differences of Part 3 are found because of the pairs: the shuffle on *dev* and the re-weighting
# on *normal*. Welch's test, which ignores the pairs, would miss both.
#
# But nothing collapses here: *normal* is as good as with the plain model, or better. And a real difference
# need not be a good one. The test says that something has changed. It does not say what.
#
# > **Takeaway.** A test separates a difference from chance. It does not explain the difference. For an
# > explanation you need an experiment that changes one possible cause at a time.

# %% [markdown]
# ---
# # Part 4. Too good to be true
#
# ## A probe for leaks
#
# A language model must not see the word it has to predict. In attention, the causal mask takes care of that.
# But attention is not the only part of a model. So do not trust a mask: test the whole function. If you
# change later inputs and an earlier output changes, the function reads the future, in whatever way it does
# so. We call this a **leak**.
#
# **Example.** A function of four numbers: the output at each position is the mean of all inputs up to this
# position. For $(1, 3, 5, 7)$ it returns $(1, 2, 3, 4)$. Change the last input to 100: the outputs 0 to 2
# stay, so nothing leaks there. Now divide all outputs by the largest input: $(1, 2, 3, 4)/7$. Change the last
# input to 100, and output 0 changes from $1/7$ to $1/100$. The mean was causal; the division leaks.

# %% [markdown] exercise="find_the_leak" role="statement"
# `forward` is any function from a float64 tensor (B, T, d) to one of the same shape. It gives the same output
# for the same input. `x` is an input for it. Return True if any output at any position $t$ depends on any
# input at a later position, in any row of the batch; False if not. The function may also depend on B and T, so
# call it only with tensors of the shape of `x`. After the call, `x` must be what it was.
#
# In the check and in grading, some functions leak at one position, in one row or in one component only. Some
# leak through a mean or a norm. Some depend only on the sign of a later input. Some leak from one row of the
# batch to another, and some by only one part in a million. Functions without a leak keep their earlier outputs
# to the last bit. The inputs of other rows at the same or an earlier position are not the future.


# %% exercise="find_the_leak" role="solution"
def find_the_leak(forward, x):
    """Whether some output of forward at position t depends on an input at a later one: a bool.
    x (B, T, d) in float64.
    """
    raise NotImplementedError("exercise find_the_leak: replace this line with your answer")


# %% exercise="find_the_leak" role="check"
check("find_the_leak", find_the_leak)

# %% [markdown]
# Now apply it to the models of this notebook, untrained, in float64. The probe gets all blocks of a model,
# one after the other: attention, LayerNorms and MLPs. Only the embeddings and the last LayerNorm and linear
# layer are not in it. They treat each position by itself, so they cannot leak.
#
# **Predict.** Which of the models leak? All have the same causal mask.

# %%
x = torch.randn(2, 8, 48, dtype=torch.float64)


def probe(name, row):
    """Your probe on all blocks of the untrained model of a row."""
    blocks = torch.nn.Sequential(*lab_model(100, row, seed=0).double().eval().blocks)
    verdict = attempted(find_the_leak, blocks, x)
    if verdict is not None:
        print(f"{name:20} {'reads the future' if verdict else 'no leak'}")


for name in ("learned", "sinusoidal", "rotary", "none", "shuffle", "shift", "norm-reweight"):
    probe(name, VARIANTS[name])

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Only the re-weighted one. Its mask is right. But the norm is taken over the whole row, so every position
# contributes to it, and every position is multiplied by it. So the output at position 0 depends on the last
# word.
#
# </details>
#
# How much comes through? Below, each word of a sentence is replaced by other words, and the picture shows at
# which positions the prediction changes. A model should only depend on words on and below the diagonal. The
# models were trained for 150 batches above.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import batch_curves, influence_maps, influences

influence_maps(
    {row: trained[row][0] for row in ("learned", "norm-reweight")}, text.normal[0], text.vocabulary
)

# %% tags=["nbval-ignore-output"]
# (T, T), the picture on the right
moved = influences(trained["norm-reweight"][0], text.normal[0], len(text.vocabulary))
later = torch.ones_like(moved, dtype=torch.bool).triu(1)  # True where the word that is replaced comes later
print(
    f"median influence: of the past {moved[later.T].median():.4f}, of the future {moved[later].median():.4f}"
)

# %% [markdown]
# The colours are logarithmic. The influence of the future is mostly a few per cent of that of the past. But
# it reaches every position, and training can make use of it.
#
# ### Break it
#
# A probe can be fooled. If dropout is on while you ask, the output changes from call to call, even if the
# input stays the same. The check notices.


# %% tags=["raises-exception"]
def with_dropout_on(forward, x):
    return find_the_leak(lambda x: torch.nn.functional.dropout(forward(x), 0.1), x)


check("find_the_leak", with_dropout_on, record=False)

# %% [markdown]
# > **Takeaway.** A model is causal if changed later inputs leave earlier outputs unchanged. Test the whole
# > model. Everything that mixes positions can leak: norms, means, batch statistics, pooling.

# %% [markdown]
# ## The repair
#
# The idea of re-weighting does not need the future. At position $t$, we can use the norms of what is known at
# position $t$.
#
# **Example.** A head has one component and two positions, with the values 3 and 4. Its norm over the row is
# $\sqrt{9+16}=5$, and the leaky formula uses 5 at both positions. Position 0 knows only the 3. So the causal
# norms are $\sqrt9=3$ at position 0 and $\sqrt{9+16}=5$ at position 1.

# %% [markdown] exercise="mend_the_leak" role="statement"
# Write the re-weighting again, without the leak. At position $t$, the norm of each head is taken over
# positions $0, \dots, t$ of the row, and the mean is the mean of these norms over the heads. At the last
# position, the result is the same as that of `reweight_heads`. `heads` is (B, n_head, T, d_head) again,
# with T up to 900. As before, keep shape and dtype, gradients must flow through everything, and `heads` must
# not change.


# %% exercise="mend_the_leak" role="solution"
def mend_the_leak(heads):
    """As reweight_heads, but at position t the norms are over positions ≤ t only."""
    raise NotImplementedError("exercise mend_the_leak: replace this line with your answer")


# %% exercise="mend_the_leak" role="check"
check("mend_the_leak", mend_the_leak)

# %% [markdown]
# Test both functions with your own probe. They take (B, n_head, T, d_head), so the heads are split before and
# merged after.


# %%
def on_rows(function):
    def forward(x):
        heads = x.unflatten(2, (3, 16)).transpose(1, 2)  # (B, T, d) → (B, n_head, T, d_head)
        return function(heads).transpose(1, 2).flatten(2)

    return forward


for function in (reweight_heads, mend_the_leak):
    verdict = attempted(find_the_leak, on_rows(function), x)
    if verdict is not None:
        print(f"{function.__name__:15} {'reads the future' if verdict else 'no leak'}")

# %% [markdown]
# ## The puzzle
#
# Two things need an explanation: why the re-weighted model is better on whole texts, and why it collapses on
# a single sentence. The table has two more rows now.
#
# - `norm-reweight-causal` is the repair.
# - `raw-norm` is re-weighting as one easily writes it by mistake. Each head is multiplied by `head.norm()`,
#   which is the norm of the whole tensor, with all rows of the batch, and nothing is divided.
#
# There is also one more column. *Word by word* are the normal sentences again. But each word is predicted
# from the words before it, without the rest of the sentence in the input. This is the situation when a model
# writes text.

# %%
suspects = ("learned", "norm-reweight", "norm-reweight-causal", "raw-norm")
print(results.table(rows=suspects, columns=("train", "dev", "normal", "word by word", "long")))
print()
print("perplexity over that of the plain model, mean of the three seeds:")
for row in suspects[1:]:
    ratios = [(results.ratio(row, "learned", where)[0], where) for where in ("train", "dev", "word by word")]
    print(f"{row:22}" + "   ".join(f"{where} {ratio:.2f}" for ratio, where in ratios))
print()
for name in suspects:
    probe(name, VARIANTS[name])
print()
collapse = zip(
    results.perplexities("raw-norm", "normal"), results.perplexities("raw-norm", "dev"), strict=True
)
print(
    "raw-norm, normal over its own dev, seed by seed:",
    ", ".join(f"{normal / dev:.1f}" for normal, dev in collapse),
)
published = PUBLISHED["norm-reweight"]["single sentence"] / PUBLISHED["learned"]["single sentence"]
against = zip(
    results.perplexities("raw-norm", "normal"), results.perplexities("learned", "normal"), strict=True
)
print(
    "raw-norm over learned, both on normal, seed by seed:",
    ", ".join(f"{mine / other:.1f}" for mine, other in against),
)
print(f"published, re-weighted over plain, single sentence: {published:,.0f}")

# %% [markdown]
# Read the table line by line.
#
# - The repair is as good as the plain model. So the gain did not come from weighting heads. It came from the
#   future.
# - `norm-reweight` gains on *train*, *dev* and *normal*. The *dev* column tests new text, but the leak works
#   on new text as well. Word by word, when the future is not there, the gain is gone.
# - But the leak does not make a sentence collapse. If a single sentence is read whole, its own future leaks
#   as in any other row.
# - `raw-norm` does collapse: *normal* is 13, 30 and 6.5 times its own *dev*, although both are lines about
#   people it has never met.
# - `raw-norm` reads the future as well, but it gains nothing: on *train* it is 28 % worse than the plain
#   model. Its norm is a sum over all 24 rows of a batch, so it says little about the future of one row. Why
#   it is worse than the plain model is not tested here.
#
# What is special about a single sentence? It is usually shorter than a training row, and it is alone in its
# batch. So let us read the same *dev* rows, all 32 words long, and change nothing but how many of them are
# read at once.
#
# **Predict.** Which of the three curves depends on the batch size?

# %% tags=["nbval-ignore-output"]
batch_curves(results)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Only `raw-norm`. Two curves are flat: in these models, the rows of a batch do not affect each other. The
# third is lowest at the batch size of the training.
#
# </details>
#
# A norm over 24 rows is about $\sqrt{24}\approx5$ times the norm of one row. So a model that was trained with
# heads multiplied by such norms gets numbers five times smaller when it reads one row alone. The collapse
# does not come from a leak of the future, but from a statistic of the batch. (Batch normalisation has the
# same problem. This is why it uses running averages in evaluation.) Word by word, the perplexity is even
# higher, on average 540 against 173: the first words of a sentence are read alone, and the norm over a few
# words is smaller still.
#
# So the puzzle has two answers, and each has its experiment. The better perplexity comes from the future: the
# repair and the word-by-word column show it. The collapse on a single sentence comes from the batch: it
# depends on the batch size.
#
# Does this reproduce the published run? In kind, but not in size. Against the plain model on the same
# sentences, our collapse is eightfold to 33-fold, the published one almost eight-thousandfold. And our
# `raw-norm`, unlike the published model, is not better than the plain one in training. We do not know how
# that run computed its norm. We have shown what can cause each of the two effects. We have not shown that one
# model had both.
#
# > **Takeaway.** Two effects can need two explanations. Each explanation needs an experiment that changes its
# > cause and nothing else.

# %% [markdown] exercise="why_the_leak_looks_better" role="statement"
# Answer in five or six sentences. What does position $t$ learn about the future through the norm, and why
# does training make use of it? Why does the *dev* column not reveal the leak, and which column does? Is it
# the leak that makes a single sentence collapse? Name the experiment that decides it.

# %% [markdown] exercise="why_the_leak_looks_better" role="written"
# (your answer)

# %% [markdown]
# ---
# # Part 5. Your own experiment
#
# You have a text in which far words matter, a test, and a probe. Now ask a question of your own and answer
# it.
#
# **The rules of a fair comparison.** Change *one* thing against the plain model. Write down what you expect
# before you run it. Run both variants from the same three seeds. Test on the losses. Report the result that
# you get, also if it is "not shown to differ".
#
# The plain model of the street stories has 2 layers, 3 heads of 16 components and learned positions. You can
# change
#
# - `n_head`: 1, 2, 4, 6 or 8 heads with 48 components together; `n_layer`: 1, 3 or 4 layers,
# - `positions`: "sinusoidal", "rotary" or "none" (each alone is already measured, in Part 2),
# - `fusion`, which is what happens to the heads before $W_O$ (Parts 3 and 4): "norm-reweight",
#   "norm-reweight-causal", or "shuffle" and "shift" (each alone is already measured, in Part 3),
# - or one of these in *both* models and a second one in yours only, to ask whether the second still matters
#   if the first is given. For example, do rotary positions help a model with one layer? Then set `n_layer=1`
#   in both rows, and `positions="rotary"` in yours.
#
# Good questions have an answer that you cannot read from the tables above. For example: Does a leak help when
# the answer is in the past? Does one head suffice to find the latest state? Does a third layer help on longer
# stories?

# %% [markdown] exercise="my_prediction" role="statement"
# Before you run anything, write three to five sentences. Which one thing do you change, and why does the
# answer interest you (motivation)? What do you predict for *short*, *changed* and *long*, and for which
# reason? Which result would show that you are wrong?

# %% [markdown] exercise="my_prediction" role="written"
# (your answer)

# %% [markdown]
# Enter your variant in the next cell. Six heads are only an example.

# %%
from dataclasses import replace

plain_row = STREET_PLAIN
my_row = replace(plain_row, n_head=6)  # change one thing: this is your variant
SEEDS = (0, 1, 2)
losses = {"plain": {}, "mine": {}}  # variant → seed → losses; run this cell again to start from the beginning

# %% [markdown]
# The next cell trains six models, plain and yours by turns, and draws their curves while they train. It takes
# about half a minute on a quiet machine, two minutes on a slow one. It waits for your prediction above. If you
# interrupt it and run it again, the finished runs are loaded from the folder `runs`, also after a restart, and the
# interrupted one starts again.

# %% tags=["nbval-ignore-output"]
from kqa_core.check import predicted
from kqa_core.show import live_runs

if predicted("my_prediction"):
    with live_runs(("plain", "mine"), STREET_STEPS, guess=8) as picture:
        for seed in SEEDS:
            for name, row in (("plain", plain_row), ("mine", my_row)):
                if seed not in losses[name]:
                    watch = picture.watch(name, seed)
                    model = train_street(street, row, seed, watch=watch, folder=folder)
                    losses[name][seed] = measure_street(model, street)

# %% [markdown]
# The curves first fall to 8: the model guesses among the eight states. Then they fall towards 1: it finds the
# state in the story. Between the two, around steps 14 to 30, some curves jump far up for a few steps: the
# learning rate is large there, and a single step can go wrong. Now the result, with your own test.

# %% tags=["nbval-ignore-output"]
trained_all = len(losses["plain"]) == len(losses["mine"]) == len(SEEDS)
if not trained_all:
    print("(this cell shows something once the six models are trained)")
for what in ("short", "changed", "long") if trained_all else ():
    mine, plain = ([losses[name][seed][what] for seed in SEEDS] for name in ("mine", "plain"))
    print(f"{what}: seed, perplexity of mine and plain, difference of the losses")
    for seed, a, b in zip(SEEDS, mine, plain, strict=True):
        print(f"    {seed}   {math.exp(a):8.2f} {math.exp(b):8.2f}   {a - b:+.3f}")
    verdict = attempted(is_it_a_difference, mine, plain)
    if verdict is not None:
        print("   ", "a difference" if verdict else "not shown to differ")

# %% tags=["nbval-ignore-output"]
picture = None
if trained_all:
    long_losses = {name: [losses[name][seed]["long"] for seed in SEEDS] for name in ("plain", "mine")}
    picture = show_seed_dots(long_losses, label="loss on long stories")
picture

# %% [markdown]
# The dots are the losses on *long* stories, joined by seed. For the picture of the test, call
# `show_paired_test` with two lists of losses.
#
# A variant that leaks can win for the wrong reason. So ask your probe about your variant, as in Part 4:

# %%
probe("my variant", my_row)

# %% [markdown] exercise="my_report" role="statement"
# Write a report of about half a page.
#
# 1. **Motivation and setup**: the question; what was changed; what was kept equal; seeds, text, steps.
# 2. **Result**: the three pairs for *short* and *long*, the mean difference, $t$ and the verdict. Compute $t$
#    for one of them by hand.
# 3. **Analysis**: was your prediction right? What can explain the result, and which further experiment would
#    test the explanation?
# 4. **Limits**: what do three seeds, this text and 120 steps not show?

# %% [markdown] exercise="my_report" role="written"
# (your answer)

# %% [markdown]
# ## Two questions about positions (optional)

# %% [markdown] exercise="equal_sine_cosine" role="statement"
# Can two positions have the same sine–cosine vector? Take the vectors of *Sine–cosine positions*, where the
# first pair has the speed 1. (You may use that $\pi$ is irrational.) Prove your answer, and say what happens at
# distances of 44 and of 710 if a model has the first pair only.

# %% [markdown] exercise="equal_sine_cosine" role="written"
# (your answer)

# %% [markdown] exercise="rotary_complex" role="statement"
# Rotary positions rotate each pair $(x_0, x_1)$ of a query or key at position $t$ by the angle $t\omega$. Show
# that this is the multiplication of the complex number $x_0 + \mathrm i x_1$ by $e^{\mathrm i t\omega}$, where
# $\mathrm i$ is the imaginary unit. Then use complex numbers to show that the logit of a query at $t$ and a key
# at $s$ depends on $t - s$ only.

# %% [markdown] exercise="rotary_complex" role="written"
# (your answer)

# %% [markdown]
# ## Summary
#
# - Perplexity is $e^{\text{mean loss}}$. A model that is confident and wrong has a perplexity above the size
#   of its vocabulary.
# - Attention without positions sees a set. Sine–cosine and learned positions are added to words; rotary
#   positions rotate queries and keys, so that a logit depends on the distance only. None of them tells a
#   model what to do at lengths it was not trained for.
# - A paired t-test divides the mean difference by its standard error. "Not shown to differ" does not mean
#   "equal".
# - A gain can be real and worthless. The norm over the whole row leaked the future; only a probe, a repair
#   and the word-by-word column showed it.
#
# ## Test yourself
#
# **1.** A model has perplexity 2,000 on a text with 695 different words. What do you conclude?
#
# <details><summary><b>Answer</b></summary>
#
# It is worse than uniform guessing. So it is confident in wrong words: it has learned something that does not
# hold for this text.
#
# </details>
#
# **2.** Two variants have losses 2.1, 2.2, 2.3 and 2.0, 2.1, 2.3 from the same seeds. Do they differ?
#
# <details><summary><b>Answer</b></summary>
#
# The differences are 0.1, 0.1 and 0. Their mean is 0.067, their standard deviation 0.058, so
# $t=0.067/(0.058/\sqrt3)=2.0$. The limit for three runs is 4.30: not shown to differ.
#
# </details>
#
# **3.** A model with rotary positions was trained on rows of 512 words. Will it work on 4,096 words?
#
# <details><summary><b>Answer</b></summary>
#
# Probably not where far words matter: distances above 511 are new to the model, and so are the angles of the
# slow pairs. Test it on a text that needs far words. Position interpolation with some further training can
# help.
#
# </details>

# %%
progress()

# %% [markdown]
# **Next:** [06 Span corruption](../06_span_corruption/06_span_corruption.ipynb). There a model learns facts by
# predicting parts of a text that were hidden from it.
