# %% [markdown]
# # One head or many
#
# "The animal didn't cross the street because **it** was tired." To understand *it*, our model should combine
# two pieces of information: half from *animal*, the word that *it* refers to, and half from *tired*, which
# says something about it. In notebook 01 a query did this as closely as we liked. We only had to make it long
# enough.
#
# There the keys were fixed. Now the key of *animal* varies: in some sentences it is longer than usual, in
# others shorter. The keys have two dimensions here. *animal* has the key $(\varepsilon, 0)$ with a normal
# random number $\varepsilon$ of mean 1 and variance $\tfrac12$ (our choice for now), *tired* has $(0, 1)$ and
# *the* has $(0, 0)$. Where the *coefficient* $\varepsilon$ is positive, it is the length of the key; where it
# is negative, the key points the opposite way. The values are 10, 20 and 60, so the output should be 15.
#
# The query is $q = \beta\,(1, 1)$. To keep it apart from the length of a key, we call the length of a query
# its *norm*. Here it is $\beta\sqrt2$, so it grows with the scale $\beta$.

# %% role="setup"
import math
import random

import numpy as np
import sympy as sp
import torch

from kqa_core.check import attempted, check, hint, progress, solution  # hint("weight_law") gives a hint


# %%
def plane_keys(epsilon):
    """The keys of animal, tired and the in the plane,
    shape (N, 3, 2), for coefficients epsilon (N,) of the first one.
    """
    keys = torch.zeros(len(epsilon), 3, 2, dtype=torch.float64)
    keys[:, 0, 0], keys[:, 1, 1] = epsilon, 1
    return keys


torch.manual_seed(2)
epsilon = 1 + math.sqrt(0.5) * torch.randn(8, dtype=torch.float64)  # in eight sentences; deviation √½
print("epsilon:    ", "  ".join(f"{x:5.2f}" for x in epsilon))
for size in (0, 2, 60):
    query = size * torch.ones(2, dtype=torch.float64)
    weights = torch.softmax(plane_keys(epsilon) @ query, dim=1)  # (8, 3)
    outputs = weights @ torch.tensor([10.0, 20.0, 60.0], dtype=torch.float64)
    print(f"beta = {size:3}: ", "  ".join(f"{c:5.1f}" for c in outputs))

# %% [markdown]
# At $\beta = 0$ every output is 30, the mean of all three values: *the* has a third of the weight. At
# $\beta = 60$ *the* is gone, but every output is 10 or 20: one of the two values at random, instead of their
# average. At $\beta = 2$ we get some of each problem.
#
# **No query solves this.** For *animal* and *tired* to have equal weights, their logits must be equal:
# $q\cdot(\varepsilon, 0) = q\cdot(0, 1)$, so $\varepsilon\,q_0 = q_1$. This can hold for *every*
# $\varepsilon$ only if $q_0 = q_1 = 0$. But the zero query gives a third of the weight to *the*.
#
# One lookup with one query is called a **head**. A layer can have several heads side by side, each with its
# own query. Two heads average *animal* and *tired* in most sentences, as you will see. After this notebook
# you can
#
# 1. write a query for keys of which you know only the means,
# 2. draw random keys with a given covariance,
# 3. derive how a weight is distributed, and explain why a single head flips,
# 4. build the average from two heads, and compute how often this fails,
# 5. train one head and two heads on noisy keys, and recognise what you have derived.
#
# **Time:** about two and a half hours; the core takes about an hour and a half. **You need:** copying and
# averaging from notebook 01, and the normal distribution of a single number. We explain covariance matrices.
# [Notebook 00](../00_start_here/00_start_here.ipynb) has the table of symbols.
#
# **Core and optional** ([the map of paths](../00_start_here/00_start_here.ipynb#Paths-through-the-course)).
# The path *assignment* needs *Keys that vary*, *One key that varies along its mean*, *Two heads* and *In your own
# words*. In *Two heads* it needs the text of *When do two heads fail?*, but not the exercise. Headings say what is
# optional.

# %% [markdown]
# ## Keys that vary
#
# **Question.** How do we describe a key that is different in every sentence, and which query still works?
#
# **Intuition.** A deep model (notebook 04) repeats attention several times, in *layers*. In the first layer,
# the key of a word depends only on the word and its position. In all later layers, it also depends on the
# rest of the sentence. So we treat key $i$ as a random vector: it varies around a mean $\mu_i$, and its
# *covariance matrix* $\Sigma_i$ describes how. The difference $k_i - \mu_i$ is the *noise* of the key. We
# write $k_i \sim \mathcal N(\mu_i, \Sigma_i)$. The $\mathcal N$ stands for *normal*: in every direction, the
# noise follows the bell curve of the normal distribution. The second entry is the covariance matrix, or the
# *variance* of a single number, never the standard deviation. For example,
# $\varepsilon\sim\mathcal N(1, \tfrac12)$ has the standard deviation $\sqrt{1/2} = 0.71$.
#
# **Covariance, by an example.** A key has two independent entries, with the variances 0.005 and 0.2. Its
# *covariance matrix* is $\Sigma = \begin{pmatrix}0.005&0\\0&0.2\end{pmatrix}$: on the diagonal are the variances
# of the entries, and the other numbers, which say how two entries vary together, are 0. How much does the key
# vary in a slanted direction, such as $u = (1, 1)/\sqrt2$? How far $k$ reaches in this direction is the number
# $u\cdot k = (k_0 + k_1)/\sqrt2$. A factor $1/\sqrt2$ halves a variance, and variances of independent numbers add
# up. So $u\cdot k$ has the variance $\tfrac12\cdot0.005 + \tfrac12\cdot0.2 = 0.1025$.
#
# **In general**, a key with $d$ entries has a covariance matrix $\Sigma$ of shape $(d, d)$. For a vector $u$ of
# length 1, the variance of the number $u\cdot k$ is $u^\top\Sigma\,u$. (Check it with the example.) We call it the
# variance of $k$ along $u$. Two matrices are all we need:
#
# - $\Sigma = \sigma^2 I$ gives $u^\top\sigma^2 I\,u = \sigma^2$: the same variance in every direction. Each
#   entry of the noise is an independent normal number with mean 0 and standard deviation $\sigma$.
# - $\Sigma = \tfrac12\mu\mu^\top$ with a unit vector $\mu$. (The matrix $\mu\mu^\top$ has $\mu_i\mu_j$ in row $i$
#   and column $j$, and $\mu\mu^\top u = \mu\,(\mu\cdot u)$.) It gives
#   $\tfrac12\,u^\top\mu\mu^\top u = \tfrac12(u\cdot\mu)^2$: the variance $\tfrac12$ along $\mu$, where
#   $u\cdot\mu = 1$, and none across it, where $u\cdot\mu = 0$.
#
# **The picture.** Samples of such a vector form a cloud. The ellipse around its mean contains 95 % of them.
# It is a circle for $\sigma^2 I$, and it is long and thin if one direction varies more than the others:

# %%
from kqa_core.show import show_key_cloud

show_key_cloud([(1, 0), (0, 1)], [[[0.02, 0], [0, 0.02]], [[0.005, 0], [0, 0.2]]])

# %% [markdown]
# Both clouds have their mean at a unit vector. $k_0$ has the covariance $0.02\,I$. $k_1$ has the variance 0.2
# along its own mean and 0.005 across it.
#
# **A worked example.** Let $\mu = (1, 0)$ and let the noise of one draw be $(0.02, -0.01)$, so
# $k = (1.02, -0.01)$. The query $q = (5, 5)$ gives $k\cdot q = 5.1 - 0.05 = 5.05$. The mean alone gives
# $\mu\cdot q = 5$. So the noise changes the logit by $0.05$, and its exponential by the factor
# $e^{0.05} = 1.05$. With $q = (500, 500)$ the same noise changes the logit by 5, and its exponential by a
# factor of 148.
#
# **The general statement.** Let $\Sigma_i = \sigma^2 I$ for all keys. The means are orthonormal, as the keys
# were before: $\mu_i\cdot\mu_i = 1$ and $\mu_i\cdot\mu_j = 0$. A logit is
# $$k_i\cdot q = \mu_i\cdot q + (\text{noise of key } i)\cdot q.$$
# We look at very little noise. This means two limits, one after the other: first the noise vanishes
# ($\sigma^2\to 0$) while $\beta$ is fixed, and then $\beta\to\infty$. In the other order the result is
# different: at any fixed $\sigma$, a $\beta$ that is large enough lets the noise win, as the second query of
# the worked example does.

# %% [markdown] exercise="robust_query" role="statement"
# For $\Sigma_i = \sigma^2 I$ and vanishing $\sigma^2$, return a query $q(\beta)$ for which the output tends
# to $\tfrac12(v_a + v_b)$ as $\beta\to\infty$. `mu_a` and `mu_b` are sympy columns, the means of two of the
# keys, and `beta` is a positive symbol. There are other keys. All you know of their means is that they are
# orthogonal to `mu_a` and `mu_b`. (You have met this query in notebook 01. The new part is the question that
# follows: why does it still work?)


# %% exercise="robust_query" role="solution"
def robust_query(mu_a, mu_b, beta):
    """A query, shape (d, 1), whose output tends to the mean of values a and b.
    mu_a, mu_b: orthonormal columns (d, 1).
    """
    raise NotImplementedError("exercise robust_query: replace this line with your answer")


# %% exercise="robust_query" role="check"
check("robust_query", robust_query)

# %% [markdown] exercise="why_robust_query" role="statement"
# Argue briefly why your query works, although you know only the means of the keys. Which logits does it give,
# what happens to the noise, and why does the order of the two limits matter? Three or four sentences, read by
# a person.

# %% [markdown] exercise="why_robust_query" role="written"
# *Your answer here.*

# %% [markdown]
# Many queries are right, with different scales. So that we all see the same numbers, the next cell uses the
# simplest one, $q = \beta(\mu_a + \mu_b)$. It has four keys with noise that is small but not zero:
# $\sigma^2 = 0.0001$, so $\sigma = 0.01$. Each row shows the weight on $v_a$ in six draws. It should be 0.5.
#
# **Predict.** Which of $\beta = 1$, $8$ and $400$ works best, and what goes wrong with the other two?

# %%
means = torch.eye(4, dtype=torch.float64)  # (4, 4): a mean in each row; from here on a = 0 and b = 1
noise = torch.randn(6, 4, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(5))
for size in (1, 8, 400):
    query = size * (means[0] + means[1])  # (4,)
    weights = torch.softmax((means + 0.01 * noise) @ query, dim=1)  # (6, 4)
    print(f"beta = {size:3}:  ", "  ".join(f"{weight:.3f}" for weight in weights[:, 0]))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# $\beta = 8$ works best. At $\beta = 1$ the two other keys still have a large share. At $\beta = 400$ the
# query multiplies the noise as well: a difference of 0.01 between two keys becomes a difference of 4 between
# their logits. If your query grows faster or slower with $\beta$, the same happens to it at other values of
# $\beta$.
#
# </details>
#
# <details><summary><b>Going deeper (optional): the window of good scales</b></summary>
#
# The scale must be large enough to suppress $n-2$ other keys: $e^\beta$ must be many times $n$, so $\beta$
# must exceed $\ln n$ by a few units. And it must be small enough to keep the noise down. The difference of
# logits $a$ and $b$ is $(\text{noise}_a - \text{noise}_b)\cdot q$. The product of one noise with $q$ has the
# variance $\sigma^2\lVert q\rVert^2 = 2\sigma^2\beta^2$. The two noises are independent, so the difference
# has the variance $4\sigma^2\beta^2$ and the standard deviation $2\beta\sigma$. It should be far below 1.
#
# Together: $\beta$ must be a few units above $\ln n$, and far below $\frac{1}{2\sigma}$. Here $\ln 4 = 1.4$
# and $\frac{1}{2\sigma} = 50$. If $\sigma$ is not small, the window closes.
#
# </details>
#
# > **Takeaway.** If keys vary only a little, a query made of their means works, but its norm must not be too
# > large. Averaging with one head needs two *equal* logits, and a large norm magnifies every difference.

# %% [markdown]
# ## One key that varies along its mean
#
# **Question.** What if one key varies a lot in its length, and hardly in its direction?
#
# **Intuition.** A word may matter much in one sentence and little in another. Then its key points in the
# usual direction, but it is longer or shorter. We give key $a$ the variance $\tfrac12$ along its mean, on top
# of a little noise in every direction:
#
# $$\Sigma_a = \sigma^2 I + \tfrac12\,\mu_a\mu_a^\top,\qquad \Sigma_i = \sigma^2 I\quad (i\ne a).$$
#
# This is the picture for our two words, with $\mu_a = (1, 0)$, $\mu_b = (0, 1)$, $\sigma^2 = 0.001$ and the
# query $q = (4, 4)$. All keys on a dashed line have the same logit; the number on the line is this logit.

# %%
show_key_cloud([(1, 0), (0, 1)], [[[0.501, 0], [0, 0.001]], [[0.001, 0], [0, 0.001]]], query=(4, 4))

# %% [markdown]
# The cloud of key $a$ (here $k_0$) crosses many lines. Its logit is 4 on average, but in 16 % of the draws it
# is below 0 or above 8. The small cloud of key $b$ (here $k_1$) stays close to the line of logit 4. So the
# two logits are hardly ever equal.
#
# **A worked example: how to draw such a key.** Independent random parts add up, and their covariances add up,
# too. So draw two parts and add them to the mean. Suppose that the noise part of one draw is $(0.03, -0.02)$,
# and that the standard normal number for the second part is $z = -1.2$. The second part is
# $z\sqrt{1/2}\;\mu_a = (-0.849, 0)$. The key is $(1, 0) + (0.03, -0.02) + (-0.849, 0) = (0.181, -0.02)$: it
# points in the usual direction, but it is short.

# %% [markdown] exercise="sample_keys" role="statement"
# Draw all keys, `count` times. `means` is a float64 tensor of shape (n, d) with the orthonormal means as its
# rows. They may point anywhere, not only along the axes. `a` is the row of key $a$, and `sigma2` is the
# variance $\sigma^2$, a positive number. Return a tensor of shape (count, n, d). All keys are normally
# distributed. All keys and all draws are independent, including those of different calls, so set no seed in
# your function. Use the random numbers of torch (or numpy). You need no loop over the draws; with 20,000 of
# them it would be slow. (The number $z$ of the example is a tensor of shape (count, 1) here: one for each draw.)


# %% exercise="sample_keys" role="solution"
def sample_keys(means, a, sigma2, count):
    """Random keys, shape (count, n, d): row i has mean means[i] and covariance sigma2 I,
    row a has mu mu^T / 2 on top.
    """
    raise NotImplementedError("exercise sample_keys: replace this line with your answer")


# %% exercise="sample_keys" role="check"
check("sample_keys", sample_keys)

# %% [markdown]
# Your keys $a$ and $b$, 20,000 of each, with $\sigma^2 = 0.01$. **Predict** the four standard deviations
# first: along and across the mean, for both keys.

# %%
torch.manual_seed(3)
drawn = attempted(sample_keys, means, 0, 0.01, 20_000)
if drawn is not None:
    drawn = drawn.double()
    for name, i in (("a", 0), ("b", 1)):
        # means[2] is perpendicular to both means
        along, across = drawn[:, i] @ means[i], drawn[:, i] @ means[2]
        print(f"key {name}: along its mean {along.mean():.2f} ± {along.std():.2f},", end=" ")
        print(f"across {across.mean():.2f} ± {across.std():.2f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Along its mean, key $a$ has the variance $0.01 + 0.5$, so the standard deviation $\sqrt{0.51} = 0.71$.
# Across its mean, and for key $b$ in every direction, it is $\sqrt{0.01} = 0.1$.
#
# </details>
#
# **What one head makes of such a key.** Take the query $\beta(\mu_a + \mu_b)$ and a vanishing $\sigma^2$. Then key
# $a$ is $\varepsilon\mu_a$ and has the logit $\beta\varepsilon$, and key $b$ has the logit $\beta$. Their difference is $\beta(\varepsilon - 1)$. The larger $\beta$ is, the farther it is from 0 in most draws, above
# or below. So one of the two keys gets nearly all the weight: $a$ in half of the draws, $b$ in the other half.
#
# > **Takeaway.** The covariances of independent parts add up. So if a covariance matrix is given as a sum,
# > draw one independent part for each term, and add the parts to the mean. The part $\tfrac12\mu_a\mu_a^\top$
# > moves key $a$ along its mean only: it makes the key longer or shorter, and sometimes even turns it round.

# %% [markdown]
# ## The distribution of a weight (optional)
#
# **Question.** How is the weight on $v_a$ distributed when key $a$ varies like this?
#
# Let $\sigma^2$ vanish. Then a single random number is left, the coefficient $\varepsilon$ of key $a$. It has
# the mean 1 and the variance $\tfrac12$:
#
# $$k_a = \varepsilon\,\mu_a,\quad \varepsilon\sim\mathcal N(1, \tfrac12),\qquad k_i = \mu_i\quad(i\ne a).$$
#
# The query is $q = \beta(\mu_a + \mu_b)$. The logits are $\beta\varepsilon$ for key $a$, $\beta$ for key $b$
# and 0 for all others. The others have at most the weight $(n-2)e^{-\beta}$ together, so we ignore them, as
# if $a$ and $b$ were alone.
#
# **Intuition.** The weight depends on the difference of the two logits, $\beta(\varepsilon - 1)$. This
# difference is a normal variable with mean 0. The larger $\beta$ is, the wider it spreads. A difference far
# above 0 means "all of $v_a$", and one far below 0 means "all of $v_b$".
#
# **The tool.** Take a normal variable with mean $m$ and standard deviation $s$. The probability that it is
# below a bound $x$ is
#
# $$P = \tfrac12\Big(1 + \operatorname{erf}\frac{x - m}{s\sqrt2}\Big).$$
#
# The *error function* erf has no simpler formula. It rises from $-1$ through 0 to 1 and is part of every
# library (`math.erf`, `sp.erf`); $\operatorname{erfc} = 1 - \operatorname{erf}$ gives the probability of the
# other side.
#
# **A worked example.** At $\beta = 4$, how likely is a weight of at most $0.9$ on $v_a$?
#
# 1. The weight of $a$ is $\dfrac{e^{\beta\varepsilon}}{e^{\beta\varepsilon} + e^{\beta}} = \dfrac{1}{1 +
#    e^{-D}}$ with $D = \beta(\varepsilon - 1)$.
# 2. It equals 0.9 when $e^{D} = 0.9/0.1 = 9$, so $D = \ln 9 = 2.197$.
# 3. $D\le 2.197$ means $\varepsilon \le 1 + 2.197/4 = 1.549$.
# 4. $\varepsilon$ has the mean $m = 1$ and the standard deviation $s = \sqrt{1/2}$, so
#    $s\sqrt2 = \sqrt{1/2}\cdot\sqrt2 = 1$ exactly. So the probability is
#    $\tfrac12\big(1+\operatorname{erf}\tfrac{1.549 - 1}{1}\big) = \tfrac12(1 + \operatorname{erf} 0.549) =
#    0.781$.
#
# The picture shows this probability as an area, and as a point on the curve that erf draws:

# %%
from kqa_core.show import show_normal_area

bound = 1 + math.log(9) / 4
print(f"bound {bound:.3f}, probability {(1 + math.erf(bound - 1)) / 2:.3f}")
show_normal_area(mean=1, variance=0.5, below=bound)

# %% [markdown]
# So even at $\beta = 4$, about 22 % of the draws put more than nine tenths of the weight on $v_a$. Now do the
# same steps for any weight $w$ and any $\beta$.

# %% [markdown] exercise="weight_law" role="statement"
# Take the two keys $a$ and $b$ only, without the others. Return the probability that the weight on $v_a$ is
# at most `w`, as a sympy expression in the symbols `w` (between 0 and 1) and `beta` (positive). Every exact
# form is accepted: `sp.erf`, `sp.erfc`, an integral, or `cdf` of `sympy.stats`.


# %% exercise="weight_law" role="solution"
def weight_law(w, beta):
    """The probability that the weight on v_a is at most w,
    where k_a = epsilon mu_a with epsilon ~ N(1, 1/2).
    """
    raise NotImplementedError("exercise weight_law: replace this line with your answer")


# %% exercise="weight_law" role="check"
check("weight_law", weight_law)

# %% [markdown]
# Now compare your formula with your own keys, all four of them. How often is more than 0.9 of the weight on
# $v_a$? And how often is the weight between 0.4 and 0.6, so that the output is close to the average?
#
# **Predict.** What do the two probabilities tend to as $\beta$ grows?

# %%
w, beta = sp.symbols("w beta", positive=True)
law = attempted(weight_law, w, beta)
torch.manual_seed(4)
drawn = attempted(sample_keys, means, 0, 1e-8, 20_000)
if law is not None and drawn is not None:
    print("        weight on v_a above 0.9     between 0.4 and 0.6")
    print("beta    formula   20,000 keys       formula   20,000 keys")
    for size in (2, 6, 20, 200):
        weight = torch.softmax(drawn.double() @ (size * (means[0] + means[1])), dim=1)[:, 0]  # (20000,)
        below = {x: float(sp.N(sp.sympify(law).subs({w: sp.Rational(x, 10), beta: size}))) for x in (4, 6, 9)}
        counted = (weight > 0.9).double().mean(), ((weight > 0.4) & (weight < 0.6)).double().mean()
        print(f"{size:4}     {1 - below[9]:.3f}        {counted[0]:.3f}          ", end="")
        print(f"{below[6] - below[4]:.3f}        {counted[1]:.3f}")

# %% [markdown]
# At $\beta = 2$ the other keys still have a share, so the formula is a little off. From $\beta = 6$ on it
# agrees with 20,000 draws.
#
# <details><summary><b>Answer</b></summary>
#
# The first probability tends to one half. By symmetry, so does the probability of "nearly all of $v_b$". The
# second probability tends to 0: nothing is left for the middle. With this query one head does not average these
# keys. It returns one of the two values, each in about half of the draws.
#
# </details>
#
# <details><summary><b>Going deeper (optional): how fast the average dies out</b></summary>
#
# Write $\ell(w) = \ln\frac{w}{1-w}$. The formula is
# $P(W\le w) = \tfrac12\big(1 + \operatorname{erf}(\ell(w)/\beta)\big)$. For small arguments
# $\operatorname{erf}(x) \approx 2x/\sqrt\pi$, so for large $\beta$
#
# $$P(W > 0.9) \approx \tfrac12 - \frac{\ln 9}{\sqrt\pi\,\beta},\qquad
# P(0.4 < W < 0.6) \approx \frac{2\ln 1.5}{\sqrt\pi\,\beta} = \frac{0.458}{\beta}.$$
#
# At $\beta = 200$ this gives $0.4938$ and $0.0023$. The average dies out like $1/\beta$.
#
# </details>
#
# > **Takeaway.** The query multiplies the variation of the key. At a large scale the output of one head jumps
# > between $v_a$ and $v_b$, and is hardly ever in the middle.

# %% [markdown]
# ## Two heads
#
# **Question.** One head cannot keep two logits equal. Can two heads together give the average?
#
# **Intuition.** Copying is easier than averaging. A copy needs one logit that *leads*, and a lead of $20$ is as
# good as a lead of $25$. So let each head copy one value, and take the average afterwards, where no key can
# disturb it. To keep this simple, both heads have the same keys and values here, and each has its own query. (In
# a Transformer, each head also has its own keys and values: see notebook 04.)
#
# $$c = \tfrac12\,(c_0 + c_1),\qquad c_0 \text{ from } q_0,\quad c_1 \text{ from } q_1.$$
#
# **A worked example.** In the plane, take $\varepsilon = 0.5$ and $\beta = 20$. One head with $q = (20, 20)$
# has the logits $10$ for *animal* and $20$ for *tired*: the weight on *animal* is $1/(1 + e^{10}) = 0.00005$.
# A head that copies *animal* only has to beat the logit 0 of the others. With $q_0 = (20, 0)$ the logits are
# $(10, 0, 0)$, and the weight on *animal* is $1/(1 + 2e^{-10}) = 0.9999$.

# %% [markdown] exercise="two_heads" role="statement"
# Return two queries $(q_0, q_1)$ in `beta` for which $\tfrac12(c_0 + c_1) \to \tfrac12(v_a + v_b)$ as
# $\beta\to\infty$, for every positive length of key $a$: for $k_a = \varepsilon\,\mu_a$ with any
# $\varepsilon > 0$. Every pair that does this is right. The other keys are at their means.


# %% exercise="two_heads" role="solution"
def two_heads(mu_a, mu_b, beta):
    """Two queries (q0, q1), each (d, 1): for every positive length of key a,
    their outputs average to (v_a + v_b) / 2.
    """
    raise NotImplementedError("exercise two_heads: replace this line with your answer")


# %% exercise="two_heads" role="check"
check("two_heads", two_heads)

# %% [markdown]
# Many pairs are right. So that we all see the same numbers, the cells of this section use the simplest
# queries: $\beta(\mu_a+\mu_b)$ for one head, and the pair $(\beta\mu_a, \beta\mu_b)$ for two. Only the line
# "your pair" shows your own.
#
# Here are both designs on the same 1,000 draws of the keys, at $\beta = 30$. The values are orthonormal, so
# the coordinates of an output say how much of $v_0, v_1, v_2, v_3$ is in it. For the figure we project each
# output onto the segment from $v_b$ to $v_a$: an output $c$ lands at $\tfrac12(c_a - c_b + 1)$ of the way,
# where $c_a$ and $c_b$ are its coordinates $a$ and $b$ (for $v_b$ this is 0, for $v_a$ it is 1).
#
# There are two counts. In the figure, *near* a point means that the projection is within a tenth of the
# length of the segment, and all draws count. The printed lines count only the draws with $\varepsilon > 0$,
# and there the output itself must be closer than 0.1 to the average. So the percentages differ. (You may skip the
# code.)

# %%
from kqa_core.show import heads_figure, heads_slider
from kqa_core.symbolic import standard_basis

values = torch.eye(4, dtype=torch.float64)  # (4, 4): v_a and v_b are the first two rows


def outputs(keys, query):
    """The outputs of a head, (N, 4), for draws of the keys, (N, 4, 4), and a query (4,)."""
    return torch.softmax(keys @ query, dim=1) @ values


def both_designs(size, count, seed, pair=None):
    """(one, two, epsilon): the outputs (count, 4) of one head and of two on the same keys,
    and the lengths of key a.
    """
    q_0, q_1 = pair or (size * means[0], size * means[1])
    torch.manual_seed(seed)
    keys = sample_keys(means, 0, 1e-8, count).double()
    two = (outputs(keys, q_0) + outputs(keys, q_1)) / 2
    return outputs(keys, size * (means[0] + means[1])), two, keys[:, 0] @ means[0]


def your_pair(size):
    """Your two queries as tensors (4,), with beta = size."""
    beta = sp.Symbol("beta", positive=True)
    pair = two_heads(*standard_basis(4)[:2], beta)
    return [
        torch.tensor([float(sp.sympify(x).subs(beta, size)) for x in query], dtype=torch.float64)
        for query in pair
    ]


pair, found = attempted(your_pair, 30), attempted(both_designs, 30, 1_000, 6)
if pair is not None and found is not None:
    print("outputs closer than 0.1 to the average, among the draws with epsilon > 0:")
    for name, two in (("simplest pair", found[1]), ("your pair", both_designs(30, 1_000, 6, pair)[1])):
        distance = (two[found[2] > 0] - (values[0] + values[1]) / 2).norm(dim=1)
        print(f"{name:13}  {100 * (distance < 0.1).double().mean():.0f} %")
heads_figure(*found[:2], values[0], values[1]) if found is not None else None

# %% [markdown]
# One head (above): two groups at the ends, and almost nothing in the middle. Two heads (below): one spike in
# the middle. But there is a small second group to its left, and a larger $\beta$ does not remove it. In these
# draws one of the heads fails. We come to that below.
#
# At $\beta = 30$ your pair may be better or worse than the simplest one. As $\beta\to\infty$, every right
# pair tends to 100 % of the draws with $\varepsilon > 0$: this is what the exercise asks.
#
# **How a Transformer does it.** A real layer does not have a step "average the heads". It writes the outputs
# of its heads side by side, and multiplies by a matrix $W_O$. The average is a special case. Here each head
# has the full width: its output has $d$ numbers, not $d_k = d/h$ as in the table of symbols. So $W_O$ has the
# shape $(2d, d)$, with one identity matrix above the other. With
# $W_O = \tfrac12\begin{pmatrix} I\\ I\end{pmatrix}$,
#
# $$(c_0 \mid c_1)\,W_O = \tfrac12\,c_0 + \tfrac12\,c_1.$$

# %%
c_0 = torch.tensor([[1.0, 0.0, 0.0, 0.0]], dtype=torch.float64)  # head 0 copies v_a
c_1 = torch.tensor([[0.0, 1.0, 0.0, 0.0]], dtype=torch.float64)  # head 1 copies v_b
identity = torch.eye(4, dtype=torch.float64)
W_O = torch.cat([identity, identity]) / 2  # (8, 4)
print((torch.cat([c_0, c_1], dim=1) @ W_O).tolist())

# %% [markdown]
# In notebook 04 you build this layer. There $W_O$ is learned, so a model can weigh its heads as it needs
# them.
#
# ### When do two heads fail?
#
# Take the simplest pair. If $\varepsilon$ is negative, key $a$ points the opposite
# way, and the head that should copy $v_a$ gives key $a$ the smallest logit. For example, with
# $\varepsilon = -0.5$ its logit is $-0.5\,\beta$, and that of every other key is 0. So the other keys share the
# weight of this head. The head with the query $\beta\mu_b$ still copies $v_b$.

# %% [markdown] exercise="two_head_failure" role="statement"
# Let head 0 have the query $\beta\mu_a$ and head 1 the query $\beta\mu_b$, and let $\beta\to\infty$. The keys
# are as above: $k_a = \varepsilon\,\mu_a$ with $\varepsilon\sim\mathcal N(1, \tfrac12)$. Return the probability
# that the output of head 0 does not tend to $v_a$: a sympy expression, or a float with all its digits, as
# `math` computes it. A rounded number is not enough. (The optional section *The distribution of a weight* has
# the tool: the probability that a normal variable is below a bound.)


# %% exercise="two_head_failure" role="solution"
def two_head_failure():
    """The probability that the head with the query beta mu_a does not tend to v_a: exact, not rounded."""
    raise NotImplementedError("exercise two_head_failure: replace this line with your answer")


# %% exercise="two_head_failure" role="check"
check("two_head_failure", two_head_failure)

# %% [markdown]
# **Predict.** Where does the output go in the draws that failed? Write down the four logits of head 0 for
# $\varepsilon = -0.5$, and then the four coordinates of the output. The next cell prints their mean over the
# failed draws.

# %%
failure, found = attempted(two_head_failure), attempted(both_designs, 300, 20_000, 7)
if found is not None:
    one, two, epsilon = found
    failed = two[:, 0] < 0.25
    expected = f", expected {float(failure):.4f}" if failure is not None else ""
    print(f"failed: {failed.double().mean():.4f} of the draws{expected}")
    print("output where it failed:      ", "  ".join(f"{c:.3f}" for c in two[failed].mean(dim=0)))
    print("output where it did not fail:", "  ".join(f"{c:.3f}" for c in two[~failed].mean(dim=0)))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The logits of head 0 are $(-0.5\beta, 0, 0, 0)$. Key $a$ gets no weight, and the three others share it: head
# 0 returns $\tfrac13(v_1 + v_2 + v_3)$. Head 1 still copies $v_b = v_1$. Half of each gives
# $(0, \tfrac23, \tfrac16, \tfrac16)$, and the printed means are close to that.
#
# This is the small group in the figure: its place on the segment is
# $\tfrac12(c_a - c_b + 1) = \tfrac12(0 - \tfrac23 + 1) = \tfrac16$.
#
# Another right pair may send these draws elsewhere. With $\big(\beta(\mu_a-\mu_b),\ \beta(\mu_b-\mu_a)\big)$
# they go to $(0, \tfrac12, \tfrac14, \tfrac14)$ for $-1 < \varepsilon < 0$.
#
# </details>

# %% [markdown]
# ### How much better are two heads? (optional)
#
# We exclude the failed draws now. The *spread* of random outputs is their total variance,
# $\mathbb E\,\lVert c - \mathbb E c\rVert^2$: the mean squared distance from their mean. It is the sum of the
# variances of the coordinates. For example, the four outputs $(0, 0)$, $(2, 0)$, $(0, 4)$, $(2, 4)$ have the
# mean $(1, 2)$, and each has the squared distance $1 + 4 = 5$ from it. So their spread is 5.

# %% [markdown] exercise="variance_ratio" role="statement"
# `one` and `two` are the outputs of one head and of two heads on the same draws, shape (N, d) with $d \ge 2$.
# `epsilon`, shape (N,), holds the lengths of key $a$ in these draws. Return the spread of `one` divided by the
# spread of `two`, both over the draws in which head 0 did not fail, so those with `epsilon` above 0.


# %% exercise="variance_ratio" role="solution"
def variance_ratio(one, two, epsilon):
    """The total variance of one (N, d) over that of two (N, d),
    over the draws with epsilon (N,) above 0: a number.
    """
    raise NotImplementedError("exercise variance_ratio: replace this line with your answer")


# %% exercise="variance_ratio" role="check"
check("variance_ratio", variance_ratio)

# %%
failure, found = attempted(two_head_failure), attempted(both_designs, 10, 1_000, 8)
if failure is not None and found is not None and attempted(variance_ratio, *found) is not None:
    n, p = 4, float(failure)
    p_a = 0.5 / (1 - p)  # given epsilon > 0: how often one head ends at v_a, because epsilon > 1
    f = math.exp(-1) / math.sqrt(math.pi) / (1 - p)  # given epsilon > 0: the density of epsilon close to 0
    print("beta    measured    derived, for large beta")
    for size in (10, 30, 100, 300):
        measured = float(variance_ratio(*both_designs(size, 400_000, 8)))
        # see the fold below
        derived = 2 * p_a * (1 - p_a) / (n / (n - 1) / 4 * f / size * (math.log(n) - 1 + 1 / n))
        print(f"{size:4}     {measured:7.0f}    {derived:7.0f}")

# %% [markdown]
# The ratio grows with $\beta$. For one head a larger scale does not help: its spread is that of a coin toss.
# For two heads a larger scale makes both copies more exact. Head 0 puts a visible weight on other values only
# where its lead $\beta\varepsilon$ is small, so where $\varepsilon$ is of the size $1/\beta$ or below. The
# share of such draws shrinks like $1/\beta$, so the spread of two heads does, too.
#
# The derived column keeps only this leading term, so it is proportional to $\beta$. At $\beta = 10$ the terms
# that it drops still matter, by more than a quarter. At 100 and 300 our two columns differ by at most 3 %.
# Chance alone can move the measured number by several per cent there, so yours may differ by more. The fold
# has the derivation.
#
# <details><summary><b>Going deeper (optional): the derivation of the ratio</b></summary>
#
# Let $p$ be the probability of a failure.
#
# *One head* ends at $v_a$ if $\varepsilon > 1$, and otherwise at $v_b$. Given $\varepsilon > 0$ this is a
# coin that shows $v_a$ with probability $p_a = \tfrac12/(1-p)$. Its spread tends to
# $p_a(1-p_a)\,\lVert v_a - v_b\rVert^2$, and here $\lVert v_a - v_b\rVert^2 = 2$.
#
# *Two heads* miss the middle only because head 0 puts the weight $1 - s$ on $v_a$, with
# $s = (n-1)/(n-1+e^{\beta\varepsilon})$. For large $\beta$ this matters only if $\varepsilon$ is of the order
# $1/\beta$. There the density of $\varepsilon$ is nearly constant: $f = e^{-1}/\sqrt\pi$, divided by $1-p$
# because we excluded the failures. With $t = \beta\varepsilon$,
#
# $$\mathbb E s^2 \approx \frac f\beta\int_0^\infty\Big(\frac{n-1}{n-1+e^t}\Big)^2 dt
# = \frac f\beta\Big(\ln n - 1 + \frac1n\Big),$$
#
# while $(\mathbb E s)^2$ is of the order $1/\beta^2$. The weight $s$ goes to the mean of the other values, at
# the squared distance $\tfrac n{n-1}$ from $v_a$, and half of head 0 is in the output. So the spread is
# $\tfrac14\cdot\tfrac n{n-1}\cdot\mathbb E s^2$.
#
# One spread stays and the other one shrinks like $1/\beta$, so their ratio grows like $\beta$. The terms that
# we dropped are smaller by another factor $1/\beta$.
#
# </details>
#
# **Explore.** First set the variance along $\mu_a$ to 0: one head is as good as two. Raise it in small steps.
# What happens to each of the two designs? Then set the variance back to 0, give all keys some noise
# $\sigma^2$, and raise $\beta$. Which design suffers now, and why?

# %%
heads_slider(sigma2=0.0, beta=10.0, variance=0.5)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# *The variance along $\mu_a$.* At $\beta = 10$ a small step to 0.05 is enough for the single head: only 16 %
# of its outputs stay near the middle, and at ½ only 5 %. Two heads get worse, too, but slowly: 100 % at 0.05
# and 87 % at ½. The larger the variance, the more often $\varepsilon$ is negative or too small for a clear
# lead.
#
# *The noise.* With noise, only the single head suffers, because the noise of two keys decides which of two
# equal logits wins. In each of the two heads one logit leads anyway.
#
# </details>
#
# > **Takeaway.** One head averages *inside* the softmax and needs two equal logits. Two heads average *after*
# > the softmax, and each needs only one logit that leads. This is one reason why a Transformer has many
# > heads.

# %% [markdown]
# ## One head and two heads, learned (optional)
#
# **Question.** We chose these queries by hand. What does gradient descent do with the same problem? Does a
# single head really fail, or did we only choose a bad query?
#
# We go back to the plane: *animal* $(\varepsilon, 0)$, *tired* $(0, 1)$, *the* $(0, 0)$. The parameters are
# the queries, two numbers for each head. The values are orthonormal, so an output is simply its three
# weights, and the target is $(\tfrac12, \tfrac12, 0)$. The loss is the mean squared distance from the target,
# over 256 new draws of $\varepsilon$ in every step.
#
# **Predict.** Will the learned query of the single head have a large norm or a small one? (The cell trains
# for about ten seconds, on a slow machine for up to a minute.)

# %%
target = torch.tensor([0.5, 0.5, 0.0], dtype=torch.float64)


def mix(queries, keys):
    """The mean of the weights of all heads, (N, 3), for queries (h, 2) and keys (N, 3, 2)."""
    return torch.stack([torch.softmax(keys @ query, dim=1) for query in queries]).mean(dim=0)


def draw(count, generator):
    """Keys (count, 3, 2) with a new epsilon in each draw."""
    return plane_keys(1 + math.sqrt(0.5) * torch.randn(count, generator=generator, dtype=torch.float64))


def learn(heads, seed, steps=1_500):
    """The queries (heads, 2) after training with Adam from small random numbers."""
    generator = torch.Generator().manual_seed(seed)
    queries = (0.1 * torch.randn(heads, 2, generator=generator, dtype=torch.float64)).requires_grad_()
    optimizer = torch.optim.Adam([queries], lr=0.05)
    for _ in range(steps):
        loss = ((mix(queries, draw(256, generator)) - target) ** 2).sum(dim=1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return queries.detach()


new_keys = draw(20_000, torch.Generator().manual_seed(99))
learned = {"one head": learn(1, 0), "two heads": learn(2, 0)}
by_hand = 30 * torch.eye(2, dtype=torch.float64)  # (beta mu_a, beta mu_b) with beta = 30
for name, queries in {**learned, "by hand": by_hand}.items():
    distance = (mix(queries, new_keys) - target).norm(dim=1)  # (20000,)
    print(f"{name:9}  queries {queries.numpy().round(1).tolist()}")
    print(f"           mean squared distance {(distance**2).mean():.4f}", end=", ")
    print(f"closer than 0.1 to the target: {100 * (distance < 0.1).double().mean():.0f} %")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# A small norm. The best single query is a compromise: with a smaller norm *the* would get more weight, and
# with a larger norm the output would flip more often.
#
# </details>
#
# No output of the single head is close to the target, in 20,000 draws. Two heads learn queries of large norm,
# and 86 % of their outputs are close. The pair by hand is close even more often. But its mean squared
# distance is twice that of the learned pair, so its failures must be further from the target. We will see
# why.
#
# The next picture shows 400 outputs of each learned design. The closer a point is to a corner, the more of
# this word is in the output. Points in the circle are closer than 0.1 to the target.

# %%
from kqa_core.show import show_value_triangle

new_epsilon = new_keys[:, 0, 0]  # (20000,)
far = (mix(learned["two heads"], new_keys) - target).norm(dim=1) >= 0.1
print(
    f"two heads, outside the circle: {100 * far.double().mean():.1f} %, all with epsilon below"
    f" {new_epsilon[far].max():.2f};"
)
print(f"epsilon is negative in {100 * (far & (new_epsilon < 0)).double().mean():.1f} % of all draws", end=" ")
print(f"and small but positive in {100 * (far & (new_epsilon >= 0)).double().mean():.1f} %")
mixtures = {f"{name}, learned": mix(queries, new_keys) for name, queries in learned.items()}
show_value_triangle(mixtures, ("animal", "tired", "the"))

# %% [markdown]
# The outputs of one head lie on a line. A long key moves the output towards *animal*. A short one moves it
# towards a fixed mixture of *tired* and *the*, whose ratio is always $e^{1.1}$, about 3 to 1.
#
# Of the outputs of two heads, 86 % are in the circle. The others have an $\varepsilon$ that is negative or
# close to 0, and they form a hook. Follow it from the target, with smaller and smaller $\varepsilon$. First
# the output moves to the right, towards *tired*, because the head that copies *animal* fails. Then it turns
# and comes back to the left, on a second branch that is higher, so it contains more of *the*. In a moment you
# will see what brings *animal* back.
#
# Now take the learned queries and change only their scale. A single head gets worse as the scale grows, because
# the query multiplies the variation of the key. Here you see it:

# %%
print("scale of the queries    one head    two heads     (mean squared distance from the target)")
for scale in (0.5, 1, 4, 16, 64):
    losses = [
        ((mix(scale * queries, new_keys) - target) ** 2).sum(dim=1).mean() for queries in learned.values()
    ]
    print(f"{scale:12}            {losses[0]:.4f}      {losses[1]:.4f}")

# %% [markdown]
# One head gets worse in both directions, and for large scales its loss tends to $\tfrac12$, the squared
# distance from the target to a single value. Two heads lose little, compared with the single head, when the
# scale grows: at 64 times the scale they are still far better than the best single head. A smaller scale
# harms them as well, because a copy needs a clear lead.
#
# **Look at the learned queries of the two heads.** Head 0 has a query of about $(10.8, 0.4)$. It copies
# *animal*, as in the pair by hand. Head 1 has about $(-12.6, 2.8)$. It copies *tired*, and it also pushes
# *animal* away.
#
# **Predict.** What does head 1 do in the draws with $\varepsilon < 0$, in which the pair by hand fails?

# %%
ranges = {
    "epsilon below -0.3": new_epsilon < -0.3,
    "epsilon between -0.3 and 0": (new_epsilon >= -0.3) & (new_epsilon < 0),
}
for name, rows in ranges.items():
    print(f"{name} ({100 * rows.double().mean():.1f} % of the draws): mean weights on animal, tired and the")
    q_0, q_1 = learned["two heads"]
    for label, queries in (
        ("head 0", [q_0]),
        ("head 1", [q_1]),
        ("learned pair", [q_0, q_1]),
        ("pair by hand", by_hand),
    ):
        print(
            f"    {label:12}  ",
            "  ".join(f"{weight:.2f}" for weight in mix(queries, new_keys[rows]).mean(dim=0)),
        )

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# A negative $\varepsilon$ turns the push into a pull. The logits of head 1 are $-12.6\,\varepsilon$ for
# *animal* and 2.8 for *tired*, so they are equal at $\varepsilon = -0.22$. Below about $-0.3$, *animal* leads
# clearly, and head 1 copies it. So *animal* keeps half of the output. Head 0 does not take over the other
# copy: it shares its weight between *tired* and *the*, about 60 to 40. This is the end of the hook.
#
# Between $-0.3$ and 0 the pull is too weak in most draws. On average, head 1 still gives two thirds of its
# weight to *tired*, and *animal* has only a fifth of the output.
#
# </details>
#
# So the failures of the learned pair are closer to the target than those of the pair by hand. This is why
# gradient descent found a better pair for this loss, although fewer of its outputs are closer than 0.1.
#
# <details><summary><b>Going deeper (optional): a pair that works for negative coefficients, too</b></summary>
#
# The learned pair shows the way: the two heads should exchange their roles where $\varepsilon$ is negative.
# Take
# $$q_0 = \beta^2\mu_a + \beta\mu_b,\qquad q_1 = -\beta^2\mu_a + \beta\mu_b.$$
# The logits with the keys $a$ and $b$ are $(\beta^2\varepsilon, \beta)$ in head 0 and
# $(-\beta^2\varepsilon, \beta)$ in head 1; all others are 0. For $\varepsilon > 0$ and large $\beta$, head 0
# copies $v_a$ and head 1 copies $v_b$. For $\varepsilon < 0$ it is the other way: in head 0 only key $b$ has
# a positive logit that grows, and in head 1 key $a$ leads. The average of the two is right in both cases.
# Only $\varepsilon = 0$ is left, and this has the probability 0.
#
# </details>
#
# <details><summary><b>Going deeper (optional): can a single head never do it?</b></summary>
#
# In the plane it cannot: the opening of this notebook proves it. In more dimensions there is a way out. Let
# the means be orthonormal, with two other keys $\mu_c$ and $\mu_d$, and take $q = -\beta(\mu_c + \mu_d)$. Key
# $a$ has the logit $\varepsilon\,\mu_a\cdot q = 0$ for every $\varepsilon$, key $b$ has the logit 0 and the
# others have $-\beta$. So for large $\beta$, $a$ and $b$ get a weight of nearly ½ each, and the length of key
# $a$ does not matter. This query does not include the two words: it excludes all the others.
#
# For this, the query must know every other key, and in a text the other words change. It also needs other
# keys that all have a negative logit. Suppose that two of them are $\mu_c$ and $-\mu_c$. Their logits are
# $\mu_c\cdot q$ and $-\mu_c\cdot q$, so one of the two is 0 or more, whatever the query is. More keys whose
# average is 0 behave like this pair: the average of their logits is 0, so one of the logits is 0 or more.
# Then $a$ and $b$ must lead by positive logits, and the single head is fragile again. That is why exercise
# `robust_query` does not give you the means of the other keys.
#
# </details>
#
# > **Takeaway.** In the plane, training cannot repair the single head: it can only choose the least bad
# > scale. With two heads, gradient descent finds two copies, and they are robust.

# %% [markdown]
# ## Break it (optional)
#
# A common mistake is to let key $b$ vary along its mean as well. It looks harmless: the outputs still form
# two groups of about the same size.


# %% tags=["raises-exception"]
def too_random(means, a, sigma2, count):
    keys = sample_keys(means, a, sigma2, count)
    b = (a + 1) % len(means)
    keys[:, b] = sample_keys(means, b, sigma2, count)[:, b]  # b varies as a does
    return keys


for sampler in (sample_keys, too_random):
    torch.manual_seed(9)
    keys = attempted(sampler, means, 0, 1e-8, 1_000)
    if keys is not None:
        on_a = torch.softmax(keys.double() @ (30 * (means[0] + means[1])), dim=1)[:, 0]
        near_a, near_b = (100 * share.double().mean() for share in (on_a > 0.9, on_a < 0.1))
        print(f"{sampler.__name__:12} {near_a:.0f} % near v_a, {near_b:.0f} % near v_b")
check("sample_keys", too_random, record=False)

# %% [markdown]
# The check notices, because it looks at the covariance of every key and not at the two groups. It does this for
# means along the axes and for means in other directions. If both keys vary, the difference of their
# coefficients has the variance 1 instead of ½, so the weight follows a different distribution. For keys $a$ and
# $b$ alone the large-$\beta$ limit is the same, but the result is wrong for every finite $\beta$. With other
# keys the limit is wrong, too: where both coefficients are negative, in $0.0786^2 = 0.6$ % of the draws, the
# other keys get all the weight.

# %% [markdown]
# ## In your own words

# %% [markdown] exercise="single_vs_multi" role="statement"
# Compare one head with the query $\beta(\mu_a+\mu_b)$ and two heads with the queries $\beta\mu_a$ and
# $\beta\mu_b$. Why do two heads keep the average of $v_a$ and $v_b$ where one head does not? What does a
# larger $\beta$ do to each of the two designs? And what is the output in the draws where the two heads fail?
# Four to six sentences, read by a person.

# %% [markdown] exercise="single_vs_multi" role="written"
# *Your answer here.*

# %% [markdown]
# ## Summary
#
# - Keys vary from sentence to sentence. A mean and a covariance matrix describe how.
# - A query of large norm suppresses other keys, but it also multiplies the variation of the keys it wants.
# - One head that averages needs two equal logits. If one of the two keys varies along its mean, the output of
#   this head flips between the two values when the scale is large.
# - Two heads that copy one value each are robust. With the queries $\beta\mu_a$ and $\beta\mu_b$ they fail
#   only when the key points the opposite way, in about 8 % of the draws here.
# - To average two heads, a layer writes their outputs side by side and multiplies by
#   $W_O = \tfrac12\begin{pmatrix} I\\ I\end{pmatrix}$.
#
# ## Test yourself
#
# **1.** A key varies only *across* its mean, in a direction that is orthogonal to the query. What happens to
# the weights?
#
# <details><summary><b>Answer</b></summary>
#
# Nothing. The logit is $k\cdot q$, and variation orthogonal to $q$ does not change it. In the picture with
# the dashed lines, the cloud would lie along one dashed line: all keys on it have the same logit.
#
# </details>
#
# **2.** Key $a$ varies along its mean with variance 0.02 instead of ½. At which $\beta$ does the single head
# begin to flip?
#
# <details><summary><b>Answer</b></summary>
#
# The difference of the logits has the standard deviation $\beta\sqrt{0.02} = 0.14\,\beta$. It matters when
# this is about 1, so around $\beta = 7$.
#
# </details>
#
# **3.** Your model needs the average of three values. How many heads do you want, and which $W_O$?
#
# <details><summary><b>Answer</b></summary>
#
# Three heads that copy one value each, and $W_O = \tfrac13\begin{pmatrix} I\\ I\\ I\end{pmatrix}$.
#
# </details>

# %%
progress()

# %% [markdown]
# **Next:** [03 Keys, queries, values](../03_keys_queries_values/03_keys_queries_values.ipynb). There you see
# how keys, queries and values are made from the tokens of the sentence, by three matrices.
