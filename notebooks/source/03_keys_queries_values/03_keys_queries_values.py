# %% [markdown]
# # Keys, queries, values
#
# In notebooks 01 and 02 the keys and values were given, and you chose the queries. Where do all three come
# from? In self-attention every token has a query, a key and a value. The simplest version uses the token
# itself for all three. Here it is, for three words of our sentence "The animal didn't cross the street
# because it was tired."

# %% role="setup"
import random

import numpy as np
import sympy as sp
import torch

from kqa_core.check import attempted, check, hint, progress, solution  # hint("plain_limit") gives a hint
from kqa_core.symbolic import BETA as beta
from kqa_core.symbolic import orthonormal_frame, self_attention, self_attention_weights, standard_basis

# %%
words = ["animal", "it", "street"]
u_a, u_b, u_c, u_d = (beta * e for e in standard_basis(4))  # four features, orthogonal and of length beta
tokens = [u_d + u_b, u_a, u_c + u_b]  # x_0, x_1, x_2
one = sp.eye(4)

weights = self_attention_weights(tokens, one, one)  # W_Q = W_K = I, that is, without matrices
for size in (0.5, 1, 2, 3):
    print(f"beta = {size}")
    for word, row in zip(words, weights.subs(beta, size).evalf(6).tolist(), strict=True):
        print(f"   {word:6}", "  ".join(f"{float(weight):.4f}" for weight in row))

# %% [markdown]
# Each row shows how one word spreads its attention over *animal*, *it* and *street*. (The call has two
# matrices, $W_Q$ and $W_K$. You meet them below; here both are the identity, which changes nothing.) At
# $\beta = 3$ the table is the identity to three digits: every word attends to itself, so every output equals
# its input. The layer does a lot of arithmetic and changes nothing.
#
# *animal* and *street* share a feature. It does not help them, because each of them has even more in common
# with itself.
#
# Three matrices change this. They make the queries, the keys and the values. After this notebook you can
#
# 1. say what plain self-attention computes, and what a changed token does to it,
# 2. prove that an output is out of reach, whatever the weights are,
# 3. build a value matrix, and query and key matrices that send each token to the value it needs,
# 4. write the loss of a self-attention layer, train its matrices by gradient descent, and compare them with
#    yours.
#
# **Time:** about two and a half hours; the core takes about an hour and a half. **You need:** softmax weights, copying and averaging from notebook
# 01. [Notebook 00](../00_start_here/00_start_here.ipynb) has the table of symbols.
#
# **Core and optional** ([the map of paths](../00_start_here/00_start_here.ipynb#Paths-through-the-course)).
# The path *evening* needs the first section, and the short section *Tokens become rows*. The path *assignment*
# adds everything from the second section to *Queries and keys*, without the exercise in *Out of reach*. Headings
# say what is optional.

# %% [markdown]
# ## Three words as tokens
#
# **Question.** What is in a token, and what does each token attend to when nothing has been learned?
#
# We describe a word by *features*. A feature is a vector $u$. A word that has several features is their sum.
# Four features are enough here:
#
# | word | features | token |
# |---|---|---|
# | *animal* | living being, noun | $x_0 = u_d + u_b$ |
# | *it* | pronoun | $x_1 = u_a$ |
# | *street* | place, noun | $x_2 = u_c + u_b$ |
#
# So $u_a$ means "pronoun", $u_b$ "noun", $u_c$ "place" and $u_d$ "living being". The features are orthogonal,
# and each has the length $\beta$. Hence $u \cdot u = \beta^2$ for each of them, and $0$ for two different
# ones. (The tokens are those of CS224n. Their order in the list does not matter, because attention does not
# see order. Notebook 05 is about that.)
#
# **The symbol $\beta$.** In notebooks 01 and 02, $\beta$ was the scale of the query. It still is: without
# matrices the query *is* the token, so the scale of the query is the length of the features. But now the keys
# and the values grow with it, too.

# %% [markdown]
# **A worked example.** Take *animal*, $x_0 = u_d + u_b$, as the query. Its logits are the dot products with
# all three tokens. Multiply out, and keep only products of a feature with itself:
#
# $$x_0\cdot x_0 = u_d\cdot u_d + u_b\cdot u_b = 2\beta^2,\qquad x_1\cdot x_0 = 0,\qquad x_2\cdot x_0 = u_b\cdot u_b = \beta^2.$$
#
# At $\beta = 1$ the logits are $(2, 0, 1)$ and their exponentials $(7.39, 1, 2.72)$, which sum to $11.11$.
# The weights are $(0.665, 0.090, 0.245)$, as in the first row for $\beta = 1$ above. The lead of the first
# logit is $\beta^2$, so it grows, and *animal* attends only to itself in the end. Here are all nine logits:

# %%
sp.Matrix(3, 3, lambda t, i: tokens[i].dot(tokens[t]))  # row t: the logits of query t

# %% [markdown]
# The diagonal is the largest entry of each row. This holds for these three tokens, but it is no law. A short
# token can have a larger product with a long one than with itself: $(1, 0)\cdot(1, 0) = 1$, but
# $(1, 0)\cdot(3, 1) = 3$.
#
# **The general statement.** Three matrices $W_Q$, $W_K$, $W_V$ make a query, a key and a value from each
# token:
#
# $$q_t = W_Q\,x_t,\qquad k_i = W_K\,x_i,\qquad v_i = W_V\,x_i.$$
#
# Token $t$ attends to all tokens $i = 0,\dots,T-1$:
#
# $$s_{ti} = q_t \cdot k_i,\qquad \alpha_{ti} = \frac{e^{s_{ti}}}{\sum_j e^{s_{tj}}},\qquad c_t = \sum_i \alpha_{ti}\,v_i.$$
#
# Plain self-attention has $W_Q = W_K = W_V = I$. In these formulas a token is a column of $d$ numbers, and
# the matrices have the shape $(d_k, d)$. (In later notebooks tokens are rows. The section *Tokens become rows*
# shows the change.)
#
# In our functions, too, the matrices always come in the order $W_Q$, $W_K$, $W_V$. They act on columns, as in
# the formulas: `self_attention_weights(tokens, W_Q, W_K)` is the table of weights, with the weights of token
# $t$ in row $t$, and `self_attention(tokens, W_Q, W_K, W_V)` is the list of the outputs $c_0, c_1, c_2$.
#
# As $\beta$ grows, so do tokens and outputs. When we say that *$c_t$ tends to $y$*, we measure their distance
# in units of $\lVert u\rVert = \beta$: the distance divided by $\beta$ tends to 0.
#
# Your answers have to work for any four orthogonal features of length $\beta$, not only for the standard
# basis, and in more than four dimensions. The checks use features such as these. Each feature is a mixture of
# several basis vectors:

# %%
skew = [beta * e for e in orthonormal_frame(4, 5, random.Random(3))]
sp.Matrix.hstack(*skew)  # u_a, u_b, u_c and u_d are its columns

# %% [markdown] exercise="plain_limit" role="statement"
# Without matrices, $W_Q = W_K = W_V = I$: to what does $c_1$, the output at *it*, tend as $\beta \to \infty$?
# Return a combination of the four features, which are sympy columns, with numbers as coefficients: $\beta$
# occurs in it only as the length of the features. Compute the three logits of $x_1$ first, as in the example.


# %% exercise="plain_limit" role="solution"
def plain_limit(u_a, u_b, u_c, u_d):
    """The limit of c_1 without matrices, a column (d, 1).
    The four features are orthogonal columns (d, 1) of length beta.
    """
    raise NotImplementedError("exercise plain_limit: replace this line with your answer")


# %% exercise="plain_limit" role="check"
check("plain_limit", plain_limit)

# %% [markdown]
# The next cell prints how far $c_1$ still is from your limit, in units of $\lVert u \rVert$.


# %%
def distance(output, limit, size):
    """The distance of two columns where beta is `size`, in units of beta."""
    return float(((output - limit).subs(beta, size) / size).norm().evalf(30))


limit = attempted(plain_limit, u_a, u_b, u_c, u_d)
if limit is not None:
    output = self_attention(tokens, one, one, one)[1]
    for size in (0.5, 1, 2, 3):
        print(f"beta = {size}: {distance(output, limit, size):.6f}")

# %% [markdown]
# > **Takeaway.** In self-attention every token has a query, a key and a value. Without matrices, these three
# > tokens end up attending to themselves, so the layer returns its input.

# %% [markdown]
# ## Changing the token
#
# **Question.** *it* stands for a noun, and its output should say so: we want $c_1$ to tend to $u_b$. *animal*
# and *street* have this feature; *it* does not. Can we get it by changing the token $x_1$ only?
#
# **Idea.** At the moment the logits of *it* with the other words are 0, because they share no feature. So add
# one. Add $u_d$, which *animal* has, or add $u_c$, which *street* has. (Why not add $u_b$ itself? The fold at
# the end of this section says it.)
#
# **Predict.** Before you compute: with $x_1 = u_a + u_d$, to which token will most of the weight go, and what
# will $c_1$ be? The exercise and the table below it give the answer.

# %% [markdown] exercise="add_and_see" role="statement"
# Still without matrices. To what does $c_1$ tend if $u_d$ is added to $x_1$, so that $x_1 = u_a + u_d$? And
# to what does it tend if $u_c$ is added instead? Return both limits, in this order: two combinations of the
# four features, with numbers as coefficients. Each limit counts one point.


# %% exercise="add_and_see" role="solution"
def add_and_see(u_a, u_b, u_c, u_d):
    """Two columns (d, 1): the limit of c_1 when u_d is added to x_1,
    and the limit when u_c is added instead.
    """
    raise NotImplementedError("exercise add_and_see: replace this line with your answer")


# %% exercise="add_and_see" role="check"
check("add_and_see", add_and_see)

# %% [markdown]
# Here is the row of weights of the changed *it*, on *animal*, *it* and *street*.

# %%
changed = [u_d + u_b, u_a + u_d, u_c + u_b]
before, after = weights[1, :], self_attention_weights(changed, one, one)[1, :]
for size in (0, 0.5, 1, 2, 3):
    rows = [
        "  ".join(f"{float(weight):.4f}" for weight in row.subs(beta, size).evalf(6))
        for row in (before, after)
    ]
    print(f"beta = {size}:   before  {rows[0]}    with u_d  {rows[1]}")
limits = attempted(add_and_see, u_a, u_b, u_c, u_d)
if limits is not None:
    output = self_attention(changed, one, one, one)[1]
    print(f"at beta = 3, c_1 is {distance(output, limits[0], 3):.4f} away from your first limit")

# %% [markdown]
# The row with $\beta = 0$ shows equal weights. Compare "before" and "with u_d" in the other rows, above all
# for *animal* and *it*.

# %% [markdown] exercise="why_add_and_see" role="statement"
# Why can adding $u_d$ or $u_c$ to $x_1$ not make $c_1$ tend to $u_b$? Give a reason about the weights and a
# reason about the values. (Without matrices, the values are the tokens themselves.) Three or four sentences,
# read by a person.

# %% [markdown] exercise="why_add_and_see" role="written"
# *Your answer here.*

# %% [markdown]
# <details><summary><b>What the table shows (read it after you have written your answer)</b></summary>
#
# At $\beta = 1$ the weight on *animal* rises from 0.21 to 0.24, so the new overlap does help a little. But
# the weight of *it* on itself rises more, from 0.58 to 0.67. A tempting answer is "$c_1$ tends to $x_0$,
# because the query now overlaps with *animal*". It forgets that the changed token is also a key, and overlaps
# with itself most of all.
#
# The values are a second reason. Even if all of the weight went to *animal*, the output would be a copy of
# its token, $u_d + u_b$, and not $u_b$ alone. The next section is about mixtures.
#
# Adding $u_b$ itself fails for the same reason. With $x_1 = u_a + u_b$ the three logits of $x_1$ are
# $\beta^2$, $2\beta^2$ and $\beta^2$. So the token attends to itself, and $c_1$ tends to $u_a + u_b$: the
# part $u_a$ stays.
#
# </details>
#
# > **Takeaway.** Without matrices, a changed token is also a changed key and a changed value. With $u_d$ or
# > $u_c$ added, *it* attends to itself even more.

# %% [markdown]
# ## Out of reach
#
# **Question.** Neither change gave $u_b$. Could a cleverer one, $x_1 = u_a + p\,u_d + r\,u_c$ with some
# numbers $p$ and $r$?
#
# **Idea.** Whatever the logits are, the weights are positive and add up to 1. So $c_1$ is an *average* of the
# three tokens. All averages of some points together are called their *convex hull*; for three points it is
# the triangle between them. If $u_b$ is outside this triangle, no weights help.
#
# **A worked example.** First suppose that only *animal* and *street* get weight. Their average is
#
# $$\alpha_0 x_0 + \alpha_2 x_2 = (\alpha_0 + \alpha_2)\,u_b + \alpha_0\,u_d + \alpha_2\,u_c.$$
#
# To be a multiple of $u_b$ it must have no part along $u_d$, so $\alpha_0 = 0$, and no part along $u_c$, so
# $\alpha_2 = 0$. Then the weights add up to 0, not to 1. So $u_b$ is not an average of these two tokens. The
# exercise does the same with all three.

# %% [markdown] exercise="hull_proof" role="statement"
# Let $x_1 = u_a + p\,u_d + r\,u_c$, where `p` and `r` are any two numbers, positive or not. Find the three
# numbers $(\alpha_0, \alpha_1, \alpha_2)$ for which $\alpha_0 x_0 + \alpha_1 x_1 + \alpha_2 x_2$ has no part
# along $u_a$, $u_c$ or $u_d$. Return these numbers. (Is their sum 1?)


# %% exercise="hull_proof" role="solution"
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    """The numbers (alpha_0, alpha_1, alpha_2) for which the sum of the tokens has no
    part along u_a, u_c or u_d.
    """
    raise NotImplementedError("exercise hull_proof: replace this line with your answer")


# %% exercise="hull_proof" role="check"
check("hull_proof", hull_proof)

# %% [markdown]
# This is a proof. Take $x_1 = u_a$. No part along $u_a$ forces $\alpha_1 = 0$, and no part along $u_d$ and $u_c$
# forces $\alpha_0 = \alpha_2 = 0$. The sum of these weights is 0 and not 1, and with $p$ and $r$ it is not 1 either.
# So $u_b$ is not an average of the tokens, for any $p$ and $r$. And $c_1$ cannot tend to $u_b$ either. In
# units of $\beta$ the triangle is the same for every $\beta$, and $u_b$ is a point outside it. So every
# average keeps a distance from $u_b$.
#
# The next picture shows the three triangles for $x_1 = u_a$, $u_a + u_d$ and $u_a + u_c$. The tokens have
# four dimensions and the picture has two. So we draw only two numbers of each point: its dot products with
# $u_b - u_c - u_d - \tfrac12 u_a$ (to the right) and with $u_d - u_c$ (upwards), in units of $\beta^2$. This
# is called a *projection*. We chose these two vectors because they show the gap. If a point is outside a
# drawn triangle, then it is also outside the real one, because the dot product of an average is the average
# of the dot products.

# %%
from kqa_core.show import hull_figure

hull_figure()

# %% [markdown]
# Each coloured line is the path of $c_1$ while $\beta$ grows from 0 (equal weights, the middle of the
# triangle) to 3 (the corner $x_1$). $u_b$ is on the other side of the dashed line, and no triangle crosses
# that line.
#
# <details><summary><b>Going deeper (optional, after the exercise): a second proof, by a direction</b></summary>
#
# Suppose that some vector $w$ satisfies $w \cdot u_b > w \cdot x_i$ for all three tokens. For every average
# $c = \sum_i\alpha_i x_i$,
# $$w\cdot c = \sum_i \alpha_i\,(w\cdot x_i) \le \max_i\, w\cdot x_i < w\cdot u_b,$$
# so $c \ne u_b$. Such a $w$ says more than "not reached": the gap $w\cdot u_b - \max_i w\cdot x_i$, divided
# by $\lVert w\rVert$, is a distance that every average keeps from $u_b$.
#
# The horizontal axis of the picture is such a direction for the tokens drawn there:
# $w = u_b - u_c - u_d - \tfrac12 u_a$. The dashed line is half way across the gap. One direction that works
# for all $p$ and $r$ is $w = u_b - u_c - u_d - (|p|+|r|)\,u_a$. (The picture uses $-\tfrac12 u_a$. That is
# enough there, because its $p$ and $r$ are 0 or 1.) Try it: $w\cdot u_b = \beta^2$,
# $w\cdot x_0 = w \cdot x_2 = 0$ and $w\cdot x_1 = -(|p| + |r| + p + r)\,\beta^2 \le 0$. To have a `w` of your
# own checked, return `(alphas, w)` from `hull_proof`, with the three numbers in `alphas`. The points are the
# same.
#
# **Why there is only one triple of weights.** The part along $u_a$ is $\alpha_1$, so $\alpha_1 = 0$. The
# parts along $u_c$ and $u_d$ are $\alpha_2 + r\alpha_1$ and $\alpha_0 + p\alpha_1$. With $\alpha_1 = 0$ both
# remaining weights are 0 as well. So the triple of your exercise is the only one.
#
# </details>
#
# > **Takeaway.** An output is an average of values, so it never leaves their convex hull. No query and no key
# > can change that. To reach a new output, change the values.

# %% [markdown]
# ## Values
#
# **Question.** We now want two outputs at once: $c_0$, at *animal*, should tend to $u_b - u_c$ ("a noun, and
# not a place"), and $c_1$, at *it*, should tend to $u_b$ ("a noun"). These are the targets of CS224n. Neither
# is an average of tokens.
#
# **Idea.** Averages are averages of *values*. So let the values be exactly these two vectors: the value of
# *animal* is $u_b$ and the value of *street* is $u_b - u_c$. Then each output only has to copy one value.
#
# **The tool: outer products.** For columns $u$ and $v$, the outer product $u v^\top$ is a matrix. It acts on
# a vector $x$ as follows:
#
# $$(u v^\top)\,x = u\,(v\cdot x).$$
#
# It measures how much of $v$ is in $x$, and returns that much of $u$.
#
# **A worked example** with numbers. Let $u = (1, 0)$ and $v = (0, 1)$. Then
# $u v^\top = \begin{pmatrix}0&1\\0&0\end{pmatrix}$, and it takes $x = (3, 5)$ to $(5, 0) = 5u$, because
# $v\cdot x = 5$. A sum of two outer products treats two directions separately: $u u^\top - v v^\top$ takes
# $(3, 5)$ to $(3, -5)$.
#
# With our features, $u_a u_d^\top$ measures the part along $u_d$ and returns $u_a$, times
# $u_d\cdot u_d = \beta^2$. Only *animal* contains $u_d$:

# %%
product = u_a * u_d.T
[(product * x).T for x in tokens]  # for animal, it, street

# %% [markdown]
# For *animal* this is $\beta^2 u_a$. The only entry of $u_a$ that is not 0 is $\beta$, so the cell prints
# $\beta^2\cdot\beta = \beta^3$.
#
# **Predict.** What does $u_b u_b^\top$ make of the three tokens?
#
# <details><summary><b>Answer</b></summary>
#
# It returns $\beta^2 u_b$ for *animal* and for *street*, because both contain $u_b$ once, and 0 for *it*.
#
# </details>

# %% [markdown] exercise="value_matrix" role="statement"
# Return a matrix $W_V$, as sympy, with $W_V x_0 = u_b$ and $W_V x_2 = u_b - u_c$, exactly and for every
# $\beta$. The value of *it*, $W_V x_1$, may be anything. (To give two tokens different values, measure features
# that only one of them has.) The features may have more than four entries; $W_V$
# is square.


# %% exercise="value_matrix" role="solution"
def value_matrix(u_a, u_b, u_c, u_d, beta):
    """W_V, shape (d, d), with W_V x_0 = u_b and W_V x_2 = u_b - u_c.
    The features are columns (d, 1) of length beta.
    """
    raise NotImplementedError("exercise value_matrix: replace this line with your answer")


# %% exercise="value_matrix" role="check"
check("value_matrix", value_matrix)

# %% [markdown]
# The values that your matrix makes, in the standard basis. The four numbers say how much of
# $u_a, u_b, u_c, u_d$ is in a value, so $u_b$ is `[0, 1, 0, 0]`.

# %%
W_V = attempted(value_matrix, u_a, u_b, u_c, u_d, beta)
if W_V is not None:
    for word, x in zip(words, tokens, strict=True):
        print(f"value of {word:6}", sp.simplify(W_V * x / beta).T.tolist()[0])

# %% [markdown]
# > **Takeaway.** The value matrix decides what a token passes on. It is not the token itself, but the part of
# > it that others need. In a Transformer, $W_V$ is learned.

# %% [markdown]
# ## Queries and keys
#
# **Question.** The values are there. Now *animal* must attend to *street*, whose value is $u_b - u_c$, and
# *it* must attend to *animal*, whose value is $u_b$. Without matrices, every token attends to itself. How do
# we choose $W_Q$ and $W_K$?
#
# **Idea.** Only the table of logits matters:
#
# $$s_{ti} = (W_Q\,x_t)\cdot(W_K\,x_i).$$
#
# So decide first which entries of the table should be large. Then give each token that should get attention a
# key of its own, and let the query of the token that attends to it point along this key.

# %% [markdown]
# **A worked example: one token attends to another.** For the moment we want one thing only: *animal* ($x_0$)
# should attend to *street* ($x_2$).
#
# 1. *The key.* What does only *street* have? The feature $u_c$. So let $W_K$ keep $u_c$ and nothing else:
#    $W_K = u_c u_c^\top/\beta^2$. The keys are $k_0 = 0$, $k_1 = 0$ and $k_2 = u_c$.
# 2. *The query.* What does only *animal* have? The feature $u_d$. So let $W_Q$ take $u_d$ to the key of
#    *street*, $u_c$: $W_Q = u_c u_d^\top/\beta^2$. The queries are $q_0 = u_c$, $q_1 = 0$ and $q_2 = 0$.
# 3. *The logits.* $s_{02} = u_c\cdot u_c = \beta^2$, and all others are 0. So the weight $\alpha_{02}$ tends
#    to 1.

# %%
W_Q = u_c * u_d.T / beta**2
W_K = u_c * u_c.T / beta**2
print("logits", sp.Matrix(3, 3, lambda t, i: (W_Q * tokens[t]).dot(W_K * tokens[i])).tolist())
for word, row in zip(
    words, self_attention_weights(tokens, W_Q, W_K).subs(beta, 3).evalf(6).tolist(), strict=True
):
    print(f"{word:6}", "  ".join(f"{float(weight):.4f}" for weight in row))

# %% [markdown]
# At $\beta = 3$ *animal* gives the weight 0.9998 to *street*. The queries of *it* and *street* are 0, so
# these words average all three values.
#
# **Explore.** In the playground you enter $W_Q$ and $W_K$ yourself. An entry takes one direction (*from*, its
# column) to another (*to*, its row). The values are those of a $W_V$ with $W_V x_1 = 0$. Press
# `W_Q = W_K = 0`: every query averages the three values, and both outputs are $0.67\,u_b - 0.33\,u_c$. Then
# build the example. In $W_Q$, put 1 in column d, row c. In $W_K$, put 1 in column c, row c. The weights of
# query 0 become $(0.09, 0.09, 0.83)$, so $c_0$ moves to $0.91\,u_b - 0.83\,u_c$. Its dashed target is
# $u_b - u_c$, and $c_0$ never reaches it exactly. But at $\beta = 3$ you see no difference. $c_1$ does not
# move, because the query of *it* is still 0; it is part of the next exercise.

# %%
from kqa_core.show import playground

playground(beta=1.5)

# %% [markdown] exercise="key_query" role="statement"
# Return $W_Q$ and $W_K$ in this order, as sympy, so that $c_0$ tends to $u_b - u_c$ and $c_1$ tends to $u_b$
# as $\beta \to \infty$. The matrices must work for any four orthogonal features, in any dimension, with a
# $W_V$ as above. Every pair that does this is right. The matrices need not be square: they multiply tokens,
# and they have the same number of rows.
#
# (The check uses a $W_V$ with $W_V x_1 = 0$. Only if your pair needs another one, return it too, as
# `return W_Q, W_K, W_V`. It must keep $W_V x_0 = u_b$ and $W_V x_2 = u_b - u_c$.)


# %% exercise="key_query" role="solution"
def key_query(u_a, u_b, u_c, u_d, beta):
    """W_Q and W_K, both of shape (d_k, d): with them c_0 tends to u_b - u_c and c_1 to u_b.
    The features are columns (d, 1).
    """
    raise NotImplementedError("exercise key_query: replace this line with your answer")


# %% exercise="key_query" role="check"
check("key_query", key_query)

# %% [markdown]
# Your table of logits, and the weights that follow. Row $t$ belongs to query $t$. The row of *street* has no
# target.

# %%
pair = attempted(key_query, u_a, u_b, u_c, u_d, beta)
if pair is not None:
    W_Q, W_K = pair[:2]
    table = sp.Matrix(3, 3, lambda t, i: sp.simplify((W_Q * tokens[t]).dot(W_K * tokens[i])))
    print("logits ", table.tolist())
    for size in (1, 2, 4):
        rows = sp.Matrix([[sp.exp(logit.subs(beta, size)) for logit in table[t, :]] for t in range(2)]).evalf(
            6
        )
        shares = [[f"{float(number / sum(rows[t, :])):.4f}" for number in rows[t, :]] for t in range(2)]
        print(f"beta = {size}:  animal", *shares[0], "  it", *shares[1])

# %% [markdown]
# The picture shows the triangle of the *values*, with $W_V x_1 = 0$ or with the $W_V$ that you returned. This
# time the targets are corners, and your outputs move into them. With $W_V x_1 = 0$ the values contain only
# $u_b$ and $u_c$, so the picture needs no projection. Parts of your own $W_V x_1$ along $u_a$ or $u_d$ are
# not drawn.

# %%
from kqa_core.show import reach_figure

reach_figure(pair, beta)

# %% [markdown]
# > **Takeaway.** $W_Q$ makes the query, which a token compares with all keys. $W_K$ makes the key, with which
# > all queries are compared. $W_V$ makes the value, which the token passes on. Because these are three
# > different matrices, a token can attend to another token that it has nothing in common with.

# %% [markdown]
# ## Break it (optional)
#
# **Exchange the two matrices.** Keys and queries look alike: both are a matrix times a token, and a dot
# product is symmetric. Does it matter which matrix is which?


# %% tags=["raises-exception"]
def exchanged(u_a, u_b, u_c, u_d, beta):
    W_Q, W_K, *own = key_query(u_a, u_b, u_c, u_d, beta)
    return W_K, W_Q, *own


check("key_query", exchanged, record=False)  # wrong on purpose, so progress() does not count it

# %% [markdown]
# For most answers, it matters which matrix is which. A few tables of logits work both ways, such as the
# symmetric one in the fold below. The exchange transposes the table of logits, so "*animal* attends to
# *street*" becomes "*street* attends to *animal*". Attention has a direction: "*it* refers to *animal*" does
# not mean that *animal* refers to *it*.
#
# <details><summary><b>Going deeper (optional): can one matrix serve as both?</b></summary>
#
# Yes, if some keys are longer than others. With $W_Q = W_K$ the table is symmetric, $s_{ti} = k_t\cdot k_i$.
# Take the keys $k_0 = (2, 0)$, $k_1 = (1, \tfrac12)$ and $k_2 = (3, -4)$, times any number that grows with
# $\beta$. The logits of query 0 are $k_0\cdot k_0 = 4$, $k_0\cdot k_1 = 2$ and $k_0\cdot k_2 = 6$, so it
# attends to token 2. Those of query 1 are $2$, $1.25$ and $1$, so it attends to token 0. Both are as
# required.
#
# </details>
#
# **Change the sign of the keys.** Let $W_K$ make $-k_i$ in place of $k_i$.


# %% tags=["raises-exception"]
def negative_keys(u_a, u_b, u_c, u_d, beta):
    W_Q, W_K, *own = key_query(u_a, u_b, u_c, u_d, beta)
    return W_Q, -W_K, *own


check("key_query", negative_keys, record=False)

# %% [markdown]
# All logits change their sign. So the key that led by a wide margin is now behind by the same margin: its
# weight tends to 0, and the attention goes to the other tokens. A logit far below the others removes the weight
# of its token.

# %% [markdown]
# ## Solving for the logits (optional)
#
# You can skip this section. Nothing later needs it.
#
# **Question.** If only the logits matter, why not choose the logits that we want and solve a linear system
# for the query?
#
# For the three tokens above this works, because they are linearly independent. In a long text they are not,
# because there are more tokens than dimensions of a key. Then most systems have no solution. *Least squares*
# finds the query whose logits come nearest to those we want: it makes $\sum_i (k_i\cdot q - s_i)^2$ as small
# as possible. NumPy's function for it is `np.linalg.lstsq`.
#
# **An example.** Here are the four keys in three dimensions from notebook 01. We want the logits
# $(100, 0, 0, 0)$, so key 0 should win clearly.

# %%
# (4, 3): a key in each row
keys = np.array([[-0.1, 0.6, 0.2], [1.1, 1.1, 0.2], [0.4, -1.3, -1.2], [1.1, -0.3, 0.8]])
query = np.linalg.lstsq(keys, np.array([100.0, 0, 0, 0]), rcond=None)[0]
logits = keys @ query
exponentials = np.exp(logits - logits.max())
print("logits ", logits.round(1))
print("weights", (exponentials / exponentials.sum()).round(3))

# %% [markdown]
# Key 1 wins, with a logit of 16.6 against 12.1. There is no query with the logits $(100, 0, 0, 0)$, and these
# are the nearest ones. But "nearest logits" is the wrong goal. The weights depend only on *differences* of
# logits, and least squares does not know that. (In notebook 01 you reached key 0 by leaving a common shift of
# all logits free.)
#
# The right goal is about the *output*. The section *From hand-built to learned* writes that goal down, and
# gradient descent works towards it.

# %% [markdown]
# ## Tokens become rows
#
# **Question.** So far a token was a column, and its query was $W_Q x_t$. How do we write the queries of all
# tokens as one product?
#
# **Example.** With $x = \binom12$ and $W = \begin{pmatrix}1&3\\0&1\end{pmatrix}$ we get $W x = \binom72$. Now
# write $x$ as a row, put the matrix on the right, and transpose it:
#
# $$(1, 2) \begin{pmatrix}1&0\\3&1\end{pmatrix} = (7, 2).$$
#
# These are the same numbers. In general $(W x)^\top = x^\top W^\top$. And a product treats each row of its left
# factor by itself, so we can put any number of tokens into the rows of one matrix $X$:

# %%
W = torch.tensor([[1.0, 3], [0, 1]])
x = torch.tensor([1.0, 2])
X = torch.stack((x, 10 * x, -x))  # (T, d): three tokens, one in each row
print("one column   W x   ", (W @ x).tolist())
print("three rows   X Wᵀ  ", (X @ W.T).tolist())

# %% [markdown]
# From here on, in this notebook and in all later ones, tokens are rows, and $W_Q$, $W_K$, $W_V$ are the
# *transposes* of the matrices that you built above. Nothing else changes:
#
# | | columns, up to here: | rows, from here on: |
# |---|---|---|
# | tokens | $x_t$, shape $(d, 1)$ | $X$, shape $(T, d)$, with $x_t^\top$ in row $t$ |
# | shape of $W_Q$ | $(d_k, d)$ | $(d, d_k)$. |
# | queries | $q_t = W_Q\,x_t$ | $Q = X W_Q$, with $q_t^\top$ in row $t$. |
# | keys and values | $k_i = W_K\,x_i$ and $v_i = W_V\,x_i$ | $K = X W_K$ and $V = X W_V$ |
# | logits | $s_{ti} = q_t \cdot k_i$ | $S = Q K^\top$. |
# | outputs | $c_t = \sum_i \alpha_{ti}\,v_i$ | $C = \operatorname{softmax}(S)\,V$, the softmax in each row |
#
# Nearly all code has tokens in rows, because a batch of texts is then only one more axis in front.
#
# The picture shows the steps of self-attention for all tokens at once, with the shape of every array. Its numbers
# are made up: they are not our three words. Keys, queries and values have two numbers each, so the matrices have
# the shape $(d, d_k) = (4, 2)$.

# %%
from kqa_core.show import show_attention_flow

show_attention_flow(tokens=3, width=4, head_width=2)

# %% [markdown]
# ## From hand-built to learned (optional)
#
# **Question.** Nobody builds the matrices of a real Transformer by hand. They start as random numbers, and
# gradient descent changes them until the outputs are right. Does it find what we built?
#
# With $N$ sentences at once, $X$ has the shape $(N, T, d)$. Then `@` multiplies sentence by sentence: it
# works on the last two axes and keeps the first. For the same reason $K^\top$ becomes `K.transpose(-2, -1)`,
# which swaps the last two axes. (`K.T` would reverse all three.)
#
# **The loss.** We want $c_0$ and $c_1$ to be close to their targets $y_0$ and $y_1$. The loss is the mean
# squared distance,
#
# $$L = \frac{1}{N m}\sum_{n}\sum_{t<m} \lVert c_{nt} - y_{nt}\rVert^2,$$
#
# over all $N$ sentences and the first $m$ tokens, which are those with a target. Here $m = 2$.
#
# **A worked example.** One sentence of two tokens, $(1, 0)$ and $(0, 1)$; $W_Q = W_K = 0$, $W_V = I$; one
# target, $y_0 = (0, 0)$. All logits are 0, so the weights are $\tfrac12, \tfrac12$ and
# $c_0 = (\tfrac12, \tfrac12)$. The squared distance is $\tfrac14 + \tfrac14 = \tfrac12$, so $L = \tfrac12$.

# %% [markdown] exercise="attention_loss" role="statement"
# Write the loss of a self-attention layer. `X` has the shape (N, T, d), with a token in each row, and `Y` the
# shape (N, m, d_v): the targets of the first $m$ tokens of each sentence. `W_Q` and `W_K` have the shape (d,
# d_k), and `W_V` has the shape (d, d_v). All have one dtype, float32 or float64. Return a torch scalar that
# has this dtype and that gradients can flow through. The logits are the plain dot products, as in all of this
# notebook, and all are between −50 and 50. (Notebook 04 divides them by a number and says why.)


# %% exercise="attention_loss" role="solution"
def attention_loss(X, Y, W_Q, W_K, W_V):
    """The mean squared distance of the outputs at the first m tokens from Y.
    X: (N, T, d), Y: (N, m, d_v); a scalar tensor.
    """
    raise NotImplementedError("exercise attention_loss: replace this line with your answer")


# %% exercise="attention_loss" role="check"
check("attention_loss", attention_loss)

# %% [markdown]
# Training needs only a few lines more. The matrices start as random numbers. Each step computes the loss and
# its gradients, and moves every matrix a little against its gradient. `batch` is a function that returns the
# sentences and the targets of one step.


# %%
def random_matrices(width, seed):
    """W_Q, W_K and W_V (width, width) with random entries."""
    generator = torch.Generator().manual_seed(seed)
    return [0.4 * torch.randn(width, width, generator=generator, dtype=torch.float64) for _ in range(3)]


def train(batch, matrices, steps=2_000, rate=0.3):
    """The matrices after plain gradient descent; prints the loss now and then."""
    for step in range(steps + 1):
        matrices = [W.requires_grad_() for W in matrices]  # torch records what is computed from them
        loss = attention_loss(*batch(), *matrices)
        if step in (0, 30, 100, 300, 1_000, steps):
            print(f"step {step:5}: loss {loss.item():.5f}")
        gradients = torch.autograd.grad(loss, matrices)  # from that record: a gradient for each matrix
        moved = [W - rate * gradient for W, gradient in zip(matrices, gradients, strict=True)]
        # the same numbers without the record: each step starts a new one
        matrices = [W.detach() for W in moved]
    return matrices


# %% [markdown]
# ### The same three tokens
#
# First we train on the three tokens themselves, with $\beta = 1$, so the features are unit vectors. For
# comparison we take *your* matrices from the exercises, transposed and with $\beta = 1$. We multiply your
# $W_Q$ by 6, so that a lead of 1 becomes a lead of 6. The package's `attention_flow` computes the arrays of
# the picture in *Tokens become rows*: its `"A"` holds the weights and its `"C"` the outputs.
#
# **Predict.** Will gradient descent find the same weights as the construction? The same matrices? The same
# outputs?

# %%
from kqa_core.show import attention_flow

e_a, e_b, e_c, e_d = torch.eye(4, dtype=torch.float64)  # the features u_a, u_b, u_c, u_d with beta = 1
X = torch.stack([e_d + e_b, e_a, e_c + e_b])[None]  # (1, 3, 4): animal, it, street
Y = torch.stack([e_b - e_c, e_b])[None]  # (1, 2, 4): the targets of animal and it


def as_rows(W):
    """A sympy matrix that acts on columns as a torch matrix for rows of tokens, with beta = 1."""
    return torch.tensor(np.array(W.subs(beta, 1).evalf().tolist(), dtype=float)).T


def constructed():
    """W_Q, W_K and W_V of your exercises."""
    W_Q, W_K, *own = key_query(u_a, u_b, u_c, u_d, beta)
    W_V = own[0] if own else value_matrix(u_a, u_b, u_c, u_d, beta)
    return [6 * as_rows(W_Q), as_rows(W_K), as_rows(W_V)]


built = attempted(constructed)
learned = attempted(train, lambda: (X, Y), random_matrices(4, seed=0))
for name, matrices in (("constructed", built), ("learned", learned)):
    if matrices is not None:
        flow = attention_flow(X[0], *matrices)
        print(
            f"\n{name}: c_0 = {flow['C'][0].numpy().round(3) + 0.0}, c_1 ="
            f" {flow['C'][1].numpy().round(3) + 0.0}"
        )
        for word, row in zip(words[:2], flow["A"].tolist(), strict=False):
            print(f"   weights of {word:6}", "  ".join(f"{weight:.3f}" for weight in row))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The same outputs, but different weights. After 100 steps the loss is 0 to five digits, and the learned
# outputs are even closer to the targets than the constructed ones. But the learned layer does not look
# anything up. It mixes all three values: *it* gives 0.49 to *animal* and 0.42 to itself. The learned values
# are chosen so that exactly these mixtures give the targets.
#
# </details>
#
# The next picture is about the matrices. We compare $W_V$ and the product $W_Q W_K^\top$, which makes the
# logits: $S = X\,W_Q W_K^\top X^\top$. Rows and columns are the features. Tokens are rows here, so the *rows*
# of a matrix now say *from*, opposite to the playground. A large entry of $W_Q W_K^\top$ in row d and column
# c means that a token with the feature d attends to a token with the feature c. An entry of $W_V$ there means
# that the feature d of a token puts this much of c into its value.

# %%
from kqa_core.show import compare_matrices


def products(matrices):
    """W_Q W_K^T and W_V, both (4, 4)."""
    W_Q, W_K, W_V = matrices
    return {"W_Q W_K^T": W_Q @ W_K.T, "W_V": W_V}


both = built is not None and learned is not None
features = ("abcd", "abcd")  # of the rows and of the columns
labels = {"W_Q W_K^T": features, "W_V": features}
compare_matrices(products(built), products(learned), labels=labels) if both else None

# %% [markdown]
# The matrices do not agree either. The task has many solutions, and the random start decides at which of them
# gradient descent ends. With the seeds 1 to 4 the loss also becomes 0, each time with other weights. Three
# fixed tokens are so few that there is no need to look anything up: the layer can store the answers in $W_V$.
#
# **Why we compare products.** Even the *same* solution can be written with different matrices, because only
# $W_Q W_K^\top$ enters the logits. For every invertible matrix $A$, the pair $W_Q A$ and $W_K (A^{-1})^\top$
# gives the same logits. So never compare one $W_Q$ with another: compare products, logits or weights.
#
# ### The same three words in many sentences
#
# In a real text, *animal* does not mean the same in every sentence. It may be "the tired animal" or "the
# small animal", and the layer before has written this into the token. So let each token carry, besides its
# features, four more numbers: its *content*. The contents are drawn at random in every sentence.
#
# - *it* should output the content of *animal*,
# - *animal* should output the content of *street*.
#
# **Predict.** Can a mixture of two words, such as 0.49 and 0.42, still be right?


# %%
def sentences(count, generator):
    """`count` sentences: X (count, 3, 8) with four features and four random contents,
    and the targets Y (count, 2, 8).
    """
    contents = torch.randn(count, 3, 4, generator=generator, dtype=torch.float64)
    X_new = torch.cat([X.expand(count, 3, 4), contents], dim=-1)
    wanted = contents[:, [2, 0]]  # animal needs the content of street, it needs the content of animal
    return X_new, torch.cat([torch.zeros_like(wanted), wanted], dim=-1)


generator = torch.Generator().manual_seed(1)
looked_up = attempted(train, lambda: sentences(64, generator), random_matrices(8, seed=0))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# It cannot. A mixture of two contents is not the content of one word, and now the contents are new in every
# sentence, so $W_V$ cannot store the answer. Only one solution is left: put all the weight on the right word.
#
# </details>
#
# Look at the weights in a new sentence, with the random matrices and with the learned ones.

# %%
if looked_up is not None:
    X_new, _ = sentences(1, torch.Generator().manual_seed(7))
    before, after = (
        {"weights": attention_flow(X_new[0], *matrices)["A"]}
        for matrices in (random_matrices(8, seed=0), looked_up)
    )
    # (1000, 3, 3)
    many = attention_flow(sentences(1_000, torch.Generator().manual_seed(8))[0], *looked_up)["A"]
    least = [many[:, 0, 2].min(), many[:, 1, 0].min()]  # of animal on street, and of it on animal
    print("smallest weights in 1,000 new sentences:", ", ".join(f"{weight:.2f}" for weight in least))
    picture = compare_matrices(
        before, after, titles=("before training", "learned"), labels={"weights": (words, words)}
    )
picture if looked_up is not None else None

# %% [markdown]
# This is a **copy head**, and gradient descent found it from random numbers: *animal* attends to *street* and
# *it* attends to *animal*, in every new sentence. You built the same two rows by hand, unless the *it* of
# your exercise attends to itself with a $W_V$ of your own. (*street* has no target, so its row may be
# anything.)
#
# The matrices can be compared as well, if we choose the right ones. The construction needs a $W_V$ that is
# the identity on the four contents. And the logits between the words are $F\,W_Q W_K^\top F^\top$, where the
# rows of $F$ are the three words without contents. The picture shows the weights that these logits give.

# %%
if both and looked_up is not None:
    F = torch.cat([X[0], torch.zeros(3, 4, dtype=torch.float64)], dim=1)  # (3, 8)
    wide = [torch.block_diag(W, torch.zeros(4, 4, dtype=torch.float64)) for W in built[:2]]
    wide.append(torch.diag(torch.tensor([0.0] * 4 + [1.0] * 4, dtype=torch.float64)))
    shown = []
    for W_Q, W_K, W_V in (wide, looked_up):
        flow = attention_flow(F, W_Q, W_K, W_V)
        shown.append({"weights": flow["A"][:2], "W_V of the contents": W_V[4:, 4:]})  # of animal and it
    picture = compare_matrices(*shown, labels={"weights": (words[:2], words)})
picture if both and looked_up is not None else None

# %% [markdown]
# If your *it* attends to *animal*, the learned layer and the constructed one now agree, in the weights and in
# the values.
#
# > **Takeaway.** Training does not look for *our* solution. It stops at any solution with a small loss. In our
# > two runs, the layer learned to look things up only when the contents changed from sentence to sentence,
# > because then nothing else gave the right outputs. Copy heads like this one appear in real language models.
#
# <details><summary><b>Going deeper (optional): what the learned weights leave over</b></summary>
#
# The weights come close to 1 but do not reach it, because that would need infinite logits. Let
# $\varepsilon = 1-\alpha$ be what is missing. It is about $e^{-z}$, where $z$ is the lead of the right logit,
# and the loss is proportional to $\varepsilon^2$. So the gradient that pushes $z$ up is proportional to
# $\varepsilon^2 = e^{-2z}$ too, and $z$ grows only like $\tfrac12\ln(\text{steps})$. The loss therefore falls
# roughly like one over the number of steps, as the printed losses show. The scale of the query, our $\beta$,
# is part of $z$: it is learned.
#
# If `rate` is too large, the loss grows instead of shrinking. Try `rate=1` in both runs, for 30 steps, in a
# new cell:
#
# ```python
# fixed = train(lambda: (X, Y), random_matrices(4, seed=0), steps=30, rate=1)
# many_new = torch.Generator().manual_seed(1)
# too_fast = train(lambda: sentences(64, many_new), random_matrices(8, seed=0), steps=30, rate=1)
# ```
#
# The first run, with three fixed tokens, still converges: its loss is 0.00129 after 30 steps. In the second
# run, `rate=1` is too large, and the loss is above $10^8$ after 30 steps.
#
# </details>

# %% [markdown]
# ## Two questions to write about (optional)

# %% [markdown] exercise="why_categorical" role="statement"
# Why can the weights $\alpha_0, \dots, \alpha_{n-1}$ be read as a categorical distribution, that is, as the
# probabilities of $n$ outcomes? What are the outcomes, and what is the output then? Two or three sentences.

# %% [markdown] exercise="why_categorical" role="written"
# (your answer)

# %% [markdown] exercise="recover_a_value" role="statement"
# A head has copied the *sum* $v_a + v_b$ of two values. Both vary from text to text, and here they are columns.
# $v_a$ always lies in one subspace, with the orthonormal basis $a_0, \dots, a_{m-1}$. $v_b$ always lies in
# another one, with the orthonormal basis $b_0, \dots, b_{p-1}$. Each $a_i$ is orthogonal to each $b_j$.
#
# Give a matrix $M$ with $M(v_a + v_b) = v_a$ for all such values, and show that it is right. When can there be
# no such matrix, if the two subspaces are not orthogonal?

# %% [markdown] exercise="recover_a_value" role="written"
# (your answer)

# %% [markdown]
# ## Summary
#
# - A self-attention layer makes a query, a key and a value from each token. With the tokens in the rows of $X$,
#   they are the rows of $Q = XW_Q$, $K = XW_K$ and $V = XW_V$.
# - Outputs are averages of values, so no weights lead out of the convex hull of the values.
# - Outer products build $W_Q$, $W_K$ and $W_V$ by hand: $u v^\top$ takes the column $v$ to $u$.
# - Only the product of $W_Q$ and $W_K$ matters for the logits, so the same layer can be written with many
#   matrices.
# - (Optional part) Gradient descent finds a lookup when the task needs one, and a shortcut when the task allows one.
#
# ## Test yourself
#
# **1.** Two tokens share no feature. Can one attend to the other?
#
# <details><summary><b>Answer</b></summary>
#
# Yes. The logit is $(W_Q x_t)\cdot(W_K x_i)$, so $W_Q$ can take a feature of $x_t$ to the key of $x_i$.
# Without matrices the logit is 0, and the token attends more to itself.
#
# </details>
#
# **2.** A friend multiplies $W_Q$ by 2 and divides $W_K$ by 2. What changes?
#
# <details><summary><b>Answer</b></summary>
#
# Nothing: all logits stay the same, and with them the weights and the outputs.
#
# </details>
#
# **3.** (Optional part) Why did the layer learn a lookup in the second training run, but not in the first one?
#
# <details><summary><b>Answer</b></summary>
#
# In the first run the three tokens were always the same, so the layer could store the answer in $W_V$ and use
# any convenient weights. In the second run the answer was new in every sentence, and the only place to find
# it was the right token.
#
# </details>

# %%
progress()

# %% [markdown]
# **Next:** [04 Build a Transformer](../04_build_a_transformer/04_build_a_transformer.ipynb). There the same
# layer gets several heads, a mask and position embeddings, and its matrices are learned from text.
