# %% [markdown]
# # Keys, queries, values
#
# Three tokens, each made of features. In self-attention every token asks, and every token answers. Here each token is
# its own query, its own key and its own value: attention with nothing learned.

# %% role="setup"
import random

import sympy as sp

from kqa_core.check import attempted, check, hint, progress  # hint("plain_limit") gives a hint
from kqa_core.symbolic import BETA as beta
from kqa_core.symbolic import orthonormal_frame, self_attention, self_attention_weights, standard_basis

# %%
u_a, u_b, u_c, u_d = (beta * e for e in standard_basis(4))  # four features, orthogonal and of length beta
tokens = [u_d + u_b, u_a, u_c + u_b]  # x1, x2, x3
one = sp.eye(4)

weights = self_attention_weights(tokens, one, one)
for loud in (0.5, 1, 2, 3):
    print(f"beta = {loud}")
    for row in weights.subs(beta, loud).evalf(6).tolist():
        print("   ", "  ".join(f"{float(weight):.4f}" for weight in row))

# %% [markdown]
# At $\beta = 3$ the table is the identity. Every token pays attention to itself and the layer hands back what it was
# given: a great deal of arithmetic to do nothing. Tokens 1 and 3 do share a feature, and it does not help them, because
# nobody has more in common with a token than the token.
#
# What a layer *can* do is decided by three matrices, which tell what a token asks, how it is found and what it tells.
# When you leave this notebook you can
#
# 1. say where plain self-attention ends, and what changing a token does to it,
# 2. prove that an output is out of reach, whatever the weights are,
# 3. build a value matrix that holds exactly what the outputs shall be made of,
# 4. build keys and queries that send each token to the value it needs, in any directions and any dimension.

# %% [markdown]
# ## Three tokens
#
# The features $u_a, u_b, u_c, u_d$ are orthogonal, and each has the length $\beta$, so $u \cdot u = \beta^2$. The tokens are
#
# $$x_1 = u_d + u_b, \qquad x_2 = u_a, \qquad x_3 = u_c + u_b.$$
#
# With matrices $K$, $Q$ and $V$ the keys are $K x_j$, the queries $Q x_i$ and the values $V x_j$. Token $i$ asks:
#
# $$\alpha_{ij} = \frac{e^{(K x_j) \cdot (Q x_i)}}{\sum_m e^{(K x_m) \cdot (Q x_i)}}, \qquad c_i = \sum_j \alpha_{ij}\, V x_j.$$
#
# As $\beta$ grows, so do tokens and outputs. *$c_i$ tends to $y$* means here that their distance, measured in units of
# $\lVert u \rVert = \beta$, tends to 0. The logits decide that, and they are easily worked out:

# %%
sp.Matrix(3, 3, lambda i, j: tokens[j].dot(tokens[i]))  # row i: the logits of query i, with K = Q = I

# %% [markdown]
# Your answers must not lean on the standard basis. The checks use directions like these as well: four features of
# length $\beta$ that point nowhere in particular, in more dimensions than four.

# %%
skew = [beta * e for e in orthonormal_frame(4, 5, random.Random(3))]
sp.Matrix.hstack(*skew)  # u_a, u_b, u_c and u_d are its columns

# %% [markdown] exercise="plain_limit" role="statement"
# Without matrices, $K = Q = V = I$: what does the second output $c_2$ tend to as $\beta \to \infty$? Return it as a
# combination of the four vectors, which are sympy columns.


# %% exercise="plain_limit" role="solution"
def plain_limit(u_a, u_b, u_c, u_d):
    """What c2 tends to without matrices, a column. The four are orthogonal columns (d, 1) of length beta."""
    raise NotImplementedError("exercise plain_limit: replace this line with your answer")


# %% exercise="plain_limit" role="check"
check("plain_limit", plain_limit)

# %% [markdown]
# How far $c_2$ still is from your answer, in units of $\lVert u \rVert$:


# %%
def distance(output, limit, at):
    """How far two columns are apart where beta is `at`, in units of beta."""
    return float(((output - limit).subs(beta, at) / at).norm().evalf(30))


limit = attempted(plain_limit, u_a, u_b, u_c, u_d)
if limit is not None:
    output = self_attention(tokens, one, one, one)[1]
    for loud in (0.5, 1, 2, 3):
        print(f"beta = {loud}: {distance(output, limit, loud):.6f}")

# %% [markdown]
# ## Changing the token
#
# Suppose we want $c_2$ to tell about feature $u_b$, which tokens 1 and 3 have and token 2 has not. Token 2 has nothing in
# common with them, so its query finds nothing there. Then give it something: add $u_d$, which token 1 has, or $u_c$,
# which token 3 has. Guess before you compute.

# %% [markdown] exercise="add_and_see" role="statement"
# Still without matrices. What does $c_2$ tend to if $u_d$ is added to $x_2$, so that $x_2 = u_a + u_d$? And what if it is
# $u_c$ that is added instead? Return both limits, in this order.


# %% exercise="add_and_see" role="solution"
def add_and_see(u_a, u_b, u_c, u_d):
    """Two columns: what c2 tends to once u_d is added to x2, and what it tends to once u_c is added instead."""
    raise NotImplementedError("exercise add_and_see: replace this line with your answer")


# %% exercise="add_and_see" role="check"
check("add_and_see", add_and_see)

# %% [markdown]
# Printed solutions often say that the first of these is $x_1$: its key now overlaps with the query, so the query finds
# it. Look at the weights of query 2 now, and at its row in the first table. At $\beta = 1$ token 1 had 0.21 of the weight, and
# gets 0.24. Who gains more?

# %%
changed = [u_d + u_b, u_a + u_d, u_c + u_b]
row = self_attention_weights(changed, one, one)[1, :]
for loud in (0, 0.5, 1, 2, 3):
    print(f"beta = {loud}: ", "  ".join(f"{float(weight):.4f}" for weight in row.subs(beta, loud).evalf(6)))
limits = attempted(add_and_see, u_a, u_b, u_c, u_d)
if limits is not None:
    output = self_attention(changed, one, one, one)[1]
    print(f"at beta = 3, c2 is {distance(output, limits[0], 3):.4f} away from your first limit")

# %% [markdown]
# ## Out of reach
#
# Neither change gave $u_b$. Perhaps a cleverer one does: $x_2 = u_a + s\,u_d + t\,u_c$, with any numbers $s$ and $t$. No. The
# weights are positive and add up to 1, so $c_2$ is an *average* of the tokens: it lies in their convex hull. That $u_b$
# does not lie there can be seen in two ways.
#
# - *The weights that would be needed.* $u_b$ has no part along $u_a$, $u_c$ and $u_d$. Three equations, three weights.
# - *A direction that keeps them apart.* If $w \cdot u_b$ is larger than each $w \cdot x_i$, it is larger than
#   $w \cdot c$ for every average $c$ of the tokens.

# %% [markdown] exercise="hull_proof" role="statement"
# With $x_2 = u_a + s\,u_d + t\,u_c$ (`s` and `t` are any two numbers, positive or not), return two things:
#
# 1. `weights`: the three numbers $(\alpha_1, \alpha_2, \alpha_3)$ for which $\alpha_1 x_1 + \alpha_2 x_2 + \alpha_3 x_3$
#    has no part along $u_a$, $u_c$ or $u_d$. There is one such triple only: what does it add up to?
# 2. `w`: a column with $w \cdot u_b > w \cdot x_i$ for all three tokens. It may depend on `s` and `t`.


# %% exercise="hull_proof" role="solution"
def hull_proof(u_a, u_b, u_c, u_d, s, t):
    """(weights, w): three numbers, and a column (d, 1) along which u_b lies beyond all three tokens."""
    raise NotImplementedError("exercise hull_proof: replace this line with your answer")


# %% exercise="hull_proof" role="check"
check("hull_proof", hull_proof)

# %%
for s, t in ((1, 0), (0, 1), (-2, -3)):
    proof = attempted(hull_proof, u_a, u_b, u_c, u_d, sp.Integer(s), sp.Integer(t))
    if proof is None:
        break
    needed, w = proof
    places = [sp.expand(w.dot(x)) for x in (u_d + u_b, u_a + s * u_d + t * u_c, u_c + u_b, u_b)]
    print(
        f"s = {s:2}, t = {t:2}: needed weights add up to {sum(needed)};  w·x1, w·x2, w·x3 | w·u_b =", *places[:3], "|", places[3]
    )

# %% [markdown]
# A convex hull is a hard wall: no query, no key and no loudness leads out of it. What can be moved is the wall itself. The
# averages are averages of *values*, and values need not be tokens.

# %% [markdown]
# ## Values
#
# We now want two outputs at once: $c_1$ should tend to $u_b - u_c$, and $c_2$ to $u_b$. Neither is an average of tokens. So
# let the values be just these two vectors: the one that token 1 tells is $u_b$, the one that token 3 tells $u_b - u_c$.
#
# The bricks for such a matrix are *outer products*. $u v^\top$ is a matrix, and $(u v^\top) x = u\,(v \cdot x)$: it asks how
# much of $v$ is in $x$, and says so in terms of $u$.

# %%
product = u_a * u_d.T
[(product * x).T for x in tokens]  # only the first token holds u_d

# %% [markdown] exercise="value_matrix" role="statement"
# Return a matrix $V$, as sympy, with $V x_1 = u_b$ and $V x_3 = u_b - u_c$, exactly and for every $\beta$. What it makes of
# $x_2$ is up to you. The vectors may have more than four entries; $V$ is square.


# %% exercise="value_matrix" role="solution"
def value_matrix(u_a, u_b, u_c, u_d, beta):
    """V, shape (d, d), with V x1 = u_b and V x3 = u_b - u_c. The four are orthogonal columns (d, 1) of length beta."""
    raise NotImplementedError("exercise value_matrix: replace this line with your answer")


# %% exercise="value_matrix" role="check"
check("value_matrix", value_matrix)

# %% [markdown]
# The three values you made, in the standard basis, where the entries are the parts along $u_a, u_b, u_c, u_d$:

# %%
V = attempted(value_matrix, u_a, u_b, u_c, u_d, beta)
if V is not None:
    for name, x in zip(("x1", "x2", "x3"), tokens, strict=True):
        print(f"V {name} =", sp.simplify(V * x).T.tolist()[0])

# %% [markdown]
# ## Keys and queries
#
# The values are there; now they have to be found. Token 1 must find the value of token 3, and token 2 that of token 1.
# Left to themselves, all find their own. Who is found by whom is a table of logits,
#
# $$(K x_j) \cdot (Q x_i) = x_j^\top K^\top Q\, x_i,$$
#
# and $K$ and $Q$ write it. Play first. An entry of $K$ or $Q$ takes one direction (*from*, its column) to another
# (*to*, its row), and two tokens meet where a key and a query point the same way. Start from `K = Q = 0`.

# %%
from kqa_core.show import playground

playground(beta=1.5)

# %% [markdown] exercise="key_query" role="statement"
# Return $K$ and $Q$, as sympy, so that with such a $V$ the first output tends to $u_b - u_c$ and the second to $u_b$ as
# $\beta \to \infty$, wherever the four directions point and in however many dimensions. Any pair that does it is right. $K$ and
# $Q$ need not be square: they multiply tokens, and have the same number of rows.
#
# The check uses a $V$ with $V x_2 = 0$. If your pair needs another one, return it as a third matrix: `return K, Q, V`.


# %% exercise="key_query" role="solution"
def key_query(u_a, u_b, u_c, u_d, beta):
    """K and Q, both of shape (r, d): with them c1 tends to u_b - u_c and c2 to u_b. The four are columns (d, 1)."""
    raise NotImplementedError("exercise key_query: replace this line with your answer")


# %% exercise="key_query" role="check"
check("key_query", key_query)

# %% [markdown]
# Your table of logits, exactly, and what becomes of the weights. Row $i$ belongs to query $i$; the third may do as it likes.

# %%
pair = attempted(key_query, u_a, u_b, u_c, u_d, beta)
if pair is not None:
    K, Q = pair[:2]
    table = sp.Matrix(3, 3, lambda i, j: sp.simplify((K * tokens[j]).dot(Q * tokens[i])))
    print("logits ", table.tolist())
    for loud in (1, 2, 4):
        rows = sp.Matrix([[sp.exp(logit.subs(beta, loud)) for logit in table[i, :]] for i in range(2)]).evalf(6)
        shares = [[f"{float(number / sum(rows[i, :])):.4f}" for number in rows[i, :]] for i in range(2)]
        print(f"beta = {loud}:  query 1", *shares[0], "  query 2", *shares[1])

# %% [markdown]
# All of it in one picture. Left, the wall: three choices of $x_2$, three hulls, and $u_b$ beyond the dashed line. Right,
# the hull of the *values*, whose corners are the outputs we want, and your $K$ and $Q$ on their way into the corners.

# %%
from kqa_core.show import reach_figure

reach_figure(pair, beta)

# %% [markdown]
# ## Break it
#
# Keys and queries look alike: both are tokens times a matrix, and a dot product does not mind the order. So exchange $K$
# and $Q$, and see whether the check notices.


# %% tags=["raises-exception"]
def exchanged(u_a, u_b, u_c, u_d, beta):
    K, Q = key_query(u_a, u_b, u_c, u_d, beta)[:2]
    return Q, K


check("key_query", exchanged)

# %% [markdown]
# The table of logits is transposed by the exchange: who asked is asked now. Most pairs do not survive it, as a table that says
# "1 looks for 3, 2 looks for 1" points one way, and turned round it says "3 looks for 1, 1 looks for 2". It need not be so:
# a symmetric table can do the job, if token 1 likes token 3 best and token 2 next. Can you find one? Even a single matrix,
# $K = Q$, is enough, if some keys are longer than others.
#
# Now turn a single sign round: let $K$ take $-u_d$ for $u_d$. A query that looked for the token with $u_d$ now flees it.


# %% tags=["raises-exception"]
def one_sign(u_a, u_b, u_c, u_d, beta):
    K, Q = key_query(u_a, u_b, u_c, u_d, beta)[:2]
    mirror = sp.eye(len(u_a)) - 2 * u_d * u_d.T / beta**2  # turns u_d round, and nothing else
    return K * mirror, Q


check("key_query", one_sign)

# %%
progress()

# %% [markdown]
# Next: **04 build a Transformer**, where such matrices are learned, many at a time.
