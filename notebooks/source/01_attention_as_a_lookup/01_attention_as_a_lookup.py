# %% [markdown]
# # Attention as a lookup
#
# A dictionary gives back the value that belongs to a key. Here is one with three entries, and a lookup by attention. We
# ask for the third entry, using its own key, letter for letter.

# %% role="setup"
import random

import sympy as sp
import torch

from kqa_core.check import attempted, check, hint, progress  # hint("copy_one") gives a hint

# %%
keys = torch.eye(3)  # three orthonormal keys, one in each row
values = torch.tensor([10.0, 20.0, 30.0])


def look_up(query):
    weights = torch.softmax(keys @ query, dim=0)
    return weights @ values


print(f"asked with the key itself:  {look_up(keys[2]):.2f}")
print(f"asked twenty times as loud: {look_up(20 * keys[2]):.2f}")

# %% [markdown]
# The right key gives the wrong answer: 23.64 is nobody's value. The same key, made twenty times as long, gives 30. In a
# dictionary a key matches or it does not; in attention it matches *more or less*, and how much more decides whether you
# get a value or a blend. That can be a nuisance, and it is also the whole point: blends can be steered.
#
# When you leave this notebook you can
#
# 1. say when attention copies one value, and when it averages,
# 2. write down queries that copy and that average, and prove it for keys you have never seen,
# 3. work out how fast a growing query gets there, and what that costs in length,
# 4. reach any weights you like with four concrete keys in three dimensions,
# 5. steer the answer by changing a key in place of the query.

# %% [markdown]
# ## The equation for one query
#
# Keys $k_0, \dots, k_{n-1}$ and values $v_0, \dots, v_{n-1}$ are vectors, one pair for each entry. A query $q$ gets one
# *logit* $k_i \cdot q$ from each key, the softmax makes *weights* of them, and the output is the weighted average:
#
# $$\alpha_i = \frac{e^{k_i \cdot q}}{\sum_m e^{k_m \cdot q}}, \qquad c = \sum_i \alpha_i v_i.$$
#
# The weights are positive and add up to 1, so $c$ lies between the values: inside their triangle, if there are three.
# The values play no part in the weights, and the keys enter through the logits alone. With sympy we can watch this
# exactly, without rounding.

# %%
from kqa_core.symbolic import attention_weights, orthonormal_frame, standard_basis

x, y = sp.symbols("x y", real=True)
attention_weights(standard_basis(3), sp.Matrix([x, y, 0]))

# %% [markdown]
# The standard basis is convenient but special. Nothing about attention depends on it, and your answers must not either,
# so the checks also use keys like these: orthonormal, rational, and pointing nowhere in particular.

# %%
frame = orthonormal_frame(3, 3, random.Random(4))
sp.Matrix.hstack(*frame)  # the keys are its columns

# %% [markdown]
# ## Copying one value
#
# Divide two weights and the sum cancels: $\alpha_i / \alpha_j = e^{k_i \cdot q - k_j \cdot q}$. One difference of logits
# decides how two entries share. Before you compute anything, put the condition for a copy into words.

# %% [markdown] exercise="copy_condition" role="statement"
# In one sentence: under which condition on the keys and the query is the output close to $v_j$, that is
# $c \approx v_j$, whatever the values are?

# %% [markdown] exercise="copy_condition" role="written"
# *Your answer here.*

# %% [markdown] exercise="copy_one" role="statement"
# The keys are orthonormal: $k_i \cdot k_i = 1$, and $k_i \cdot k_m = 0$ for $i \ne m$. `keys` is a list of sympy
# columns, `j` an index into it, and `beta` a positive symbol. Return a query $q(\beta)$, a column as long as a key, for
# which the weight on key `j` tends to 1 as $\beta \to \infty$.
#
# The check looks at the limit, not at a number: a weight of 0.99999 that stays there is not a copy.


# %% exercise="copy_one" role="solution"
def copy_one(keys, j, beta):
    """A query, shape (d, 1), whose output tends to value j as beta grows. keys: a list of orthonormal columns (d, 1)."""
    raise NotImplementedError("exercise copy_one: replace this line with your answer")


# %% exercise="copy_one" role="check"
check("copy_one", copy_one)

# %% [markdown]
# This is what your query does with the frame above. Read down: the louder it asks, the more exactly it is answered.

# %%
beta = sp.Symbol("beta", positive=True)
query = attempted(copy_one, frame, 2, beta)
if query is not None:
    for loud in (0, 1, 3, 10, 30):
        weights = attention_weights(frame, query.subs(beta, loud)).evalf()
        print(f"beta = {loud:2}:  weights", ", ".join(f"{float(weight):.6f}" for weight in weights))

# %% [markdown]
# ## Averaging two values
#
# A dictionary cannot answer "half of this, half of that". Attention can: that is what its softness is good for.

# %% [markdown] exercise="average_two" role="statement"
# With orthonormal keys as before, return a query $q(\beta)$ for which the output tends to $\tfrac12 (v_a + v_b)$ as
# $\beta \to \infty$, for two different indices `a` and `b`. Any query that does it is right.


# %% exercise="average_two" role="solution"
def average_two(keys, a, b, beta):
    """A query, shape (d, 1), whose output tends to the mean of values a and b as beta grows. keys: orthonormal (d, 1)."""
    raise NotImplementedError("exercise average_two: replace this line with your answer")


# %% exercise="average_two" role="check"
check("average_two", average_two)

# %% [markdown]
# Four keys this time, and the average of the values 1 and 3. The other two lose their weight at the pace you gave them.

# %%
four = orthonormal_frame(4, 4, random.Random(8))
query = attempted(average_two, four, 1, 3, beta)
if query is not None:
    for loud in (1, 3, 10):
        weights = attention_weights(four, query.subs(beta, loud)).evalf()
        print(f"beta = {loud:2}:  weights", ", ".join(f"{float(weight):.6f}" for weight in weights))

# %% [markdown]
# ## How fast?
#
# A limit says where, not when. Two queries that average $v_a$ and $v_b$ can differ a great deal on the way. Suppose the
# logits of a and b are $\beta$ in both, while
#
# - with the *first* query all other logits are $0$,
# - with the *second* query all other logits are $-\beta$.
#
# For large $\beta$, how far is $\alpha_a$ from one half? A *leading order* is an expression whose ratio to the true
# distance tends to 1.

# %% [markdown] exercise="average_two_rate" role="statement"
# There are `n` keys, $n \ge 3$. Return two sympy expressions in `beta`: the leading order of $\tfrac12 - \alpha_a$ as
# $\beta \to \infty$ for the first query and for the second, constants included.


# %% exercise="average_two_rate" role="solution"
def average_two_rate(n, beta):
    """The leading orders of 1/2 - alpha_a for the first and the second query: two expressions in beta, for n keys."""
    raise NotImplementedError("exercise average_two_rate: replace this line with your answer")


# %% exercise="average_two_rate" role="check"
check("average_two_rate", average_two_rate)

# %% [markdown]
# Lines are exact, dots are what you predicted. On a log scale an exponential is a straight line: its slope is the rate,
# its height the constant. Where do the dots leave the lines, and why there?

# %%
from kqa_core.show import rates_figure, weight_map

rates_figure(attempted(average_two_rate, sp.Integer(6), beta), 6, beta)

# %% [markdown]
# Now set it in motion. On the left the weights, in the middle the output on its way inside the triangle of three values,
# on the right the distance from one half. Raise the number of keys n: what moves, and what does not?

# %%
from kqa_core.show import lookup_slider

lookup_slider(beta=2.0)

# %% [markdown]
# ## What speed costs
#
# The second query is faster at equal $\beta$. But it is also longer, and loudness is not free: in a trained model,
# norms are what weight decay holds down. A fair race compares queries of the *same length* $R$ by their *margin*: how
# far the lower of the logits a and b is above the highest of all others.
#
# Both queries are combinations of the keys, with coefficients $\beta, \beta, 0, \dots, 0$ and
# $\beta, \beta, -\beta, \dots, -\beta$. The keys are orthonormal, so Pythagoras gives you the lengths.

# %% [markdown] exercise="best_query" role="statement"
# Given `keys` (a list of $n \ge 3$ orthonormal columns), `a`, `b` and a positive symbol `R`, return three things:
#
# 1. `second_wins`: True if, at equal length, the second query has the larger margin for this n, and False if it has
#    not (a tie is not a win),
# 2. `q`: among all queries of length `R` in the span of the keys, the one with the largest margin,
# 3. `margin`: that margin, as an expression in `R`.


# %% exercise="best_query" role="solution"
def best_query(keys, a, b, R):
    """(second_wins, q, margin): a bool, the query (d, 1) of length R with the largest margin, and that margin."""
    raise NotImplementedError("exercise best_query: replace this line with your answer")


# %% exercise="best_query" role="check"
check("best_query", best_query)

# %% [markdown]
# Margins at length 1, as n grows. The second query starts well and falls behind; the best one is ahead of both
# throughout.

# %%
R = sp.Symbol("R", positive=True)
found = attempted(best_query, standard_basis(3), 0, 1, R)
if found is not None:
    print("  n   first  second    best   second wins")
    for n in (3, 5, 8, 12, 30):
        wins, _, margin = best_query(standard_basis(n), 0, 1, R)
        first, second = 1 / 2**0.5, 2 / n**0.5
        print(f"{n:3}  {first:6.3f}  {second:6.3f}  {float(sp.sympify(margin).subs(R, 1)):6.3f}   {bool(wins)}")

# %% [markdown]
# ## Four keys in three dimensions
#
# Orthonormal keys are a luxury: there are never more of them than dimensions. Here are four keys in three, with plain
# numbers, as the rows of a matrix. From here on you work in torch, in float64.

# %% role="setup"
K = torch.tensor(
    [
        [-0.1, 0.6, 0.2],
        [1.1, 1.1, 0.2],
        [0.4, -1.3, -1.2],
        [1.1, -0.3, 0.8],
    ],
    dtype=torch.float64,
)

# %%
weight_map(torch.softmax(100 * K @ K.T, dim=1), rows="key as query")

# %% [markdown]
# We asked a hundred times as loud, each time with one of the keys. Rows 1, 2 and 3 find themselves. Row 0 does not: it
# finds key 1. Key 0 is short and leans towards key 1, so whatever pleases key 0 pleases key 1 more. Is key 0 lost?

# %% [markdown] exercise="select_first" role="statement"
# Return a query `q` of shape (3,) for which the softmax of `K @ q` gives row 0 a weight above 0.99. Your function gets
# `K`, shape (4, 3) and float64; it must also work for other keys. The keys it is tried on have one thing in common:
# the four points do not lie in one plane.


# %% exercise="select_first" role="solution"
def select_first(K):
    """A query, shape (3,), that gives row 0 of K more than 0.99 of the weight. K: (4, 3) float64."""
    raise NotImplementedError("exercise select_first: replace this line with your answer")


# %% exercise="select_first" role="check"
check("select_first", select_first)

# %%
q = attempted(select_first, K)
if q is not None:
    print("logits ", [round(float(logit), 2) for logit in K @ q.double()])
    print("weights", [round(float(weight), 4) for weight in torch.softmax(K @ q.double(), dim=0)])

# %% [markdown]
# Look at the logits: only their differences count. What works for one row works for all four at once.

# %% [markdown] exercise="identity_map" role="statement"
# Return `Q` of shape (4, 3), one query in each row, so that `softmax(Q @ K.T)` over each row is nearly the identity:
# every query gives its own key a weight above 0.99.


# %% exercise="identity_map" role="solution"
def identity_map(K):
    """Queries, shape (4, 3): row i gives key i more than 0.99 of the weight. K: (4, 3) float64."""
    raise NotImplementedError("exercise identity_map: replace this line with your answer")


# %% exercise="identity_map" role="check"
check("identity_map", identity_map)

# %%
Q = attempted(identity_map, K)
weight_map(torch.softmax(Q.double() @ K.T, dim=1)) if Q is not None else None

# %% [markdown]
# That is a dictionary again: each query, one entry. Between the dictionary and the plain average lies everything else,
# and all of it can be reached.

# %% [markdown] exercise="exact_logits" role="statement"
# Given `K` and `weights`, shape (4,), positive and adding up to 1, return a query of shape (3,) whose softmax weights
# are *exactly* these, to 1e-10.


# %% exercise="exact_logits" role="solution"
def exact_logits(K, weights):
    """A query, shape (3,), with softmax(K @ q) equal to weights to 1e-10. K: (4, 3), weights: (4,), both float64."""
    raise NotImplementedError("exercise exact_logits: replace this line with your answer")


# %% exercise="exact_logits" role="check"
check("exact_logits", exact_logits)

# %% [markdown]
# Any recipe can be ordered, say 10, 20, 30 and 40 percent:

# %%
wanted = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)
q = attempted(exact_logits, K, wanted)
if q is not None:
    print("weights", [round(float(weight), 9) for weight in torch.softmax(K @ q.double(), dim=0)])

# %% [markdown]
# Two orders are common enough to have names.

# %% [markdown] exercise="average_all" role="statement"
# Return a query, shape (3,), that gives all four rows the same weight, to within 0.01.


# %% exercise="average_all" role="solution"
def average_all(K):
    """A query, shape (3,), that gives each row of K a weight of 1/4, to within 0.01. K: (4, 3) float64."""
    raise NotImplementedError("exercise average_all: replace this line with your answer")


# %% exercise="average_all" role="check"
check("average_all", average_all)

# %% [markdown] exercise="average_first_two" role="statement"
# Return a query, shape (3,), that gives rows 0 and 1 a weight of ½ each, to within 0.01. Mind that these keys are not
# orthonormal.


# %% exercise="average_first_two" role="solution"
def average_first_two(K):
    """A query, shape (3,), that gives rows 0 and 1 of K a weight of 1/2 each, to within 0.01. K: (4, 3) float64."""
    raise NotImplementedError("exercise average_first_two: replace this line with your answer")


# %% exercise="average_first_two" role="check"
check("average_first_two", average_first_two)

# %%
queries = [q.double() for q in (attempted(average_all, K), attempted(average_first_two, K)) if q is not None]
weight_map(torch.softmax(torch.stack(queries) @ K.T, dim=1)) if queries else None

# %% [markdown]
# ## Changing the key instead
#
# So far the keys were given and the query was yours. In a model both are learned, and a token that wants to be read can
# change its *key*. Here is a query that averages the first two values, exactly because its first two logits are equal.
# From now on it stays as it is.

# %% role="setup"
q_two = torch.tensor([-5.0, 12.0, -13.0], dtype=torch.float64)

# %%
print("logits ", [round(float(logit), 2) for logit in K @ q_two])
print("weights", [round(float(weight), 4) for weight in torch.softmax(K @ q_two, dim=0)])

# %% [markdown] exercise="rekey_average_three" role="statement"
# `q` averages the first two values of `K`, as above. Return a new key, shape (3,), to stand in row 2 of `K`, so that
# the *same* `q` averages the first *three* values: weights of ⅓ each, to within 0.01.


# %% exercise="rekey_average_three" role="solution"
def rekey_average_three(K, q):
    """A new key for row 2, shape (3,): with it, q gives rows 0, 1 and 2 a weight of 1/3 each. K: (4, 3), q: (3,)."""
    raise NotImplementedError("exercise rekey_average_three: replace this line with your answer")


# %% exercise="rekey_average_three" role="check"
check("rekey_average_three", rekey_average_three)

# %% [markdown] exercise="rekey_unit_select" role="statement"
# Now be greedy. Return a new key of *unit length* for row 2, so that the same `q` returns $v_2$: a weight above 0.99 on
# row 2. (Length 1 to within 1e-6. For the keys and queries used here it can be done.)


# %% exercise="rekey_unit_select" role="solution"
def rekey_unit_select(K, q):
    """A new key of length 1 for row 2, shape (3,): with it, q gives row 2 more than 0.99 of the weight."""
    raise NotImplementedError("exercise rekey_unit_select: replace this line with your answer")


# %% exercise="rekey_unit_select" role="check"
check("rekey_unit_select", rekey_unit_select)

# %% [markdown]
# The same query before and after: three tables of keys, three answers.

# %%
rows = [torch.softmax(K @ q_two, dim=0)]
for new_key in (attempted(rekey_average_three, K, q_two), attempted(rekey_unit_select, K, q_two)):
    if new_key is not None:
        changed = torch.cat([K[:2], new_key.double()[None], K[3:]])  # (4, 3)
        rows.append(torch.softmax(changed @ q_two, dim=0))
weight_map(torch.stack(rows), rows="table of keys")

# %% [markdown]
# ## Break it
#
# Spoil something that works, and see whether the check notices. Take your query that averages two values and favour key
# a by a tenth of a percent. At $\beta = 10$ nobody could tell from the weights.


# %% tags=["raises-exception"]
def lopsided(keys, a, b, beta):
    return average_two(keys, a, b, beta) + beta * keys[a] / 1000


query = attempted(lopsided, standard_basis(3), 0, 1, beta)
if query is not None:
    nearly = attention_weights(standard_basis(3), query.subs(beta, 10)).evalf()
    print("at beta = 10:", ", ".join(f"{float(weight):.3f}" for weight in nearly))
check("average_two", lopsided)

# %% [markdown]
# The check compares how fast logits *grow*. The difference of the two is $\beta/1000$, which has no bound, so in the end
# one key takes all. An average of two sits on a knife's edge: the next notebook puts noise on the keys and pushes.

# %% [markdown]
# ## In your own words
#
# Three short answers, read by a person. One to four sentences each.

# %% [markdown] exercise="why_select" role="statement"
# A query has three numbers and there are four logits to place. Why could row 0 be selected all the same? And where would
# a key have to lie for *no* query to select it?

# %% [markdown] exercise="why_select" role="written"
# *Your answer here.*

# %% [markdown] exercise="why_average" role="statement"
# The query that averages everything is the same for all keys, while the one that averages two must know them. Why? What
# else does the second one need that the first does not?

# %% [markdown] exercise="why_average" role="written"
# *Your answer here.*

# %% [markdown] exercise="why_rekey" role="statement"
# In the last two exercises the query stayed. Through what does a key act on the weights, and how could a key of length 1
# win against keys that are longer?

# %% [markdown] exercise="why_rekey" role="written"
# *Your answer here.*

# %%
progress()

# %% [markdown]
# Next: **02 one head or many**, where the keys stop standing still.
