# %% [markdown]
# # Start here
#
# Read these two sentences.
#
# > The animal didn't cross the street because **it** was **tired**.
#
# > The animal didn't cross the street because **it** was **wide**.
#
# What does *it* mean? In the first sentence it is the animal, in the second it is the street. Only the last
# word has changed. You noticed at once, but a computer program has to work for it. A program that translates
# into German, for example, must choose between *es* (for *das Tier*, the animal) and *sie* (for *die Straße*,
# the street). So when it comes to the word *it*, it needs information from other words of the sentence, some
# of them far away.
#
# **Attention** is the mechanism that fetches this information. In this course you build it by hand, train a
# small Transformer on your own machine, and find out what the model knows and what it makes up. The first
# sentence comes with us through notebooks 00 to 05.
#
# After this notebook you can
#
# 1. explain why one fixed summary of a text is a bottleneck, and what attention does instead,
# 2. compute a weighted average, the last step of attention, by hand and in code,
# 3. train a small Transformer with ready-made code, ask it something, and see where it looks,
# 4. answer an exercise, check it, ask for a hint, and find its model answer,
# 5. see how far you have come, and start an exercise again.
#
# It takes about 35 minutes. You need Python, and it helps if you have used NumPy: the tensors of PyTorch work
# like NumPy's arrays. You read each notebook from top to bottom and run its code cells. Click into the cell
# below and press Shift+Enter to run it.

# %% role="setup"
import torch

from kqa_core.check import attempted, check, cockpit, hint, reset, solution

# %% [markdown]
# ## Why attention was invented
#
# **Question.** How does information get from the word *animal* to the word *it*?
#
# Until 2014 the usual answer was a *recurrent network* (RNN). It goes through the text word by word and keeps
# one vector, its *state*. At each word it computes a new state from the old state and the word. The state has
# a fixed size, so each new word takes some of the room that older words had. Count the words from 0: *animal*
# is word 1 and *it* is word 7. So what the network knows about *animal* must survive $7 - 1 = 6$ updates
# before it is used.
#
# Translation made this worse. Two networks shared the work: an *encoder* went through the whole sentence, and
# its last state was the only thing that a *decoder* got to see ([Sutskever et al.
# 2014](https://arxiv.org/abs/1409.3215), [Cho et al. 2014](https://arxiv.org/abs/1406.1078)). That last state
# is a summary of fixed size. It has the same number of entries for a sentence of 5 words and for one of 80
# words. This is the **bottleneck**.

# %%
from kqa_core.show import show_bottleneck

show_bottleneck()

# %% [markdown]
# The upper half shows this bottleneck. The lower half shows the way out, which we come to in a moment.
#
# **A small experiment.** How many words fit into one vector? We take 1000 words, each a random vector with
# 256 entries. Each place in a text has a pattern of its own: 256 random signs, each $+1$ or $-1$.
#
# - *Write.* We multiply each word's vector by the pattern of its place, entry by entry, and add up the
#   results. For example, the word $(0.5, 2, -1)$ at a place with the pattern $(+1, -1, -1)$ adds
#   $(0.5, -2, 1)$ to the sum.
# - *Read.* To find the word at a place, we multiply the sum by the pattern of that place. This takes the
#   signs of the word at that place away again, because $(+1)^2 = (-1)^2 = 1$. The other words stay scrambled
#   and act as noise. Then we look for the most similar word vector.
#
# **Predict.** Which share of the words can we read back for $T = 5$, and which for $T = 80$? A rough guess
# will do.

# %%
torch.manual_seed(0)
words = torch.randn(1000, 256)  # one vector for each word of the vocabulary

for T in (5, 10, 20, 40, 80):
    right = 0
    for _ in range(20):  # 20 random texts
        text = torch.randint(1000, (T,))
        signs = torch.randn(T, 256).sign()  # one pattern of signs for each place
        summary = (signs * words[text]).sum(dim=0)  # the whole text in one vector, shape (256,)
        read = ((signs * summary) @ words.T).argmax(dim=1)  # the most similar word at each place, shape (T,)
        right += int((read == text).sum())
    print(f"T = {T:2}: {right / (20 * T):4.0%} of the words can be read back from the summary")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# All of the 5 words, but only 8 % of the 80. The vector is large enough for a short text and too small for a
# long one. A trained network packs words better than our random signs do, but its vector has a fixed size as
# well. So for every such network there is a text that is too long.
#
# </details>

# %% [markdown]
# **The idea of 2014.** [Bahdanau, Cho and Bengio](https://arxiv.org/abs/1409.0473) proposed to keep *all* the
# encoder's states, one for each word, and throw none away. For each word of the translation, the decoder
# computes a weight for every state and takes the weighted average. The weights change from word to word. For
# the German word *Tier*, most of the weight can be on *animal*, as in the picture. For the translation of
# *it*, some of it can be on *animal* again. With one summary vector, translations became worse as sentences
# grew longer. With attention this hardly happened any more: the model that was trained on sentences of up to
# 50 words stays level (Figure 2 of the paper).
#
# **Three years later** [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762) removed the recurrent network
# and kept only attention. In their *Transformer*, a word attends to the other words directly. From *animal*
# to *it* is now one step instead of six. This has a price: all vectors must be kept, and every pair of words
# is compared. A text of twice the length needs four times as many comparisons.
#
# > **Takeaway.** A summary of fixed size loses words as the text grows. Attention keeps one vector for each
# > word and computes, for each use, a weighted average of them. Everything in this course is about where
# > these weights come from.

# %% [markdown]
# ## Attention in three steps
#
# **Question.** The model is processing the word *it*. How does it decide how much to take from *animal* and
# how much from *street*?
#
# Every word has two vectors: a **key**, which says what kind of information can be found there, and a
# **value**, which is the information itself. The word that is being processed, here *it*, has a **query**,
# which says what kind of information it needs. (In the translation model of 2014, one state of the encoder
# was both key and value.) The dot product of the query and a key is a number called **logit** (or score). It
# is large if the two vectors are long and point in the same direction.
#
# **Example.** We invent the numbers here; notebook 03 shows where they come from. The query of *it* is
# $(1, 1)$. The keys are $(1, 0)$ for *animal* and $(1, -1)$ for *street*, and the values are $(2, 0)$ for
# *animal* and $(1, 4)$ for *street*.
#
# 1. *Logits.* The dot products are $1 \cdot 1 + 1 \cdot 0 = 1$ for *animal* and
#    $1 \cdot 1 + 1 \cdot (-1) = 0$ for *street*.
# 2. *Weights.* The exponentials are $e^1 = 2.718$ and $e^0 = 1$. They are positive, even if a logit is
#    negative. Divide each by their sum, $3.718$: the weights are $0.731$ and $0.269$, and they add up to 1.
#    This step is called **softmax**.
# 3. *Weighted average.* The output is $0.731 \cdot (2, 0) + 0.269 \cdot (1, 4) = (1.73, 1.08)$.

# %%
query = torch.tensor([1.0, 1.0])
keys = torch.tensor([[1.0, 0.0], [1.0, -1.0]])  # one row for each word
values = torch.tensor([[2.0, 0.0], [1.0, 4.0]])
logits = keys @ query
weights = torch.softmax(logits, dim=0)
print("logits ", logits)
print("weights", weights)
print("output ", weights @ values)

# %% [markdown]
# **Predict.** If the query becomes $\beta$ times as long, all logits are multiplied by $\beta$: here they become
# $\beta$ and $0$. What are the weights at $\beta = 0$ and at $\beta = 2$? Decide before you move the slider. You
# can also type a number into the box beside it.


# %%
from kqa_core.show import BLUE, ORANGE, live_figure


def two_words(figure, beta):
    weights = torch.softmax(torch.tensor([beta, 0.0]), dim=0).tolist()
    axes = figure.subplots()
    axes.bar(["animal (logit β)", "street (logit 0)"], weights, color=[BLUE, ORANGE])
    axes.set(ylim=(0, 1), ylabel="weight")
    return f"At β = {beta:.1f} the weights are {weights[0]:.2f} and {weights[1]:.2f}."


live_figure(two_words, beta=(0.0, 8.0, 0.1, 1.0))

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# At $\beta = 0$ both logits are 0, so both weights are 0.5. At $\beta = 2$ the exponentials are $e^2 = 7.389$
# and 1, so the weights are $7.389 / 8.389 = 0.88$ and $0.12$. As $\beta$ grows, *animal* gets nearly all the
# weight, but never quite all: the slider shows rounded numbers.
#
# </details>

# %% [markdown]
# > **Takeaway.** Attention has three steps: dot products of a query with the keys, a softmax that turns them
# > into weights, and a weighted average of the values. Small differences between logits give a blend; large
# > differences give almost a copy of one value.

# %% [markdown]
# ## A model of your own, in a minute
#
# **Question.** Can a small Transformer learn where to look, from examples alone?
#
# We train one now, with the course's own code. Each row of text is eight random letters, a bar, and the same
# eight letters again, such as `fkcabdne|fkcabdne`. The model reads from left to right and predicts the next
# letter. It cannot know the first eight letters. To know the last eight, it must look back.
#
# **Predict.** At the start, the model guesses among 19 characters: 16 letters, the bar and two special ones. Which
# share of the last eight letters is right by chance? And which share after 300 steps of training?
#
# **What a step is.** The model starts with random numbers, its *parameters*. In each step it predicts 32 new
# rows. The *loss* measures how wrong it was. `loss.backward()` computes for every parameter in which direction
# the loss grows, and `optimizer.step()` moves every parameter a little the other way. (`AdamW` is one way to
# choose how far. Notebook 03 writes such a step by hand. You need not understand the rest of the code yet.)

# %%
from kqa_core.model import GPT, GPTConfig
from kqa_core.text import Vocabulary

LETTERS, HALF = "abcdefghijklmnop", 8
alphabet = Vocabulary.from_text(LETTERS + "|")
letters, bar = torch.tensor(alphabet.encode(LETTERS)), torch.tensor(alphabet.encode("|"))
torch.set_num_threads(1)  # the tensors are tiny: several threads would only wait for each other


def copy_rows(count, generator):
    """Random rows (count, 17): letters, a bar, the same letters."""
    first = letters[torch.randint(16, (count, HALF), generator=generator)]
    return torch.cat((first, bar.expand(count, 1), first), dim=1)


@torch.no_grad()
def share_copied(model):
    rows = copy_rows(200, torch.Generator().manual_seed(2))
    guesses = model(rows)[0].argmax(dim=-1)
    return float((guesses[:, HALF:-1] == rows[:, HALF + 1 :]).float().mean())


# %% tags=["nbval-ignore-output"]
torch.manual_seed(0)
model = GPT(GPTConfig(vocab_size=len(alphabet), block_size=2 * HALF + 1, n_layer=2, n_head=2, d_model=32))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
generator = torch.Generator().manual_seed(1)
for step in range(301):
    if step % 100 == 0:
        print(f"after {step:3} steps: {share_copied(model):4.0%} of the last eight letters are right")
    rows = copy_rows(32, generator)
    logits, loss = model(rows[:, :-1], rows[:, 1:])
    optimizer.zero_grad()  # forget the directions of the step before
    loss.backward()  # the direction for every parameter
    optimizer.step()  # move every parameter a little

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# By chance 1 letter of 19, or 1 of 16 for a model that never guesses a bar: 5 or 6 %. After 300 steps nearly all
# letters are right.
#
# </details>
#
# **Ask it something.** Put letters of your own in front of the bar: eight of them, from *a* to *p*. The model
# writes the next eight, one after the other.

# %% tags=["nbval-ignore-output"]
question = "hgfedcba|"
text = question
for _ in range(HALF):
    with torch.no_grad():
        guess = model(torch.tensor([list(alphabet.encode(text))]))[0][0, -1].argmax()
    text += alphabet.decode([int(guess)])
print(text)

# %% [markdown]
# **Look into it.** The model computes attention weights in four places, called *heads*: two in each of its two
# *blocks*. Here is one of the heads that look back. Each row is the letter that is being processed, and each
# column a letter that it can attend to.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import explore

explore(model, "fkcabdne|fkcabdne", alphabet).show(layer=0, head=0, query=10, key=2)

# %% [markdown]
# From the row of the bar on there is a line: from each place but the last one, most of the weight is on the place
# eight letters earlier. That place holds the letter that comes *next*: at the second `k`, the model looks at the
# `c` that followed the first `k`.
# Nobody told the model to look there. It found out, because looking there makes its predictions better.
#
# **You will build all of this yourself.** Notebook 01 asks how a query can copy one value, notebook 03 where
# queries and keys come from. In notebook 04 you write its attention and its loss, and every other part if
# you like, and train it again. Then you take this head out to see whether the model needs it.

# %% [markdown]
# ## A look into a real model
#
# **Question.** Does a model that was trained on real text send *it* to *animal*?
#
# The picture below shows attention weights from all-MiniLM-L6-v2, a real model of 22.7 million parameters. It
# has 72 heads (notebook 02 explains why there are several). Here is one of them, reading our first sentence. We have recorded its weights, so you need not download the model.

# %%
from kqa_core.show import recorded_head

tokens, real_weights = recorded_head()
picture = explore(real_weights, tokens, names=["one head of all-MiniLM-L6-v2"])
picture.show(query=tokens.index("it"), key=tokens.index("animal"))

# %% [markdown]
# Each row is a query, each column a key, and each row of weights adds up to 1. The model reads *tokens*: words,
# parts of words and punctuation marks. It puts `[CLS]` in front of the sentence and `[SEP]` after it. Hover
# over a cell to read its weight.
#
# *It* gives about 0.7 of its weight to *animal*, and 0.04 to *street*. Many texts on attention show such a picture.
# **Do not believe it yet.** It is one head of 72 and one sentence, and we chose it because it looks good. Is
# it more than luck? Notebook 08 tests it on 64 pairs of sentences like the two at the top. Make a guess now.
#
# *With the model* you can look at all its heads, and at a sentence of your own. Get it once with
# `kqa data fetch minilm` in a terminal (84 MB). Then remove the `#` in the next cell. Without the model, the
# cell prints a line that says what to do.

# %%
# explore("minilm", "The animal didn't cross the street because it was wide.").show(layer=3, head=1)

# %% [markdown]
# ## Paths through the course
#
# Nobody needs all of it. The line under an exercise's title says whether the exercise is *core*, and from which
# path on, or *optional*.
#
# - **Evening**, about 3½ hours: from a look-up to a trained model that copies. All of 00, and parts of 01, 03 and 04.
# - **Assignment**, about 12 hours: everything that Stanford's Assignment 5 asks. It goes on with the core of
#   02, 03, 04, 06, 07, 08 and 09.
# - **Full**: everything. Nothing in the core needs what is optional.
#
# Each notebook says at its beginning which sections are core. An instructor chooses a path for a class. Then
# the exercises outside of it are extra credit, and the cockpit below counts those of the path. If nobody has
# chosen one, every exercise counts. If you work alone, take *assignment*, and from the rest what you like.

# %% tags=["nbval-ignore-output"]
from kqa_core.check.registry import path_minutes
from kqa_core.show import course_map

course_map(*path_minutes())

# %% [markdown]
# These minutes are estimates: of the exercises, and of reading at 150 words a minute. You may need a quarter more.
# The hours above include this quarter.

# %% [markdown]
# ## Your first exercise
#
# An exercise has a text, a cell for your answer, and a check. The line under its title says how many points
# it gives, how hard it is, and how important it is for what follows. It also says how long the exercise
# usually takes, whether a check or a person decides, and its source: a paper, or an assignment of another
# course. *CS224n A5* is the fifth assignment of Stanford's course. *Washington* is our short name for
# assignments of another course, on attention, a mini-Transformer and an encoder. This exercise is the third step
# of attention. It is for practice and gives no points.
#
# **How the check answers.** Below are the text, the cell for your answer and the check. Run the two cells
# once as they are: the check says *unattempted*, in a red box, as for everything that is not right yet. Then
# replace the line that begins with `raise` by your answer, run that cell, and run the check again. The check
# says one of four things.
#
# - **unattempted**: the cell is still as you received it.
# - **right**: the exercise is done, and its points are counted.
# - **not yet**: your function runs, but the result is wrong. The line says what is wrong with it.
# - **error**: your function stopped with an exception. The line names the exception and the line of your
#   cell.
#
# You may check as often as you like, and it costs nothing.

# %% [markdown] exercise="weighted_average" role="statement"
# You get `values`, a tensor of shape `(n, d)`: $n$ rows with $d$ numbers each. You also get `weights`, a
# tensor of shape `(n,)` whose entries add up to 1. (The weights of a softmax are positive, but your function
# should work for negative ones, too.) Return the weighted average of the rows, a tensor of shape `(d,)`.
#
# For example, the rows `[2, 0]`, `[0, 4]` and `[6, 2]` with weights `[0.5, 0.25, 0.25]` have the average
# `[2.5, 1.5]`.


# %% exercise="weighted_average" role="solution"
def weighted_average(values, weights):
    """The average of the rows of values (n, d) with the given weights (n,): a tensor of shape (d,)."""
    raise NotImplementedError("exercise weighted_average: replace this line with your answer")


# %% exercise="weighted_average" role="check"
check("weighted_average", weighted_average)

# %% [markdown]
# *Right* here means right for the inputs that this check tries. If you take the course in a class, your
# answer is checked once more with other inputs after you submit the notebook. So write a function that works
# for every input. And leave the arguments as they are: later cells need `values` again, so do not change it
# in place, but make a new tensor. The checks look for both, in this exercise and in others.
#
# If an exercise asks for a number, a Python, NumPy or torch number is fine, unless the text says otherwise.
# Do not round what you return: a check allows for the rounding errors of floating-point arithmetic (about
# 0.000001), not for digits that are cut off.
#
# The next cell uses your function on the two words from above. As long as you have not tried the exercise,
# the cell prints only a note. With a wrong answer it prints wrong numbers or an error, so run it again when
# your check says *right*.

# %%
for beta in (0.0, 1.0, 8.0):
    weights = torch.softmax(torch.tensor([beta, 0.0]), dim=0)
    average = attempted(weighted_average, values, weights)
    if average is not None:
        print(f"β = {beta}: {[round(float(x), 2) for x in average]}")

# %% [markdown]
# At $\beta = 0$ you get the plain mean $(1.5, 2)$ of the two values. At $\beta = 1$ you get the result that
# we computed by hand. At $\beta = 8$ the output is, to two decimals, the value of *animal*.
#
# ### When you are stuck
#
# Every exercise has three hints: a nudge, the method, and a worked step. Hints cost no points, so take one
# after ten or fifteen minutes without progress. Remove the `#` in the next cell and run it to read the first
# hint. Run it again for the second, and once more for the third. `hint("weighted_average", 1)` repeats the
# first.

# %%
# hint("weighted_average")

# %% [markdown]
# ### Model answers
#
# Every exercise has a model answer. It comes with a comment that says why it is right and what the common
# mistake is. The call `solution("weighted_average")`, in a cell of its own, shows it once it is open. At
# first, most model answers are locked.
#
# - *You take the course in a class.* You submit your notebook, it is graded, and you get a feedback page
#   back. It shows a line with a code below each right answer. Run this line in the notebook, and the model
#   answer opens. Your instructor can also open the model answers for everybody, for example after the due
#   date.
# - *You work alone*. In a clone of the course's repository, a right answer opens the model answer. The model
#   answers of written exercises (see below) are open there from the start, so write your own answer first. In the
#   copy that students of a class receive, model answers need a code.
#
# Some answers are **written**: a few sentences of text that a person grades. They have no check.
#
# ### When you stop, and go on later
#
# Long notebooks have parts, and the end of a part is a good place to stop. When you come back, select the first
# cell of the next part and choose *Run → Run All Above Selected Cell*: this defines your functions again. Do the
# same when you skip a section, because later cells may use what its cells define.
#
# ### Folded text
#
# A line with a small triangle opens when you click on it. The answers to *Predict* questions are folded so
# that you can think first. *Going deeper* is folded because it is optional: nothing later depends on it.
#
# <details><summary><b>Going deeper (optional): other forms of attention</b></summary>
#
# Bahdanau et al. did not use a dot product. They computed the logit of two vectors with a small neural
# network. The dot product came in 2015 ([Luong et al.](https://arxiv.org/abs/1508.04025)). It is faster
# because all logits together are one matrix product. Vaswani et al. also divide the logits by $\sqrt{d_k}$;
# notebook 04 shows why.
#
# </details>

# %% [markdown]
# ## Break it
#
# A check is useful only if it notices mistakes. Here is an average that forgets its weights. It looks right,
# and for equal weights it is right. Run the cell and read what the check says. With `record=False`, this
# wrong function does not count as a try of yours.


# %% tags=["raises-exception"]
def forgets_the_weights(values, weights):
    return values.mean(dim=0)


check("weighted_average", forgets_the_weights, record=False)

# %% [markdown]
# The check tries unequal weights, so it finds the mistake.
#
# ## How far you have come
#
# The cockpit shows all notebooks at a glance: which exercises are done, which are not, the points, the hints
# you took and the time you spent. Its first lines lead to the exercise where you stopped, or say what comes
# next. You can come back to this notebook and run the cell again at any time. The results are kept in the
# file `.kqa/progress.json`, in the folder with your notebooks, so they survive a restart. An exercise that
# was right once stays done, even if you break it later.

# %% tags=["nbval-ignore-output"]
cockpit()

# %% [markdown]
# From notebook 01 on, the last code cell is `progress()`. It prints a short table of the exercises of the
# notebooks that you have begun. In a terminal, `kqa progress` prints the cockpit as text.
#
# ### Start an exercise again
#
# You can go back to the empty answer cell. Save the notebook, run `reset("weighted_average")` in a cell of
# its own, and then choose *Reload Notebook from Disk* in the File menu. The cell is as you received it, and
# the exercise is unattempted again. Your old answer is kept in the folder `.kqa/kept`. In a terminal,
# `kqa reset weighted_average` does the same.

# %% [markdown]
# ## Symbols
#
# These symbols mean the same in all notebooks. You need not learn them now: each notebook explains its own
# again when they first appear. Come back here if you forget one. All indices start at 0, in the text and in
# the code.
#
# | symbol | in code | shape | meaning |
# |---|---|---|---|
# | $T$ | `T` | number | tokens in a text; a token is a word, a part of a word, or a character. |
# | $n$ | `n` | number | keys that one query is compared with; in a Transformer there is one for each token, so $n = T$. |
# | $d$ | `d_model` | number | width: entries of a token's vector; without heads, also of a key, a query and a value. |
# | $h$ | `n_head` | number | heads: lookups that run side by side (notebook 02). |
# | $d_k$ | `d_head` | number | entries of a query, a key and a value of one head; with $h$ heads $d_k = d / h$. |
# | $x_t$, $X$ | `x` | $(d)$, $(T, d)$ | vector of token $t$; all of them, one in each row. |
# | $W_Q, W_K, W_V, W_O$ | `W_Q` … | $(d, d)$ | learned matrices that make queries, keys, values and the final output. |
# | $q_t$, $k_t$, $v_t$ | `q`, `k`, `v` | $(d_k)$ each | query, key and value of token $t$; $Q$, $K$, $V$ hold one in each row. |
# | $s_{ti}$ | `logits` | $(T, T)$ in all | logit of query $t$ and key $i$: $q_t \cdot k_i$, from 04 on divided by $\sqrt{d_k}$. |
# | $\alpha_{ti}$ | `weights` | $(T, T)$ in all | weight that token $t$ gives to token $i$: softmax of row $t$ of the logits. |
# | $c_t$ | `output` | $(d_k)$ | output for token $t$: $c_t = \sum_i \alpha_{ti} v_i$, a sum over all $n$ keys. |
# | $\beta$ | `beta` | number | scale of a query: it multiplies a query, and so all its logits. Nothing else is called $\beta$. |
# | $\sigma^2$ | `sigma2` | number | variance of a random number, for example of an entry of a key (notebook 02). |
#
# If there is only one query, we leave out its index $t$ and write $q$, $s_i$, $\alpha_i$ and $c$.
#
# **Columns first, rows later.** Up to the last part of notebook 03, a token is a column in our formulas, and a
# matrix is on its left: $q_t = W_Q x_t$. From there on, tokens are rows, and the matrix is on the right: $Q = X W_Q$.
# [Notebook 03](../03_keys_queries_values/03_keys_queries_values.ipynb#Tokens-become-rows) shows the change.

# %% [markdown]
# ## The road ahead
#
# | notebook | question | our sentence |
# |---|---|---|
# | 01 Attention as a lookup | Which queries copy, and which average? | *it* copies *animal*; *because* averages both halves |
# | 02 One head or many | What if the keys change from text to text? | one head fails where two heads succeed |
# | 03 Keys, queries, values | Where do the vectors come from? | matrices, built by hand and then learned |
# | 04 Build a Transformer | Which other parts does a Transformer need? | the sentence passes through a complete model |
# | 05 Mini-Transformer lab | What happens if a part is taken away? | the sentence without its word order |
#
# Notebooks 06 to 10 train models, measure what they know, and look at other designs. In notebook 11 your own
# functions run a real language model, and notebook 12 is about fast programs.
#
# The later notebooks use two data sets. Nothing in the course needs a network connection, except to get the
# real models, once (`kqa data fetch all`).
#
# - **A small world.** A text about people who never lived: where they were born, and other facts about them.
#   Because we made them up, we know what a model can have learned and what it can only guess. You will
#   pretrain a model on the text and then ask it *Where was … born?* The text comes in three sizes. With the
#   smallest one, training takes seconds.
# - **Short reviews.** Sentences that praise or criticise. They are written so that counting words is not
#   enough to tell which is which. They come with the notebook on fine-tuning.
#
# ## Your machine
#
# The course runs on two processor cores without a GPU. The next cell takes up to 20 seconds and lists what
# your machine has. *Missing* means that the notebooks need it; the last lines say how to install it. *Absent*
# next to `gpu`, `triton`, `sandbox` or `browser` is fine: instructors run your code in the sandbox when they
# grade, and tests of the course use the browser. If `transformers` is absent, notebook 10 has no encoder. The
# line `for answers` lists the packages that your answers may import. The grader has the same ones.

# %% tags=["nbval-ignore-output"]
from kqa_core.commands.machine import doctor

doctor()

# %% [markdown]
# ## Summary
#
# - A summary of fixed size loses words as the text grows. Attention keeps one vector for each word.
# - Attention has three steps: dot products of a query with the keys, a softmax, and a weighted average of the
#   values.
# - Training finds where to look: a small Transformer learned to copy from examples alone.
# - A check says whether your answer is right, and often what is wrong; hints cost nothing.

# %% [markdown]
# ## Test yourself
#
# **1.** Why does a model with one summary vector have trouble with long sentences?
#
# <details><summary><b>Answer</b></summary>
#
# The vector has the same size for every sentence, so at some length it can no longer hold all the words. In
# our experiment, a vector with 256 entries held 5 words without an error, but only 8 % of 80 words.
#
# </details>
#
# **2.** The logits of *animal* and *street* are 3 and 3. What are the two weights?
#
# <details><summary><b>Answer</b></summary>
#
# Both are 0.5. The exponentials are equal, so each is half of their sum. The size of the logits does not
# matter here, only their difference, which is 0.
#
# </details>
#
# **3.** Your check says *not yet*. What does this mean, and what can you do?
#
# <details><summary><b>Answer</b></summary>
#
# Your function ran without an exception, but its result is wrong. Read the rest of the line: it says what is
# wrong. If you are stuck, call `hint` with the name of the exercise.
#
# </details>
#
# **Next:** [01 Attention as a lookup](../01_attention_as_a_lookup/01_attention_as_a_lookup.ipynb). You will
# find a query that copies one value and a query that averages two of them.
