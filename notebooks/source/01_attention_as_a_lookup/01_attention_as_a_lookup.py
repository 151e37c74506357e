# %% [markdown]
# # Attention as a lookup
#
# A dictionary returns the value that belongs to a key. Here is a dictionary with three entries, and a lookup
# by attention. We ask for the third entry, and we use exactly its own key as the query.

# %% role="setup"
import random

import sympy as sp
import torch

from kqa_core.check import attempted, check, hint, progress, solution  # hint("copy_one") gives a hint

# %%
keys = torch.eye(3)  # the keys of "animal", "cross" and "tired", one in each row
values = torch.tensor([10.0, 20.0, 30.0])


def look_up(q):
    weights = torch.softmax(keys @ q, dim=0)
    return weights @ values


print(f"query = the key of 'tired':            {look_up(keys[2]):.2f}")
print(f"query = 20 times the key of 'tired':   {look_up(20 * keys[2]):.2f}")

# %% [markdown]
# The key is right and the answer is wrong: 23.64 is not a value of this dictionary. A query that is twenty
# times as long gives 30, the value of *tired*. In notebook 00 a trained head put
# nearly all its weight on one letter, as the second query does here. In a dictionary, a key matches or it does
# not. In attention it matches *to some degree*. The degree decides whether you get one value or a mixture of
# several. This notebook is about controlling that mixture.
#
# After this notebook you can
#
# 1. say when attention copies one value and when it averages several,
# 2. construct queries that copy and queries that average, for keys that you have never seen,
# 3. (optional) reach any weights that you like with four given keys in three dimensions,
# 4. (optional) control the output by changing a key while the query stays the same,
# 5. (optional) explain what copying and averaging are good for in a language model.
#
# **Time.** Part 1 takes about an hour, part 2 about 95 minutes. You can stop between them, and again before
# the section *Changing a key*. An optional section at the end takes about 50 minutes more.
#
# **Core and optional** ([the map of paths](../00_start_here/00_start_here.ipynb#Paths-through-the-course)
# is in notebook 00). Part 1 is core, except the two questions about a language model. They and Part 2 are
# optional.
#
# **You need** notebook 00, matrix products and dot products. The
# [table of symbols](../00_start_here/00_start_here.ipynb#Symbols) is in notebook 00.

# %% [markdown]
# ## Part 1. Orthonormal keys
#
# ### Attention for one query
#
# **Question.** Where does 23.64 come from?
#
# **Example.** The query is the key of *tired*, $q = (0, 0, 1)$. We follow the three steps of notebook 00.
#
# 1. *Logits.* The dot products of the three keys with $q$ are $(0, 0, 1)$.
# 2. *Weights.* The exponentials are $(1, 1, 2.718)$, and their sum is $4.718$. Dividing by it gives
#    $(0.212, 0.212, 0.576)$.
# 3. *Output.* $0.212 \cdot 10 + 0.212 \cdot 20 + 0.576 \cdot 30 = 23.64$.
#
# So a lead of 1 over the other logits is not much: the two wrong entries still share 42 % of the weight.

# %%
logits = keys @ keys[2]
weights = torch.softmax(logits, dim=0)
print("logits ", logits)
print("weights", weights)
print("output ", weights @ values)

# %% [markdown]
# **In general** there are $n$ keys $k_0, \dots, k_{n-1}$ and $n$ values $v_0, \dots, v_{n-1}$. All keys have
# as many entries as the query $q$. The logits $s_i$, the weights $\alpha_i$ and the output $c$ are
#
# $$s_i = k_i \cdot q, \qquad \alpha_i = \frac{e^{s_i}}{\sum_m e^{s_m}}, \qquad c = \sum_i \alpha_i v_i.$$
#
# | symbol | shape | meaning |
# |---|---|---|
# | $q$ | $(d)$ | the query |
# | $K$ | $(n, d)$ | the keys, one in each row; the logits are the product $Kq$ |
# | $s$, $\alpha$ | $(n)$ | logits and weights, one for each key |
# | $V$ | $(n, d_v)$ | the values, one in each row; in the example a value is one number |
# | $c$ | $(d_v)$ | the output, with as many entries as a value |
#
# Two facts follow at once. First, the weights depend only on the query and the keys, not on the values.
# Second, the weights are positive and add up to 1, so the output always lies *between* the values: here between
# $10$ and $30$. If the values are three points of the plane, the output lies inside their triangle.

# %% [markdown]
# ### Letters instead of numbers
#
# In this part we want statements about *all* large queries, and not only about one. So we use **sympy**, a
# library that computes with letters as you do on paper. A letter is a `Symbol`; an expression with letters
# stays as it is until you put in a number with `subs`.

# %%
x = sp.Symbol("x")
weight = sp.exp(x) / (sp.exp(x) + 2)  # the weight of a logit x beside two logits 0
weight

# %%
print("exact, at x = 1:    ", weight.subs(x, 1))
print("as a decimal:       ", float(weight.subs(x, 1)))
print("limit for x → ∞:    ", sp.limit(weight, x, sp.oo))  # sp.oo is infinity

# %% [markdown]
# The decimal is the weight $0.576$ of *tired* again. The last line says more than any number could: the
# weight tends to 1 as $x$ grows. When a check asks for a limit, it does such a computation with your answer.
#
# In sympy a vector is a column, `sp.Matrix([1, 2, 3])`. The next cell imports three functions.
# `standard_basis(3)` makes the standard basis of three dimensions, as a list of columns.
# `attention_weights(keys, q)` computes the weights $\alpha_i$ exactly. `orthonormal_frame` makes other keys;
# we come to it after this cell.

# %% role="setup"
from kqa_core.symbolic import attention_weights, orthonormal_frame, standard_basis

# %%
attention_weights(standard_basis(3), sp.Matrix([0, 0, x]))

# %% [markdown]
# **Orthonormal keys.** The standard basis is a special case of *orthonormal* keys: each key has length 1, so
# $k_i \cdot k_i = 1$, and two different keys are perpendicular, so $k_i \cdot k_m = 0$. Here are three
# orthonormal keys that point in other directions. `orthonormal_frame(3, 3, random.Random(3))` draws them: 3
# keys in 3 dimensions. The last argument is a source of random numbers with the seed 3, so you get the same
# keys at each run. The next cell shows them as the columns of a matrix.

# %%
frame = orthonormal_frame(3, 3, random.Random(3))
sp.Matrix.hstack(*frame)  # the three columns side by side

# %% [markdown]
# You can check two products by hand: $k_0 \cdot k_0 = (1 + 16 + 64) / 81 = 1$ and
# $k_0 \cdot k_1 = (4 + 28 - 32) / 81 = 0$.
#
# **Predict.** What are the three logits of the query $q = 2 k_0 - k_2$?

# %%
q = 2 * frame[0] - frame[2]
[key.dot(q) for key in frame]  # key.dot(q) is the dot product of two columns

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The logits are the coefficients of the query: 2, 0 and −1. For example
# $k_0 \cdot q = 2\, k_0 \cdot k_0 - k_0 \cdot k_2 = 2 \cdot 1 - 0 = 2$.
#
# </details>

# %% [markdown]
# In general, if the keys are orthonormal, the query $q = \sum_i a_i k_i$ has the logits $s_i = a_i$. So with
# orthonormal keys you can choose the logits freely.
#
# Your answers in this part must work for every set of orthonormal keys. So the checks use keys like these as
# well as the standard basis.

# %% [markdown]
# ### Copying one value
#
# **Question.** Our model is processing the word *it* in "The animal didn't cross the street because **it**
# was tired". To understand *it*, the model should fetch the information stored at *animal* and nothing else.
# In terms of attention, the output should be almost exactly the value of *animal*. We call this **copying**.
#
# **Example.** *animal* has the key $k_0 = (1, 0, 0)$. We take the query $q = 4 k_0 = (4, 0, 0)$. The logits
# are $(4, 0, 0)$. The exponentials are $(54.6, 1, 1)$, which sum to $56.6$. Dividing gives the weights
# $(0.965, 0.018, 0.018)$. (They are rounded, so here they add up to 1.001. In later examples, too, the
# rounded weights may add up to a little more or less than 1.) So 96.5 % of the output is the value of
# *animal*.
#
# **Predict.** What happens to the weight 0.965 if you double the query to $(8, 0, 0)$?

# %%
for q in (4 * keys[0], 8 * keys[0]):
    weights = torch.softmax(keys @ q, dim=0)
    print("logits", (keys @ q).tolist(), " weights", [round(float(weight), 4) for weight in weights])

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# It rises to 0.9993, because $e^8 \approx 2981$ and $2981 / 2983 = 0.9993$. Each extra unit of lead
# multiplies the ratio of two weights by $e \approx 2.7$.
#
# </details>

# %% [markdown]
# **In general.** Divide two weights, and the sum in the denominator cancels:
#
# $$\frac{\alpha_i}{\alpha_j} = \frac{e^{s_i}}{e^{s_j}} = e^{s_i - s_j}.$$
#
# The ratio depends only on the *difference* of the two logits. So nothing changes if you add the same number
# to all logits: the logits $(4, 0, 0)$ and $(104, 100, 100)$ have the same weights. We will use this in part
# 2.
#
# No weight ever reaches exactly 1, because the other exponentials are never 0. So "copy" always means *in the
# limit*: the weight tends to 1 as the query grows. We write the query as $q(\beta)$, where $\beta$ is its
# scale, and let $\beta$ grow.

# %% [markdown]
# **Explore.** The next figure has two orthonormal keys in the plane, $k_0 = (1, 0)$ and $k_1 = (0, 1)$. Each
# point of the plane is a query, and its colour shows which key gets the larger weight. A paler colour means
# that the two weights are closer to each other. The bars show the weights of the query that the arrow marks.
# Drag the arrow, or click on the figure and use the arrow keys; the keys + and − make the query longer and
# shorter. First turn the query, then change only its length.
#
# **Predict.** For which queries do both keys get the same weight?

# %%
from kqa_core.show import query_plane

query_plane(torch.eye(2), query=(2.0, 0.5))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# For the queries on the diagonal, such as $(2, 2)$: there the two logits are equal. The direction of the
# query decides which key wins, and its length decides how clearly.
#
# </details>

# %% [markdown] exercise="copy_condition" role="statement"
# The values are any fixed vectors. Under which condition on the keys and the query is the output close to $v_j$?
# Answer in one or two sentences.

# %% [markdown] exercise="copy_condition" role="written"
# *Your answer here.*

# %% [markdown] exercise="copy_one" role="statement"
# The keys are orthonormal. `keys` is a list of sympy columns, `j` is an index into this list, and `beta` is a
# positive symbol. Return a query $q(\beta)$, a column with as many entries as a key, for which the weight of
# key `j` tends to 1 as $\beta \to \infty$.
#
# The check looks at the limit and not at a number: a query whose weight stays at 0.99999 does not copy.


# %% exercise="copy_one" role="solution"
def copy_one(keys, j, beta):
    """A query, shape (d, 1), whose output tends to value j as beta grows.
    keys: a list of orthonormal columns (d, 1).
    """
    raise NotImplementedError("exercise copy_one: replace this line with your answer")


# %% exercise="copy_one" role="check"
check("copy_one", copy_one)

# %% [markdown]
# **Explore.** The next cell uses your query with the frame from above and $j = 2$. Read the rows from top to
# bottom: as $\beta$ grows, the third weight tends to 1.

# %%
beta = sp.Symbol("beta", positive=True)


def show_weights(keys, q, scales):
    """Print the weights of a query for several values of beta."""
    for scale in scales:
        weights = attention_weights(keys, q.subs(beta, scale)).evalf()
        print(f"beta = {scale:5}:  weights", ", ".join(f"{float(weight):.6f}" for weight in weights))


q = attempted(copy_one, frame, 2, beta)
if q is not None:
    show_weights(frame, q, (0, 1, 3, 10, 30))

# %% [markdown]
# If your query is 0 at $\beta = 0$, the first row shows three times 0.333333. The zero query gives every key
# the logit 0, so it averages all values, whatever the keys are.
#
# > **Takeaway.** The direction of a query selects a key, and its length decides how far that key leads. Only
# > differences of logits count. In trained Transformers, parts of the model called *induction heads* copy in
# > this way: they find an earlier occurrence of the current word and fetch the word that came after it
# > ([Olsson et al. 2022](https://arxiv.org/abs/2209.11895)).

# %% [markdown] exercise="why_copy" role="statement"
# A language model predicts the next word of a text from the words before it. Assume that the value of a word
# says which word it is. So if the model copies the value of an earlier word, it can predict that this word
# comes next. How does the ability to *copy* help a language model, and when? Answer in two to four sentences,
# and give an example of your own: a text, the word to be predicted, and the earlier word whose value should
# be copied.

# %% [markdown] exercise="why_copy" role="written"
# *Your answer here.*

# %% [markdown]
# ### Averaging two values
#
# **Question.** The word *because* joins two clauses: "The animal didn't **cross** the street" and "it was
# **tired**". To represent this link, its output should contain both: half of the value of *cross* and half of
# the value of *tired*. A dictionary cannot return half of one value and half of another. Attention can.
#
# **Example.** *cross* and *tired* have the keys $k_1$ and $k_2$. The query $q = (0, 4, 4)$ has the logits
# $(0, 4, 4)$. The exponentials $(1, 54.6, 54.6)$ sum to $110.2$, so the weights are $(0.009, 0.495, 0.495)$.
# That is nearly the average. Now let the two logits differ by 1: with $q = (0, 4, 3)$ the exponentials are
# $(1, 54.6, 20.1)$, and the weights become $(0.013, 0.721, 0.265)$.
#
# **Predict.** We double both queries. Which of the two comes closer to the average of *cross* and *tired*,
# and which moves away from it?

# %%
for q in ([0.0, 4.0, 4.0], [0.0, 8.0, 8.0], [0.0, 4.0, 3.0], [0.0, 8.0, 6.0]):
    weights = torch.softmax(keys @ torch.tensor(q), dim=0)
    print("query", q, " weights", [round(float(weight), 4) for weight in weights])

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The query with equal logits comes closer: its weights are 0.4999 each. The other one moves away: the lead of
# *cross* over *tired* doubles from 1 to 2, so the ratio of their weights rises from $e = 2.7$ to $e^2 = 7.4$.
#
# </details>

# %% [markdown]
# **In general**, the weights of $a$ and $b$ both tend to ½ as $\beta \to \infty$ if two things happen: the
# difference $s_a - s_b$ tends to 0, and both logits get further and further ahead of all the others.

# %% [markdown] exercise="average_two" role="statement"
# With orthonormal keys as before, return a query $q(\beta)$ for which the output tends to
# $\tfrac12 (v_a + v_b)$ as $\beta \to \infty$. `a` and `b` are two different indices. Many queries do this;
# each of them is right.


# %% exercise="average_two" role="solution"
def average_two(keys, a, b, beta):
    """A query, shape (d, 1), whose output tends to the mean of values a and b as beta grows.
    keys: orthonormal (d, 1).
    """
    raise NotImplementedError("exercise average_two: replace this line with your answer")


# %% exercise="average_two" role="check"
check("average_two", average_two)

# %% [markdown]
# Here is your query with four keys, for the average of values 1 and 3. The other two weights should tend to
# 0.

# %%
four = orthonormal_frame(4, 4, random.Random(8))
q = attempted(average_two, four, 1, 3, beta)
if q is not None:
    show_weights(four, q, (1, 3, 10))

# %% [markdown]
# **Explore.** The next figure compares two queries that average the values 0 and 1. The first,
# $\beta(k_0 + k_1)$, gives all other keys the logit 0. The second also subtracts $\beta$ times each other key,
# and gives them the logit $-\beta$. On the left you see the weights. In the middle is the output for
# three keys, which moves inside the triangle of the three values. The short line behind each mark is the path
# of this output from $\beta = 0$, the centre of the triangle, to the present $\beta$. On the right is the
# distance of a weight from ½ on a logarithmic scale. Move $\beta$, then raise the number of keys $n$.
#
# **Predict.** If $n$ grows while $\beta$ stays the same, do the two weights come closer to ½ or not?

# %%
from kqa_core.show import lookup_slider

lookup_slider(beta=2.0)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# They move away from ½, because every additional key takes some weight. Both curves on the right move up; for
# large $\beta$ their slopes stay the same. So a larger $n$ needs a slightly larger $\beta$ to get equally
# close.
#
# </details>

# %% [markdown]
# ### Break it
#
# Change something that works, and see whether the check notices. We take your query that averages two values
# and raise the logit of key $a$ by a tenth of a percent of $\beta$. At $\beta = 10$ you can hardly see it in
# the weights.


# %% tags=["raises-exception"]
def lopsided(keys, a, b, beta):
    return average_two(keys, a, b, beta) + beta * keys[a] / 1000


q = attempted(lopsided, standard_basis(3), 0, 1, beta)
if q is not None:
    show_weights(standard_basis(3), q, (10, 1000, 10000))
check("average_two", lopsided, record=False)

# %% [markdown]
# The difference of the two logits is $\beta / 1000$. It has no bound, so in the end one key gets all the
# weight. The check looks at the limit, so it notices: its message says that the weights tend to $(1, 0, 0)$.
# An average of two values needs logits that agree exactly. In notebook 02 the keys vary from text to text,
# and you will see how easily this balance is lost.
#
# > **Takeaway.** A query averages two values if their logits are equal and far ahead of all others. Some
# > heads of a trained Transformer (notebook 02 says what a head is) spread their weight over many tokens, and their output is
# > close to an average of the whole text ([Clark et al. 2019](https://arxiv.org/abs/1906.04341)).
#
# ### What is averaging good for? (optional)

# %% [markdown] exercise="why_average" role="statement"
# Answer both questions in one to three sentences each.
#
# (a) How does the ability to *average* help a language model? Give an example of your own in which one word
# needs information from two or more other words.
#
# (b) The zero query averages all values, and it is the same for all keys. A query that averages two values
# must be built from the keys. Why?

# %% [markdown] exercise="why_average" role="written"
# *Your answer here.*

# %% [markdown]
# ---
#
# ---
#
# ## Part 2. Keys that are not orthonormal (optional)
#
# ### More keys than dimensions
#
# **Question.** Orthonormal keys are rare. There can never be more of them than dimensions, but a model with
# keys of 64 entries may have a thousand tokens. Can a query still select any key it wants?
#
# **Example.** Three keys in two dimensions: $k_0 = (1, 1)$, $k_1 = (3, 2)$, $k_2 = (0, -1)$. We want to
# select key 0. The obvious query is key 0 itself. But $q = (1, 1)$ has the logits $(2, 5, -1)$, so key 1
# wins: it points in a similar direction and is longer.
#
# We can compute a better query. Key 0 should lead each of the other keys by the same amount $t$. The leads
# are $(k_0 - k_1) \cdot q$ and $(k_0 - k_2) \cdot q$. With $q = (x, y)$ these are two equations for two
# unknowns:
#
# $$-2x - y = t, \qquad x + 2y = t.$$
#
# The second gives $x = t - 2y$. Put into the first, $-2t + 4y - y = t$, so $y = t$ and $x = -t$. The query is
# $q = t\,(-1, 1)$. For $t = 6$ it is $(-6, 6)$, the logits are $(0, -6, -6)$, and key 0 gets the weight
# $1 / (1 + 2 e^{-6}) = 0.995$.

# %%
plane_keys = torch.tensor([[1.0, 1.0], [3.0, 2.0], [0.0, -1.0]], dtype=torch.float64)
leads = plane_keys[0] - plane_keys[1:]  # (2, 2): k_0 - k_1 and k_0 - k_2, one in each row
wanted_leads = torch.tensor([6.0, 6.0], dtype=torch.float64)
print("solved with torch:", torch.linalg.solve(leads, wanted_leads).tolist())
for q in ([1.0, 1.0], [-6.0, 6.0]):
    logits = plane_keys @ torch.tensor(q, dtype=torch.float64)
    weights = torch.softmax(logits, dim=0)
    print("query", q, " logits", logits.tolist(), " weights", [round(float(weight), 4) for weight in weights])

# %% [markdown]
# The query that selects key 0 is *perpendicular* to it. The logit of key 0 is only 0, but the other two
# logits are far below.
#
# The first lines of the cell solve the same two equations with `torch.linalg.solve(A, b)`, which returns the
# $x$ with $Ax = b$. Both arguments must have the same type of numbers. Without `dtype=torch.float64`,
# `torch.tensor([6.0, 6.0])` has type float32. Together with keys of type float64, `torch.linalg.solve` then
# stops with the error "Expected A and B to have the same dtype".
#
# **A key between other keys.** The dot product with $q$ is linear, so the logit of an average of keys is the
# same average of their logits. For example, the midpoint of $k_0$ and $k_1$ is $(2, 1.5)$. With $q = (-6, 6)$
# its logit is $-12 + 9 = -3$, halfway between the logits $0$ and $-6$. The same holds if the keys have
# different shares in the average, such as 10, 50 and 40 percent.
#
# **Explore.** The next figure shows the same three keys and a fourth one, $k_3 = (1.7, 0.8)$. Each point of
# the plane is a query, coloured by the key that it gives the most weight to.
#
# **Predict.** One of the four keys never wins, however you turn the query. Which one?

# %%
query_plane(torch.tensor([[1.0, 1.0], [3.0, 2.0], [0.0, -1.0], [1.7, 0.8]]), query=(-1.0, 1.0))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# It is $k_3$: its colour does not appear in the plane. This key is an average of the other three,
# $k_3 = 0.1\, k_0 + 0.533\, k_1 + 0.367\, k_2$ with rounded shares, so it lies inside their triangle. You
# will say in the exercise `why_select` why such a key cannot win.
#
# </details>

# %% [markdown]
# > **Takeaway.** If a key is used as a query, another key may win. Another query may still select the key,
# > unless the key is an average of the others. With few keys you can find such a query: choose the leads of the
# > key over the other keys, and solve for the query.

# %% [markdown]
# ### Four keys in three dimensions
#
# From here on we use four keys in three dimensions, as the rows of a matrix $K$. You work in PyTorch with
# numbers of type float64, which have about 16 digits.

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
from kqa_core.show import key_tetrahedron, weight_map

key_tetrahedron(K)

# %% [markdown]
# The four keys are the corners of a solid, a tetrahedron. The four points do not lie in one plane, and this
# will be important. The query starts at the origin, the small +, and points toward you: you look from its
# tip. The logit of a key measures how far the key reaches in the direction of the query, so the key that is
# nearest to you has the largest logit. Turn the solid, and change $\beta$: if a corner faces you, its key
# gets most of the weight; if an edge faces you, two keys share it.
#
# **Warm-up.** We begin with the easiest case: the average of all four values. For orthonormal keys, the sum
# of all keys would do it, because it gives each key the logit 1. For these keys it does not. The first key
# has the dot product $-0.1 \cdot 2.5 + 0.6 \cdot 0.1 + 0.2 \cdot 0 = -0.19$ with the sum $(2.5, 0.1, 0)$ of
# the keys, and the second has $1.1 \cdot 2.5 + 1.1 \cdot 0.1 + 0.2 \cdot 0 = 2.86$.

# %% [markdown] exercise="average_all" role="statement"
# Return a query, shape (3,), that gives all four rows the same weight, to within 0.01. Your function gets `K`
# of shape (4, 3) and type float64, and it must also work for other keys, much longer ones too, which the check
# tries as well.


# %% exercise="average_all" role="solution"
def average_all(K):
    """A query, shape (3,), that gives each row of K a weight of 1/4, to within 0.01. K: (4, 3) float64."""
    raise NotImplementedError("exercise average_all: replace this line with your answer")


# %% exercise="average_all" role="check"
check("average_all", average_all)

# %% [markdown]
# **Selecting one row.** The next cell uses each key as a query, 3 times as long. Row $i$ of the picture holds
# the weights of the query $3 k_i$.

# %%
print("dot products of key 0 with all keys:", [round(float(product), 2) for product in K @ K[0]])
weights = torch.softmax(3 * K @ K.T, dim=1)
print("weights of the query 3 k_0:         ", [round(float(weight), 2) for weight in weights[0]])
weight_map(weights, rows="key as query")

# %% [markdown]
# In rows 1, 2 and 3 each key gives itself the largest weight. Key 0 does not: it gives itself the weight 0.34
# and key 1 the weight 0.59, because the dot product $k_0 \cdot k_1 = 0.59$ is larger than
# $k_0 \cdot k_0 = 0.41$. A longer query does not help, because it only raises the lead of key 1. So a key is
# not always the best query for itself.
#
# But this does not mean that key 0 cannot be selected. The query $(-1, 0, 0)$ has the logits
# $(0.1, -1.1, -0.4, -1.1)$, and key 0 is in front. That query was a lucky guess for this matrix. You need a
# method that works for other keys. From here on, each check tries your function with the notebook's $K$ and
# then with several others.

# %% [markdown] exercise="select_first" role="statement"
# Return a query `q` of shape (3,) for which the softmax of `K @ q` gives row 0 a weight above 0.99. Your
# function gets `K`, shape (4, 3) and float64, and must also work for other keys, much longer or shorter ones
# too. All of them have one thing in common with this $K$: the four points do not lie in one plane. The
# equations for three keys in the plane show the method.


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
# Look at your logits: row 0 is far ahead of the others. The logits themselves may be negative or positive,
# because only their differences count.

# %% [markdown]
# **Averaging two rows.** The same equations do more than select. A lead of 0 means that two logits are equal.
# In the plane, a lead of 0 over $k_1$ and a lead of 6 over $k_2$ give the query $(-2, 4)$: its logits are
# $(2, 2, -4)$, so keys 0 and 1 share the weight.

# %% [markdown] exercise="average_first_two" role="statement"
# Return a query, shape (3,), that gives rows 0 and 1 a weight of ½ each, to within 0.01. Your function must
# also work for other keys, much longer or shorter ones too. They are not orthonormal, so the sum of the two
# keys does not do it.


# %% exercise="average_first_two" role="solution"
def average_first_two(K):
    """A query, shape (3,), that gives rows 0 and 1 of K a weight of 1/2 each,
    to within 0.01. K: (4, 3) float64.
    """
    raise NotImplementedError("exercise average_first_two: replace this line with your answer")


# %% exercise="average_first_two" role="check"
check("average_first_two", average_first_two)

# %% [markdown]
# The next cell compares two of your queries: in the first row the one that averages everything, in the second
# row the one that averages two.

# %%
queries = [q.double() for q in (attempted(average_all, K), attempted(average_first_two, K)) if q is not None]
# torch.stack makes a matrix from a list of vectors, one in each row
weight_map(torch.softmax(torch.stack(queries) @ K.T, dim=1)) if queries else None

# %% [markdown]
# ### Reaching given weights
#
# **Question.** Can a query reach *any* weights, for example 10, 20, 30 and 40 percent?
#
# **Example.** We return to $k_0 = (1, 1)$, $k_1 = (3, 2)$, $k_2 = (0, -1)$ and look for a query with the
# logits $(6, 0, 0)$. Three equations for the two entries of $q$ are too many. But we may add any number $b$
# to all logits, because the softmax ignores it. So $b$ is a third unknown. The equations say that logit +
# shift = wanted, for each key:
#
# $$x + y + b = 6, \qquad 3x + 2y + b = 0, \qquad -y + b = 0.$$
#
# The matrix of this system is the table of keys with a column of ones. The solution is $x = -6$, $y = 6$ and
# $b = 6$. Check the first row: $-6 + 6 + 6 = 6$. The query is $(-6, 6)$, as before. We do not need $b$ any
# more.

# %%
with_ones = torch.cat([plane_keys, torch.ones(3, 1, dtype=torch.float64)], dim=1)  # (3, 3)
wanted_logits = torch.tensor([6.0, 0.0, 0.0], dtype=torch.float64)
print([round(float(number), 6) for number in torch.linalg.solve(with_ones, wanted_logits)])

# %% [markdown]
# **From weights to logits.** If we want certain *weights*, which logits do we need? The softmax takes
# exponentials, so the logarithm undoes it: the logits $s_i = \log \alpha_i$ have the weights $\alpha_i$,
# because $e^{\log \alpha_i} = \alpha_i$ and the weights already add up to 1. For the weights
# $(\tfrac12, \tfrac14, \tfrac14)$ the logits are $(-0.693, -1.386, -1.386)$. Key 0 leads by $\log 2 = 0.693$,
# and $e^{0.693} = 2$ is the ratio of the weights.

# %% [markdown] exercise="exact_logits" role="statement"
# Now combine the two steps for four keys in three dimensions. Given `K` and `weights` of shape (4,), positive
# and adding up to 1, return a query of shape (3,) whose softmax weights are *exactly* these, to within 1e-10.
# Both have type float64. Your function must also work for other keys, much longer or shorter ones too.


# %% exercise="exact_logits" role="solution"
def exact_logits(K, weights):
    """A query, shape (3,), with softmax(K @ q) equal to weights to 1e-10.
    K: (4, 3), weights: (4,), both float64.
    """
    raise NotImplementedError("exercise exact_logits: replace this line with your answer")


# %% exercise="exact_logits" role="check"
check("exact_logits", exact_logits)

# %% [markdown]
# **Predict.** Which weights does the next cell print if we ask for 10, 20, 30 and 40 percent? And what
# happens if we ask for exactly $(1, 0, 0, 0)$?

# %%
for percent in ([10, 20, 30, 40], [100, 0, 0, 0]):
    wanted = torch.tensor(percent, dtype=torch.float64) / 100
    q = attempted(exact_logits, K, wanted)
    if q is not None:
        print(
            "wanted",
            percent,
            " reached",
            [round(100 * float(weight), 9) for weight in torch.softmax(K @ q.double(), dim=0)],
        )

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The first weights are reached exactly. The second are not: the logarithm of 0 is $-\infty$, so the result is
# `nan` ("not a number"). No query of finite length gives a weight of exactly 0. But you can ask for
# $(0.997, 0.001, 0.001, 0.001)$.
#
# </details>

# %% [markdown]
# You now have one function for all positive weights. With it you could also have selected row 0, or averaged
# rows 0 and 1, as closely as you like.
#
# **Several queries at once.** We can stack several queries as the rows of a matrix $Q$. Row $i$ of $Q K^\top$
# then holds the logits of query $i$, and a softmax of each row gives its weights. In the next exercise you
# make four queries at once. You may call your `exact_logits` for each of them. The weights that you pass to
# it must have type float64 like the keys.

# %% [markdown] exercise="identity_map" role="statement"
# Return a matrix `Q` of shape (4, 3), one query in each row, such that every query selects its own key: in
# row $i$ of `softmax(Q @ K.T)`, entry $i$ is above 0.99. Then attention works like a dictionary again. Your
# function must also work for other keys, much longer or shorter ones too.


# %% exercise="identity_map" role="solution"
def identity_map(K):
    """Queries, shape (4, 3): row i gives key i more than 0.99 of the weight. K: (4, 3) float64."""
    raise NotImplementedError("exercise identity_map: replace this line with your answer")


# %% exercise="identity_map" role="check"
check("identity_map", identity_map)

# %%
Q = attempted(identity_map, K)
if Q is not None:
    weights = torch.softmax(Q.double() @ K.T, dim=1)
    print("weight of each key for its own query", [round(float(weight), 4) for weight in weights.diagonal()])

# %% [markdown]
# > **Takeaway.** Add a column of ones to the keys, and put the logarithms of the weights on the right-hand
# > side. Solve this system for the query and a shift, and drop the shift. For four keys in three dimensions
# > that do not lie in one plane, this reaches any positive weights. In a Transformer the query is not solved
# > for but learned: training finds matrices that produce useful queries.

# %% [markdown] exercise="why_select" role="statement"
# Answer each question in one or two sentences.
#
# (a) How did you find the query for row 0 in `select_first`?
#
# (b) A query has three numbers, but there are four logits. Why do three numbers suffice?
#
# (c) Where must a key lie so that *no* query can select it? Why? (Think of the fourth key in the picture of
# the plane.)

# %% [markdown] exercise="why_select" role="written"
# *Your answer here.*

# %% [markdown]
# <details><summary><b>Going deeper (optional): how many keys can be controlled?</b></summary>
#
# We write $[K\ \mathbf 1]$ for the table of keys with a column of ones. This matrix has no inverse exactly if
# the keys lie in one plane. To see this, suppose that they do: then there are a vector $w$ and a number $m$
# with $k_i \cdot w = m$ for all $i$. So $[K\ \mathbf 1]$ times the vector $(w, -m)$ is 0. Conversely, every
# nonzero vector $(w, -m)$ that the matrix sends to 0 describes a plane that contains all keys.
#
# With keys of $d$ entries, a query has $d$ numbers, and $n$ keys have $n - 1$ differences of logits. So any
# positive weights can be reached for up to $n = d + 1$ keys, if the differences
# $k_1 - k_0, \dots, k_{n-1} - k_0$ are linearly independent. For four keys in three dimensions this says that
# the keys do not lie in one plane. With more keys than $d + 1$, most sets of weights cannot be reached by one
# query. This is called the *low-rank bottleneck* of attention ([Bhojanapalli et al.
# 2020](https://arxiv.org/abs/2002.07028)).
#
# </details>

# %% [markdown]
# ### Changing a key
#
# **Question.** So far the keys were given, and you chose the query. In a model both are learned. How can a
# token get more weight by changing its *key*?
#
# **Example.** In the plane, the query $q = (-6, 6)$ gives the keys $(1, 1)$, $(3, 2)$, $(0, -1)$ the logits
# $(0, -6, -6)$ and the weights $(0.9951, 0.0025, 0.0025)$. Let us replace key 1 by $(2, 2)$. Its logit
# becomes $-12 + 12 = 0$, equal to that of key 0. The logits are now $(0, 0, -6)$ and the weights
# $(0.4994, 0.4994, 0.0012)$. The key $(5, 5)$ has the same effect, because its logit is also 0.

# %%
q = torch.tensor([-6.0, 6.0], dtype=torch.float64)
for new_key in ([3.0, 2.0], [2.0, 2.0], [5.0, 5.0]):
    changed = plane_keys.clone()
    changed[1] = torch.tensor(new_key)
    weights = torch.softmax(changed @ q, dim=0)
    print(
        "key 1 =",
        new_key,
        " logits",
        (changed @ q).tolist(),
        " weights",
        [round(float(weight), 4) for weight in weights],
    )

# %% [markdown]
# We changed only one key, but the weight of key 0 has halved, because all weights must add up to 1.
#
# **In general** a key acts on the weights only through its logit
#
# $$k \cdot q = \lVert k \rVert\, \lVert q \rVert \cos\theta,$$
#
# where $\theta$ is the angle between key and query. Two keys with the same logit have the same weight,
# however different they look.
#
# Back to the four keys in three dimensions. The query `q_two` averages the first two values, because its
# first two logits are equal and far ahead. From now on this query does not change.

# %% role="setup"
q_two = torch.tensor([-5.0, 12.0, -13.0], dtype=torch.float64)

# %%
print("logits ", [round(float(logit), 2) for logit in K @ q_two])
print("weights", [round(float(weight), 4) for weight in torch.softmax(K @ q_two, dim=0)])
print("lengths of the keys", [round(float(length), 2) for length in K.norm(dim=1)])
print("length of the query", round(float(q_two.norm()), 2))

# %% [markdown] exercise="rekey_average_three" role="statement"
# The query `q` gives rows 0 and 1 of `K` a weight of nearly ½ each, as above. Return a new key, shape (3,),
# to replace row 2 of `K`, so that the *same* `q` gives rows 0, 1 and 2 a weight of ⅓ each, to within 0.01.
# Your function must also work for other `K` and `q` of this kind.


# %% exercise="rekey_average_three" role="solution"
def rekey_average_three(K, q):
    """A new key for row 2, shape (3,): with it, q gives rows 0,
    1 and 2 a weight of 1/3 each. K: (4, 3), q: (3,).
    """
    raise NotImplementedError("exercise rekey_average_three: replace this line with your answer")


# %% exercise="rekey_average_three" role="check"
check("rekey_average_three", rekey_average_three)

# %% [markdown] exercise="rekey_unit_select" role="statement"
# Now row 2 should get all the weight, with a short key. Return a new key of *length 1* for row 2, so that the
# same `q` returns $v_2$: a weight above 0.99 on row 2. The length must be 1 to within 1e-6. Your function
# must also work for other `K` and `q`. (For all those that the check uses there is such a key.)


# %% exercise="rekey_unit_select" role="solution"
def rekey_unit_select(K, q):
    """A new key of length 1 for row 2, shape (3,): with it, q gives row 2 more than 0.99 of the weight."""
    raise NotImplementedError("exercise rekey_unit_select: replace this line with your answer")


# %% exercise="rekey_unit_select" role="check"
check("rekey_unit_select", rekey_unit_select)

# %% [markdown]
# The next cell shows the weights of the same query with three tables of keys: the original one, and one for
# each of your two new keys.

# %%
rows = {"original": torch.softmax(K @ q_two, dim=0)}
for name, function in (("average three", rekey_average_three), ("unit key", rekey_unit_select)):
    new_key = attempted(function, K, q_two)
    if new_key is not None:
        changed = torch.cat([K[:2], new_key.double()[None], K[3:]])  # (4, 3)
        rows[name] = torch.softmax(changed @ q_two, dim=0)
weight_map(torch.stack(list(rows.values())), rows=list(rows))

# %% [markdown]
# > **Takeaway.** A key acts on the weights through one number, its dot product with the query. One new key
# > changes all weights, because the weights add up to 1. In a Transformer every token has both a query and a
# > key, and training adjusts both.

# %% [markdown] exercise="why_rekey" role="statement"
# In the last two exercises you changed one key and kept the query. Answer both questions in one to three
# sentences each.
#
# (a) You changed only key 2. The other logits stayed the same, but the weights of all rows changed. Explain
# this with the formula of the softmax. Does the ratio of the weights of rows 0 and 1 change?
#
# (b) Key 1 has the length 1.57, and your unit key wins against it. Through which quantity does a key compete,
# and how can the shorter key win?

# %% [markdown] exercise="why_rekey" role="written"
# *Your answer here.*

# %% [markdown]
# ---
#
# ## Going deeper (optional): how fast, and at what price?
#
# This section is for those who like calculus. Its two exercises give extra points, and nothing later depends
# on them. If you skip them, continue with the [summary](#Summary).
#
# **Question.** We return to the orthonormal keys of part 1. A limit says where the weights go, but not how
# fast. Two queries that average $v_a$ and $v_b$ can differ a great deal at the same $\beta$. Suppose the
# logits of $a$ and $b$ are $\beta$ for both queries, while
#
# - with the *first* query all other logits are $0$,
# - with the *second* query all other logits are $-\beta$.
#
# **Example.** There are $n = 3$ keys and $\beta = 2$. With the first query, the exponentials are
# $(7.389, 7.389, 1)$, so $\alpha_a = 7.389 / 15.778 = 0.4683$. That is $0.0317$ below ½. With the second
# query, they are $(7.389, 7.389, 0.135)$, so $\alpha_a = 0.4955$, which is only $0.0045$ below ½.
#
# How does this distance shrink as $\beta$ grows? The **leading order** of such an expression is a constant
# times an exponential, $C e^{-r \beta}$, such that the ratio of the two tends to 1 as $\beta$ grows. For
# example, $1 / (e^\beta + 5)$ has the leading order $e^{-\beta}$, with $C = 1$ and $r = 1$. For large $\beta$
# the 5 is tiny beside $e^\beta$, so we drop it.

# %%
exact, leading = 1 / (sp.exp(beta) + 5), sp.exp(-beta)
for scale in (1, 3, 6, 10):
    print(f"beta = {scale:2}:  exact / leading order = {float((exact / leading).subs(beta, scale)):.4f}")

# %% [markdown] exercise="average_two_rate" role="statement"
# There are `n` keys, $n \ge 3$. Return two sympy expressions in `beta`: the leading order of
# $\tfrac12 - \alpha_a$ as $\beta \to \infty$ for the first query and for the second. Each is a constant times
# one exponential. The constant depends on `n`. Each of the two counts one point.


# %% exercise="average_two_rate" role="solution"
def average_two_rate(n, beta):
    """The leading orders of 1/2 - alpha_a for the first and the second query:
    two expressions in beta, for n keys.
    """
    raise NotImplementedError("exercise average_two_rate: replace this line with your answer")


# %% exercise="average_two_rate" role="check"
check("average_two_rate", average_two_rate)

# %% [markdown]
# In the next figure the lines are exact, and the circles and squares are your leading orders. The scale is
# logarithmic. On it an exponential is a straight line: the slope is the rate, the height is the constant
# factor.
#
# **Predict.** Where will your points leave the lines, and in which direction?

# %%
from kqa_core.show import rates_figure

picture = rates_figure(attempted(average_two_rate, sp.Integer(6), beta), 6, beta)
print(picture)  # a description of the picture
picture

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# On the left, where $\beta$ is small, the points lie above the lines. A leading order drops terms from the
# denominator because they are small beside $e^\beta$. For small $\beta$ they are not small, and a smaller
# denominator makes the fraction too large. The description above the figure says from which $\beta$ on the
# two agree to 10 %.
#
# </details>

# %% [markdown]
# **What speed costs.** At equal $\beta$ the second query is closer to the average, but it is also longer.
# Long queries have a price in a trained model. A query is $q = W_Q x$. Training often uses *weight decay*,
# which pulls all parameters a little toward 0 at each step. It keeps the entries of $W_Q$ small, so it limits
# the length of queries indirectly. A fair comparison therefore uses queries of the *same length* $R$. We
# compare their **margin**: the lower of the logits $a$ and $b$, minus the highest of all other logits.
#
# **Example.** There are $n = 4$ orthonormal keys. The first query, $\beta (k_a + k_b)$, has the length
# $\beta\sqrt2$ by Pythagoras and the margin $\beta$. The second, $\beta (k_a + k_b - k_c - k_d)$, has the
# length $2\beta$ (in general $\beta\sqrt n$) and the margin $2\beta$. For the length $R = 2$, the first needs
# $\beta = \sqrt2$, so its margin is 1.41. The second needs $\beta = 1$, so its margin is 2. With four keys
# the second query wins.

# %% [markdown] exercise="best_query" role="statement"
# Given `keys` (a list of $n \ge 3$ orthonormal columns), `a`, `b` and a positive symbol `R`, return three
# things:
#
# 1. `second_wins`: True if at equal length the second query has the larger margin for this $n$, otherwise
#    False (a tie is not a win),
# 2. `q`: among all queries of length `R` in the span of the keys, the one with the largest margin,
# 3. `margin`: this margin, as an expression in `R`.
#
# Compare the two margins exactly and without `R`: decimals are rounded, and sympy may leave a comparison open
# if it contains a symbol. `sum(columns, sp.zeros(d, 1))` adds a list of sympy columns with $d$ entries.
# Without the second argument, `sum` starts at the number 0, which cannot be added to a column.


# %% exercise="best_query" role="solution"
def best_query(keys, a, b, R):
    """(second_wins, q, margin): a bool, the query (d, 1)
    of length R with the largest margin, and that margin.
    """
    raise NotImplementedError("exercise best_query: replace this line with your answer")


# %% exercise="best_query" role="check"
check("best_query", best_query)

# %% [markdown]
# The next table shows the margins at length 1 as $n$ grows.

# %%
R = sp.Symbol("R", positive=True)
found = attempted(best_query, standard_basis(3), 0, 1, R)
if found is not None:
    print("  n   first  second    best   second wins")
    for n in (3, 4, 5, 8, 12, 30):
        wins, _, margin = best_query(standard_basis(n), 0, 1, R)
        first, second = 1 / 2**0.5, 2 / n**0.5
        print(
            f"{n:3}  {first:6.3f}  {second:6.3f}  {float(sp.sympify(margin).subs(R, 1)):6.3f}   {bool(wins)}"
        )

# %% [markdown]
# At $n = 4$ the second query is itself the best one: both margins are 1. At $n = 8$ the first and the second
# query tie. With many keys the second query is poor, because it spends most of its length on lowering the
# other logits.

# %% [markdown]
# ---
#
# ## Summary
#
# - Attention computes logits $k_i \cdot q$, turns them into weights with a softmax, and returns the weighted
#   average of the values.
# - Only differences of logits count. A query copies one value if its key is far ahead, and averages two
#   values if their keys are equally far ahead.
# - The scale $\beta$ of a query decides how sharp the choice is. No finite query gives a weight of exactly 0
#   or 1.
# - (Part 2) Four keys in three dimensions need not be orthonormal. If they do not lie in one plane, a query can
#   reach any positive weights: solve a linear system in which a common shift of the logits is free.
# - (Part 2) A key acts through its dot product with the query, and changing one key changes all weights.
#
# ## Test yourself
#
# **1.** The logits are $(5, 5, 5)$. Now every logit is doubled. What happens to the weights?
#
# <details><summary><b>Answer</b></summary>
#
# Nothing. All differences are 0 before and after, so all weights stay at ⅓.
#
# </details>
#
# **2.** The logits are $(3, 1)$, and the query is doubled. By which factor does the ratio of the two weights
#    grow?
#
# <details><summary><b>Answer</b></summary>
#
# The difference of the logits rises from 2 to 4. So the ratio rises from $e^2$ to $e^4$: it grows by the
# factor $e^2 \approx 7.4$.
#
# </details>
#
# **3.** Two keys are identical. Can a query give one of them a larger weight than the other?
#
# <details><summary><b>Answer</b></summary>
#
# No. Their logits are equal for every query, so their weights are equal too. This is one reason why a
# Transformer needs position embeddings: without them, two tokens with the same word have the same key in the
# first layer (notebook 05).
#
# </details>

# %%
progress()

# %% [markdown]
# **Next:** [02 One head or many](../02_one_head_or_many/02_one_head_or_many.ipynb). In this notebook, all
# keys stayed the same. In real text they vary, and we will see what this does to an average.
