# %% [markdown]
# # Pretrain, finetune, evaluate
#
# Three small language models are asked where 100 invented people were born. None of them was trained on these
# questions.
#
# - The first was trained on *questions only*: 140 questions about other people, with their answers.
# - The second was trained on *text only*: documents about nearly all of these people, with spans masked as in
#   notebook 06.
# - The third was trained on the *text, then* on the *questions*.
#
# How many of the 100 questions do they answer correctly? The next cell shows recorded results for three
# random seeds.

# %% role="setup"
import copy
import math
import random
import re  # for your answers
from dataclasses import replace

import torch

from kqa_core.check import attempted, check, hint, progress, solution  # hint("…") gives hints
from kqa_core.training import GPT, GPTConfig


def published_schedule(tokens, warmup_tokens, final_tokens):
    """The multiplier of the learning rate in the assignment's trainer, word for word. Part 3 explains it."""
    if tokens < warmup_tokens:
        return float(tokens) / float(max(1, warmup_tokens))
    done = float(tokens - warmup_tokens) / float(max(1, final_tokens - warmup_tokens))
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * done)))


# %%
import kqa_core.show  # so that every training below shows its picture
from kqa_core.experiments import recorded_own

recorded = recorded_own()
print(f"right answers to {recorded.questions} questions\n")
print(recorded.table())

# %% [markdown]
# The first model knows next to nothing. The second one knows nothing at all, it seems. The third was trained
# on exactly the same two things, one after the other. So where was its knowledge before?
#
# In this notebook you train these three models yourself, on your own rows from notebook 06 and with your own
# training loop. It is the experiment of CS224n's fifth assignment, made small enough for a laptop. Afterwards
# you can
#
# 1. say what an accuracy is worth: against baselines, against a ceiling, and with an interval,
# 2. write a training loop, choose a learning-rate schedule, and load pretrained weights so that no mistake
#    stays unnoticed,
# 3. pretrain, finetune and evaluate a language model, and explain what each step adds,
# 4. prove that a model variant is really active before you report a number for it.
#
# **You need** notebooks 04 (the model and its loss) and 06 (your `corrupt_span`). The statistics are explained
# where you need them.
# **Time**: about four hours, in four parts; the core takes a little more than two. Training takes about four
# minutes of it on two processor cores.
# The symbols are in the [table of symbols](../00_start_here/00_start_here.ipynb#Symbols).
#
# **Core and optional** ([the map of paths](../00_start_here/00_start_here.ipynb#Paths-through-the-course)).
# The path *assignment* needs Parts 1 to 3. You may skip the exercise in *A ceiling*, the section *The learning
# rate*, what Muon does, and *How sure is a number?* Part 4 is optional.

# %% [markdown]
# ---
# # Part 1. What a number could mean
#
# ## The data
#
# The world is invented, so no model can know its people from elsewhere. The files have the names and the form
# of the original assignment: documents, one a line, and pairs of question and answer. The *train* pairs are
# for finetuning. The *dev* pairs are for measuring; their people are others. The *test* questions come
# without answers.

# %% tags=["path"]
from kqa_core.text import read_corpus, runs, shipped

corpus = read_corpus(shipped("world/small"))
documents, vocabulary = list(corpus.documents), corpus.vocabulary
train_pairs, dev_pairs = (
    [(pair.question, pair.answer) for pair in split] for split in (corpus.train, corpus.dev)
)
test_questions = [pair.question for pair in corpus.test]
print(
    f"{len(documents)} documents; {len(train_pairs)} train and {len(dev_pairs)} dev pairs;"
    f" {len(test_questions)} test questions"
)
print(documents[0])
print(train_pairs[0])
print(dev_pairs[0])
train_places = [place for _, place in train_pairs]
common = max(train_places, key=train_places.count)
print(
    f"the most common birthplace of the train pairs: {common}, {train_places.count(common)} of"
    f" {len(train_places)}"
)

# %% [markdown]
# ## A baseline
#
# **Question.** A model has 10 of 100 answers right. Is that much?
#
# The **accuracy** of a model is the share of questions that it answers exactly right, letter for letter. This
# is the only measure of this notebook.
#
# Compare it with something that knows nothing. A *baseline* is a simple method that sets the floor. London is
# the most common birthplace here, as in the original data. So the simplest baseline answers *London* to every
# question.
#
# **Example.** Take three pairs with the places London, Oslo and London. The baseline is right twice, so its
# accuracy is $\frac23$.

# %% [markdown] exercise="london_baseline" role="statement"
# `pairs` is a list of tuples `(question, place)`, at least one. Return the accuracy, between 0 and 1, of
# answering London to every question. An answer is right if it is exactly the place: "London Bridge" and
# "london" are not London.


# %% exercise="london_baseline" role="solution"
def london_baseline(pairs):
    """Accuracy, in [0, 1], of answering London to each of the (question, place) pairs."""
    raise NotImplementedError("exercise london_baseline: replace this line with your answer")


# %% exercise="london_baseline" role="check"
check("london_baseline", london_baseline)

# %%
share = attempted(london_baseline, dev_pairs)
if share is not None:
    print(f"always London: {100 * share:.1f} % of the dev questions")

# %% [markdown]
# ## A ceiling
#
# **Question.** And if a model has 90 of 100 right, why not 100?
#
# A model can only learn what the text says. About some people of this world there is no document, or the
# document does not mention the birthplace. A reader who knows this text alone can only guess the answers to
# these questions. The share of questions whose answer is somewhere in the person's lines is a *ceiling* for
# honest knowledge. (It is a little too high, because the place may be there for another reason, and a lucky
# guess may pass it.)
#
# **Example.** The documents are `Bo Li. Bo Li was born in Oslo.` and `Ty Au. Ty Au sang in Milanese.` The
# questions are about Bo Li (Oslo), Ty Au (Milan) and Cy Wu (Rome). Only the first answer can be found:
# *Milanese* is not *Milan*, and there is no document about Cy Wu. The ceiling is $\frac13$.

# %% [markdown] exercise="knowledge_ceiling" role="statement"
# `documents` is a list of lines (the last may be empty), `pairs` a list of `(question, place)`, at least one,
# where every question reads `Where was NAME born?`. Return the share of the pairs whose place is in at least
# one of the person's own lines, as a whole word.
#
# An own line begins with the name, a full stop and a space, which are part of the line. A whole word has no
# letter or digit directly before or after it. Places begin and end with a letter, and the text has no
# underscores. A person may have several lines, or none. Upper and lower case count: `london` is not `London`.
# Leave the two lists as they are.


# %% exercise="knowledge_ceiling" role="solution"
def knowledge_ceiling(documents, pairs):
    """Share, in [0, 1], of (question, place) pairs whose place is a whole word of one
    of the person's own lines.
    """
    raise NotImplementedError("exercise knowledge_ceiling: replace this line with your answer")


# %% exercise="knowledge_ceiling" role="check"
check("knowledge_ceiling", knowledge_ceiling)

# %%
share = attempted(knowledge_ceiling, documents, dev_pairs)
if share is not None:
    print(f"ceiling: {100 * share:.1f} % of the dev questions")

# %% [markdown]
# > **Takeaway.** An accuracy needs a floor and a ceiling. Here *always London* reaches 5 %, and perfect knowledge
# > of the text reaches 96 %.
#
# <details><summary><b>Going deeper (optional): the original data</b></summary>
#
# On the original data, the London baseline is 5 %, too, and the ceiling is 95.8 %.
# (`kqa data describe FOLDER` prints both.) But published student solutions of the assignment, with its
# learned positions, report only 12 to 27 % after pretraining, 23 % on average over 17 runs
# (sources: `benchmarks/README.md` of the repository). Notebook 08b asks why.
#
# (The task is described in [Stanford's
# handout](https://web.stanford.edu/class/archive/cs/cs224n/cs224n.1246/assignments/a4_spr24_student_handout.pdf).
# Two of the runs:
# [25.0 %](https://github.com/wuwowuyi/stanford_cs224n_NLP-with-Deep-Learning_winter2021/tree/main/assignment5)
# and [24 %](https://github.com/joeysbase/CS224N). These are their authors' figures. We did not repeat the
# runs.)
#
# </details>

# %% [markdown]
# ---
# # Part 2. Questions only
#
# ## A model of your own
#
# The next cell makes a new model: two layers of width 128, four heads, and rotary positions (another way to tell
# attention where tokens are: notebook 05). It has an eighth of the parameters of the assignment's model, and no
# dropout (a random switching-off of numbers in training).
#
# **Predict.** What is the loss of this model before any training? (You computed it in notebook 04: it guesses
# among all characters.)


# %% tags=["path"]
def new_model(seed):
    """A model with random weights."""
    torch.manual_seed(seed)
    no_dropout = {"embedding_dropout": 0.0, "attention_dropout": 0.0, "residual_dropout": 0.0}
    return GPT(GPTConfig(len(vocabulary), n_layer=2, n_head=4, d_model=128, variant="rope", **no_dropout))


# %% tags=["path"]
from kqa_core.text import NameDataset

questions = NameDataset(corpus.train, vocabulary, block_size=128)  # rows as in notebook 06

# %%
x, y = (torch.stack(each) for each in zip(*[questions[i] for i in range(64)], strict=True))  # (64, 127) each
model = new_model(seed=0)
with torch.no_grad():
    logits, loss = model(x, y)
print(
    f"{model.count_parameters():,} parameters; logits {tuple(logits.shape)}; loss {loss:.2f}, ln"
    f" {len(vocabulary)} = ",
    end="",
)
print(f"{math.log(len(vocabulary)):.2f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# About the logarithm of the number of characters: all characters get nearly the same probability. The small
# weights make it not exact.
#
# </details>
#
# ## The training loop
#
# The loop is the same for every model of this course. In each step it does six things:
#
# 1. set the learning rate of this step,
# 2. clear the gradients of the step before,
# 3. compute the loss on the batch (the *forward* pass),
# 4. compute the gradients (the *backward* pass),
# 5. *clip* the gradient: if its norm is larger than a limit, scale it down to the limit,
# 6. let the optimizer take its step.
#
# If one of them is missing, the loss often falls nevertheless, only less. That is why such mistakes stay
# unnoticed for a long time.
#
# **Example of clipping.** The gradient of all parameters together is $(3, 4)$. Its norm is $\sqrt{9+16}=5$.
# With `max_norm = 1` it becomes $(0.6, 0.8)$: the same direction, norm 1. With `max_norm = 10` it stays
# $(3, 4)$. In torch, `clip_grad_norm_` does this to the gradients that `backward` has left in the parameters:

# %%
parameter = torch.nn.Parameter(torch.zeros(2))
for max_norm in (1.0, 10.0):
    parameter.grad = torch.tensor([3.0, 4.0])
    norm = torch.nn.utils.clip_grad_norm_([parameter], max_norm)
    print(
        f"max_norm {max_norm:4}: the norm was {norm:.1f}, the gradient is now"
        f" {[round(g, 3) for g in parameter.grad.tolist()]}"
    )

# %% [markdown] exercise="train" role="statement"
# Train `model` in place.
#
# - `optimizer` is a torch optimizer for the parameters of `model`. Use this one.
# - `batches` gives tuples `(x, y)` of int64 tensors (B, T). It may be a list or a generator, and it may have
#   more batches than you need, or never end.
# - `rates` is a list of learning rates. Take one step for each of them, on one batch each, in order.
# - `model(x, y)` returns `(logits, loss)`. The model arrives without gradients. It may be in evaluation mode;
#   train in training mode. (`model.train()` switches it on, `model.eval()` off. Dropout acts in training mode
#   only.)
# - Before each step, set the rate of this step: `group["lr"] = rate` for each `group` in
#   `optimizer.param_groups`.
# - Before each step, if the norm of the gradient of all parameters together is larger than `max_norm`, scale
#   the gradient down to `max_norm`.
#
# Return a list of floats: the loss on each batch, before the step on this batch.


# %% exercise="train" role="solution"
def train(model, optimizer, batches, rates, max_norm):
    """Train model in place, one step for each rate, on batches of (x, y), int64 (B, T).
    Returns a list: the loss of each step.
    """
    raise NotImplementedError("exercise train: replace this line with your answer")


# %% exercise="train" role="check"
check("train", train)

# %% [markdown]
# ## Train on questions only
#
# First the model without pretraining. It gets only the 140 train questions with their answers, 75 times each,
# as in the assignment. The functions in the next cell make the batches: in every epoch the rows come in a new
# random order, and columns that are padding in all rows of a batch are cut off.


# %% tags=["path"]
from kqa_core.experiments import WatchedTraining, limited

QUESTION_STEPS, QUESTION_RATE = 75 * 3, 6e-4


def shuffled(count, size, rng):
    """For ever: lists of `size` row numbers below `count`, in a new order in each epoch."""
    while True:
        order = rng.sample(range(count), count)
        yield from (order[first : first + size] for first in range(0, count, size))


def question_batches(seed, size):
    """For ever: batches of `size` train questions with their answers."""
    for numbers in shuffled(len(questions), size, random.Random(seed)):
        # (64, 127) each
        x, y = (torch.stack(each) for each in zip(*[questions[i] for i in numbers], strict=True))
        used = int((y != 0).any(dim=0).nonzero().max()) + 1
        yield x[:, :used], y[:, :used]


# %% [markdown]
# With batches of 64, an epoch is three steps: 64 + 64 + 12 = 140 questions. So 75 epochs are 225 steps. While
# your loop runs, a picture grows: on the left the loss, in the middle the accuracy on 20 dev questions, on
# the right some answers. The band around the accuracy is a 95 % interval, which *How sure is a number?* explains
# (optional). (`WatchedTraining` calls your `train`, passes the batches on and looks at the model in between.
# `limited` lets the automatic tests of this course train for fewer steps.)
#
# **Predict.** The loss on the train questions: will it become small? And how many of the 100 *dev* questions
# will be right?
#
# Each training has two cells: the first makes a new model, the second trains it. You can stop a training with
# the square above the notebook (*Interrupt the kernel*). It then says at which step it was stopped. If you run
# the second cell again, the training goes on there.
#
# A finished training is kept in the folder `runs/07`. After a break or a restart of the kernel, the second
# cell loads it in a second, without the picture, and says so. An unfinished one goes on where it was saved
# last. If you change your code or a number, the training begins anew.

# %%
scratch, scratch_losses, folder = new_model(seed=0), None, runs("07")
rates = [QUESTION_RATE] * limited(QUESTION_STEPS)
adamw = torch.optim.AdamW(scratch.parameters())
batches = question_batches(0, 64)
on_questions = WatchedTraining(scratch, adamw, batches, rates, "questions only", corpus, folder)

# %% tags=["nbval-ignore-output"]
scratch_losses = attempted(on_questions.run, train)

# %% [markdown]
# ## From text to predictions
#
# The model gets `question ⁇` and writes one character after the other, always the most probable one. It has
# learned to write ⁇ when the answer is complete, but `complete` does not stop there: it always generates 32
# characters. (It takes several questions of equal length at once, because that is faster than one by one.)


# %% tags=["path"]
@torch.no_grad()
def complete(model, asked, length=32):
    """Each question, a ⁇, and the `length` characters that the model finds most probable after it.
    Questions of one length.
    """
    rows = torch.tensor([vocabulary.encode(question + "⁇") for question in asked])  # (B, T)
    model.eval()
    for _ in range(length):
        logits, _ = model(rows)  # (B, T, vocab_size)
        rows = torch.cat([rows, logits[:, -1].argmax(dim=-1, keepdim=True)], dim=1)
    return [vocabulary.decode(row) for row in rows]


def show_answers(model, count):
    """Print what the model writes after the first dev questions."""
    for question, place in dev_pairs[:count]:
        print(complete(model, [question])[0][: len(question) + 24], f"   (right: {place})")


# %% tags=["nbval-ignore-output"]
if scratch_losses is not None:
    show_answers(scratch, 3)
else:
    print("(this cell shows something once the training on questions is complete)")

# %% [markdown] exercise="predict_place" role="statement"
# Return what `generated` has between its first and its second `⁇`, exactly as it is there. If there is no
# second `⁇`, return everything after the first. If there is none at all, return the empty string.


# %% exercise="predict_place" role="solution"
def predict_place(generated):
    """The text between the first and the second ⁇ of generated; "" if there is no ⁇."""
    raise NotImplementedError("exercise predict_place: replace this line with your answer")


# %% exercise="predict_place" role="check"
check("predict_place", predict_place)

# %% [markdown]
# Now evaluate. `right_answers` says for each dev question whether the prediction is exactly the place.


# %% tags=["path"]
def predictions(model, asked):
    """The model's answer to each question, in their order."""
    said = {}
    for length in {len(question) for question in asked}:
        same = [question for question in asked if len(question) == length]
        said.update(zip(same, map(predict_place, complete(model, same)), strict=True))
    return [said[question] for question in asked]


def right_answers(model):
    """For each dev question, whether the model answers it correctly."""
    said = predictions(model, [question for question, _ in dev_pairs])
    return [mine == place for mine, (_, place) in zip(said, dev_pairs, strict=True)]


# %% tags=["nbval-ignore-output"]
results = {}
if scratch_losses is not None:
    found = attempted(right_answers, scratch)
    if found is not None:
        results["questions only"] = found
        print(f"loss on the last train batch: {scratch_losses[-1]:.3f} nats")
        print(f"questions only: {sum(found)} of {len(found)} dev questions right")
else:
    print("(this cell shows something once the training on questions is complete)")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The loss becomes small, and still only a few dev questions are right, about as many as with the London
# baseline or fewer.
#
# </details>
#
# The model has memorised the 140 answers. But the dev questions are about other people, and nothing in the
# train questions says where *they* were born. All the model could learn is the form of an answer: its answers
# look like names of places, and some of them are.
#
# > **Takeaway.** Finetuning teaches the form of the answers. A small loss on the train questions says nothing
# > about questions on other people.

# %% [markdown]
# ---
# # Part 3. Text, then questions
#
# ## Your rows
#
# Pretraining needs batches of corrupted documents. You have written almost all of it in notebook 06.
#
# **Example.** A batch has two rows of different lengths, `a⁇c⁇b` and `abc⁇d⁇ef`. The longer one has 8
# characters, so the shorter one is padded to `a⁇c⁇b□□□`. Then $x$ is both rows without their last character,
# $y$ both without their first, with 7 columns each. There is no need to pad them to 128.

# %% [markdown] exercise="pretraining_batch" role="statement"
# Open your notebook 06, copy your `corrupt_span` into the next cell, and write `pretraining_batch` below it.
# (Whatever you paste, also helpers, must be in this one cell, because each notebook is graded alone.)
#
# `documents` is a list of strings, `stoi` the dictionary from characters to indices, `rng` a `random.Random`.
# Corrupt each document, pad the rows with □ to the length of the longest row of this batch, and return
# `(x, y)`: two long tensors of shape `(len(documents), longest - 1)`. Row $i$ belongs to document $i$. Every
# character of a row is a target. (This exercise does not check again how often each span is drawn.)


# %% exercise="pretraining_batch" role="solution"
# Paste your corrupt_span from notebook 06 here.


def pretraining_batch(documents, block_size, stoi, rng):
    """x and y of a batch of corrupted documents: two long tensors (B, length of the longest row - 1)."""
    raise NotImplementedError("exercise pretraining_batch: replace this line with your answer")


# %% exercise="pretraining_batch" role="check"
check("pretraining_batch", pretraining_batch)


# %% tags=["path"]
def text_batches(seed):
    """For ever: batches of 64 corrupted documents."""
    rng = random.Random(seed)
    for numbers in shuffled(len(documents), 64, rng):
        yield pretraining_batch([documents[i] for i in numbers], 128, vocabulary.index, rng)


# %%
batch = attempted(lambda: next(text_batches(0)))
if batch is not None:
    x, y = batch
    print("x and y", tuple(x.shape), "with", int((y != 0).sum()), "targets, for example")
    for row in x[:3]:
        print(vocabulary.decode(row).rstrip("□"))

# %% [markdown]
# ## The learning rate (optional)
#
# **Question.** How large should the steps be? A large rate learns fast, but jumps around the minimum at the
# end. A small rate settles, but takes many steps. So one uses a *schedule*: a short *warm-up* from 0, because
# the first gradients of a random model are unreliable, then the full rate, then a slow decay.
#
# The assignment's schedule is the function `published_schedule` in the first code cell of this notebook. It
# counts tokens. It rises linearly for `warmup_tokens`, then follows half a cosine from 1 down to 0, but never
# below 0.1.
#
# **Example.** Let the warm-up take 10 tokens and let the cosine end at 110. At token 5, the multiplier is
# $\frac12$. At 60, half of the cosine is done: $\frac12(1+\cos\frac\pi2)=\frac12$. At 110 it is
# $\frac12(1+\cos\pi)=0$, raised to the floor 0.1.
#
# **Predict.** And at token 210?

# %%
for tokens in (5, 10, 60, 110, 160, 210):
    print(f"token {tokens:3}: {published_schedule(tokens, 10, 110):.3f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# It is 1 again, the full rate. A cosine does not stop at its minimum.
#
# </details>
#
# In the assignment, the cosine is laid out for 200 epochs of the text. But the handout then trains for 650
# epochs. Here is its curve for the original data. (The trainer counts only the 127 targets of a row and not
# its 128 characters. So in a real run the full rate comes back at epoch 403, and the last rate is 0.12. The
# curve ignores this.)

# %%
from kqa_core.show import schedule

EPOCH = 2938 * 128  # tokens: the original's 2,937 lines and an empty last one, times the length of a row
schedule(
    {"as published": lambda epoch: published_schedule(epoch * EPOCH, 512 * 20, 200 * EPOCH)},
    run=650,
    horizon=200,
)

# %% [markdown] exercise="rate_that_returns" role="statement"
# Read the curve. At which epoch is the rate full again, and why there? At what rate does the run end, and is
# it rising or falling then? What does a full rate do to a model that had settled? Two to four sentences.

# %% [markdown] exercise="rate_that_returns" role="written"
# (your answer)

# %% [markdown] exercise="lr_schedule" role="statement"
# Repair it. Return the multiplier of the learning rate after `tokens` tokens. Up to `final_tokens` it is what
# `published_schedule` gives. After that it stays at 0.1. `final_tokens` is always larger than
# `warmup_tokens`.


# %% exercise="lr_schedule" role="solution"
def lr_schedule(tokens, warmup_tokens, final_tokens):
    """Multiplier of the learning rate: warm-up to 1, cosine down to 0.1 at final_tokens, 0.1 ever after."""
    raise NotImplementedError("exercise lr_schedule: replace this line with your answer")


# %% exercise="lr_schedule" role="check"
check("lr_schedule", lr_schedule)

# %%
picture = None
if attempted(lr_schedule, 0, 512 * 20, 200 * EPOCH) is not None:
    both = {"as published": published_schedule, "repaired": lr_schedule}
    rates = {
        name: lambda epoch, rate=rate: rate(epoch * EPOCH, 512 * 20, 200 * EPOCH)
        for name, rate in both.items()
    }
    floor = next(epoch for epoch in range(1, 650) if lr_schedule(epoch * EPOCH, 512 * 20, 200 * EPOCH) <= 0.1)
    print(
        f"repaired: the rate reaches its floor in epoch {floor}, so {650 - floor} of 650 epochs are at a"
        " tenth of the rate"
    )
    picture = schedule(rates, run=650, horizon=200)
picture

# %% [markdown]
# The repaired schedule spends most of a long run at a tenth of the rate. It is better to lay the cosine out
# for the run that you really do. That is what we do below.
#
# ## The optimizer
#
# The loop above used AdamW. For the matrices inside the blocks we now use another optimizer, **Muon** (Jordan et
# al. 2024), because our model learns more facts with it in so few steps. (Notebook 08b has the numbers.) The rest
# stays with AdamW: embeddings, output matrix, biases and norms. In the code this is one call,
# `MuonAdamW(pretrained)`.
#
# **What Muon does (optional).** A matrix stretches space by different factors in different directions. These
# factors are its **singular values**. Those of a gradient are often very unequal, so a step along it changes the weights in a few
# directions only. Muon replaces all singular values by values near 1, so that every direction moves by the
# same amount.
#
# **Example.** A $2\times2$ gradient whose first row is 30 times as large as its second row:

# %%
G = torch.tensor([[3.0, 3.0], [-0.1, 0.1]])
U, singular, Vt = torch.linalg.svd(G)
step = U @ Vt  # the same directions, all singular values 1
print("singular values of the gradient:", [round(value, 3) for value in singular.tolist()])
print("the step of Muon:", [[round(entry, 3) for entry in row] for row in step.tolist()])

# %% [markdown]
# In the step, both rows have the same norm. (Muon itself approximates this with matrix products only, which
# is faster than a singular value decomposition.)
#
# ## Pretrain
#
# The run takes 900 steps. With 776 documents in batches of 64, an epoch is 13 steps, because the last batch
# has only 8 documents. So this is about 69 epochs. It takes about three minutes on two processor cores that
# do nothing else. A *schedule* says how large the learning rate is at each step. Ours is laid out for exactly
# this run: the full rate for the first half, then down
# to 0 in a straight line. With Muon, the end at 0 is important: its steps have the same size however small
# the gradient is, so the model settles only if the rate goes to 0. We chose the numbers of this run with the
# dev questions in view, so expect a little less on other questions.
#
# **Predict.** The picture in the middle shows how many of 20 dev questions are right *during* pretraining.
# What will it show?


# %% tags=["path"]
from kqa_core.training import MuonAdamW

TEXT_STEPS, TEXT_RATE = 900, 2e-3  # MuonAdamW takes ten times the rate for Muon
FINETUNING_STEPS = 10  # with the rate QUESTION_RATE


def text_rates(steps):
    """The learning rate of each step: full for the first half, then down to 0 in a straight line."""
    return [TEXT_RATE * min(1.0, 2 * (1 - step / steps)) for step in range(steps)]


# %%
pretrained, pretrained_losses = new_model(seed=0), None
rates, muon = text_rates(limited(TEXT_STEPS)), MuonAdamW(pretrained)
on_text = WatchedTraining(pretrained, muon, text_batches(0), rates, "pretraining", corpus, folder)

# %% tags=["nbval-ignore-output"]
if attempted(lambda: next(text_batches(0))) is not None:
    pretrained_losses = attempted(on_text.run, train)

# %% tags=["nbval-ignore-output"]
if pretrained_losses is not None:
    found = attempted(right_answers, pretrained)
    if found is not None:
        results["text only"] = found
        print(f"loss {pretrained_losses[0]:.2f} at first, {sum(pretrained_losses[-20:]) / 20:.2f} at the end")
        print(f"text only: {sum(found)} of {len(found)} dev questions right")
        show_answers(pretrained, 3)
else:
    print("(this cell shows something once the pretraining is complete)")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Nothing, from the beginning to the end. The model has never seen a question. After one ⁇ it writes what
# follows the first ⁇ in its own rows: the rest of a line. An answer is right only if it is exactly the place.
# So text in which the right place occurs, such as *was born in London in 18*, is not right.
#
# </details>
#
# ## Save it, load it
#
# A run of three minutes is worth saving. A run of three days even more. `WatchedTraining` has done it for you.
# In torch, saving and loading is one line each: `model.state_dict()` is a dict from names to weights, and
# `model.load_state_dict(weights)` copies such a dict into the model. It raises `RuntimeError` if names or shapes do
# not fit. Loading is the place where most silent mistakes happen.
#
# Weights that are saved from a compiled model have `_orig_mod.` before every name, those of a data-parallel
# model have `module.`. If you then load them with `strict=False`, torch finds no name that fits, loads
# nothing, and reports it only in its return value. The training goes on from random weights. Here is this
# mistake:

# %% tags=["nbval-ignore-output"]
file = folder / "pretrained.pt"
torch.save(pretrained.state_dict(), file)
# as data-parallel names
parallel_names = {f"module.{name}": tensor for name, tensor in torch.load(file, weights_only=True).items()}
fresh = new_model(seed=1)
before = fresh.head.weight.clone()
outcome = fresh.load_state_dict(parallel_names, strict=False)
print("head changed:", not torch.equal(fresh.head.weight, before))
print("names that did not fit:", len(outcome.missing_keys))

# %% [markdown] exercise="load_pretrained" role="statement"
# `weights` is a dict of tensors by name, as read from a file. Load them into `model` itself and return
# `model.state_dict()`. The model keeps its dtype: a file of `float16` loaded into a model of `float32` gives
# weights of `float32`.
#
# All names begin alike: with `module.`, with `_orig_mod.`, with both, one after the other in any order, or
# with neither. Remove these prefixes from the *beginning* of the names. (A name such as `first.module.weight`
# stays as it is.) After that, names and shapes must be those of `model.state_dict()`: all of them, and no
# others. If they are not, raise `ValueError`.


# %% exercise="load_pretrained" role="solution"
def load_pretrained(model, weights):
    """Load weights (name → tensor, perhaps prefixed) into model; return model.state_dict().
    ValueError if they do not fit.
    """
    raise NotImplementedError("exercise load_pretrained: replace this line with your answer")


# %% exercise="load_pretrained" role="check"
check("load_pretrained", load_pretrained)

# %% [markdown]
# Now load your own weights with your own function, and finetune. The names in `parallel_names` all begin with
# `module.`, so your function has something to remove.
#
# **Predict.** Finetuning is short: 10 epochs, all 140 train questions in one batch, so 10 steps. The dev
# people are not among them. How many of the 100 dev questions will be right afterwards?

# %%
finetuned, finetuned_losses = new_model(seed=1), None
loaded = pretrained_losses is not None and attempted(load_pretrained, finetuned, parallel_names) is not None
rates = [QUESTION_RATE] * limited(FINETUNING_STEPS)
adamw = torch.optim.AdamW(finetuned.parameters())
batches = question_batches(0, 256)
finetuning = WatchedTraining(finetuned, adamw, batches, rates, "finetuning", corpus, folder)

# %% tags=["nbval-ignore-output"]
if loaded:
    finetuned_losses = attempted(finetuning.run, train)
else:
    print("(this cell shows something once the pretraining is complete and load_pretrained is done)")

# %% tags=["nbval-ignore-output"]
if finetuned_losses is not None:
    found = attempted(right_answers, finetuned)
    if found is not None:
        results["text, then questions"] = found
        print(f"text, then questions: {sum(found)} of {len(found)} dev questions right")
        show_answers(finetuned, 5)
else:
    print("(this cell shows something once the finetuning is complete)")

# %% [markdown]
# This answers the question of the opening. The knowledge was in the pretrained model before, but no question
# could reach it. 10 steps on 140 questions about *other* people taught it the form of a question. They cannot
# have taught it where the dev people were born, because they do not mention them.
#
# The first picture has your run and the three recorded ones, one line for each. The grey lines are the
# baseline and the ceiling of Part 1. The second picture has your loss curves over a common axis of steps.
# This axis is logarithmic, so that 10 steps and 900 steps fit into one picture.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import losses, accuracy_stages

mine = {stage: sum(found) for stage, found in results.items()}
accuracy_stages(recorded.right, mine, recorded.questions, {"always London": 0.05, "ceiling": 0.96})

# %% tags=["nbval-ignore-output"]
curves = {
    "text only": pretrained_losses,
    "questions only": scratch_losses,
    "text, then questions": finetuned_losses,
}
losses({name: values for name, values in curves.items() if values})

# %% [markdown]
# Compare the two curves on questions. The pretrained model begins at a far lower loss, because it knows
# names, places and spelling. And it needs far fewer steps to bring the loss down.
#
# > **Takeaway.** Pretraining stores facts, finetuning makes them accessible. Neither alone answers more than
# > a few questions about people without a train question.
#
# **Your own class (optional).** The classes of notebook 04 take the same checkpoint. Two things differ: this
# model has rotary positions, so attention is replaced, and there are no position embeddings, so they stay 0.

# %%
from torch.nn.functional import cross_entropy

from kqa_core.exercise_helpers.kept_classes import kept_classes
from kqa_core.training import RotaryAttention

MyAttention, MyBlock, MyGPT = kept_classes()


def rotary_block(config):
    return MyBlock(config, RotaryAttention)


own = MyGPT(replace(finetuned.config, variant="vanilla"), rotary_block)
own.load_state_dict(finetuned.state_dict() | {"position_embedding": torch.zeros_like(own.position_embedding)})
x, y = (torch.stack(each) for each in zip(*[questions[i] for i in range(64)], strict=True))  # (64, 127) each
with torch.no_grad():
    theirs = finetuned.eval()(x, y)[1]
    mine_loss = cross_entropy(own.eval()(x).flatten(0, 1), y.flatten(), ignore_index=0)
print("the same loss:", torch.allclose(mine_loss, theirs, atol=1e-4))

# %% [markdown]
# ## Write the predictions
#
# In the assignment, the predictions for the dev and the test questions go into files, one a line, in the
# order of the questions. If a model wrote nothing, the line is empty and must stay: line $i$ answers question
# $i$. For the test questions you do not have the answers. An instructor has them.

# %% tags=["nbval-ignore-output"]
if "text, then questions" in results:
    for split, asked in (("dev", [question for question, _ in dev_pairs]), ("test", test_questions)):
        said = predictions(finetuned, asked)
        file = folder / f"finetuned.{split}.predictions"
        file.write_text("\n".join(said) + "\n", encoding="utf-8")
        print(f"{file.name}: {len(said)} lines, the first is {said[0]!r}")

# %% [markdown]
# The commands of the assignment do all of this at a terminal. They are the same here, with `kqa` in place of
# `python src/run.py`:
#
# ```
# kqa finetune vanilla wiki.txt --finetune_corpus_path birth_places_train.tsv --writing_params_path vanilla.model.params
# kqa pretrain vanilla wiki.txt --writing_params_path vanilla.pretrain.params
# kqa finetune vanilla wiki.txt --reading_params_path vanilla.pretrain.params \
#     --finetune_corpus_path birth_places_train.tsv --writing_params_path vanilla.finetune.params
# kqa evaluate vanilla wiki.txt --reading_params_path vanilla.finetune.params \
#     --eval_corpus_path birth_dev.tsv --outputs_path vanilla.dev.predictions
# ```
#
# ## How sure is a number? (optional)
#
# Suppose that a model has 40 of 100 questions right. If you asked it 100 other questions of the same kind,
# you would get another number. How far could it be off?
#
# The textbook answer: if the true accuracy is $p$, then the measured accuracy varies around it with the
# standard error $\sqrt{p(1-p)/n}$. At $p=0.4$ and $n=100$ it is $\sqrt{0.24/100}=0.049$. So one takes
# $0.40\pm1.96\cdot0.049$, that is, 0.30 to 0.50. This is called a 95 % interval: in about 95 of 100 such
# measurements, the measured accuracy is at most 1.96 standard errors away from $p$.
#
# But suppose that *no* answer is right. Then the textbook's standard error is 0, and its interval says that
# the model certainly knows nothing. That is wrong: with a true accuracy of 1 %, all of 100 answers are wrong
# with probability $0.99^{100}=0.37$. Wilson (1927) asked the question the other way round: for which true
# accuracies $p$ is the measured accuracy at most 1.96 standard errors away, where the standard error is that
# of $p$?
#
# **Example.** None of 100 is right, so the measured accuracy is 0. Which $p$ satisfy
# $p\le1.96\sqrt{p(1-p)/100}$? Square both sides and divide by $p$: $p\le0.0384\,(1-p)$, so $p\le0.037$. The
# interval goes from 0 to 3.7 %.
#
# **A second example.** With 40 of 100, the condition is $|0.4-p|\le1.96\sqrt{p(1-p)/100}$. Square both sides
# again: $0.16-0.8\,p+p^2\le0.0384\,p-0.0384\,p^2$. Collect the terms: $1.0384\,p^2-0.8384\,p+0.16\le0$. The
# left side is a parabola that opens upwards, so $p$ lies between its two zeros, 0.309 and 0.498. (The textbook's
# interval is 0.304 to 0.496.)

# %% [markdown] exercise="interval95" role="statement"
# `correct` of `total` answers were right. Return `(low, high)`: the smallest and the largest $p$ in [0, 1]
# with $|\mathrm{correct}/\mathrm{total} - p| \le 1.96\sqrt{p(1-p)/\mathrm{total}}$.


# %% exercise="interval95" role="solution"
def interval95(correct, total):
    """Wilson's 95 % interval (low, high), in [0, 1],
    for the accuracy behind correct right answers of total.
    """
    raise NotImplementedError("exercise interval95: replace this line with your answer")


# %% exercise="interval95" role="check"
check("interval95", interval95)

# %% tags=["nbval-ignore-output"]
for name, found in results.items():
    ends = attempted(interval95, sum(found), len(found))
    if ends is None:
        break
    print(f"{name:20} {sum(found):3} of {len(found)}   {100 * ends[0]:5.1f} % to {100 * ends[1]:5.1f} %")

# %% [markdown]
# ## Which models differ?
#
# The three models have answered *the same* questions, so compare them question by question. Only
# those questions count that exactly one of the two models has right: it has *gained* or *lost* them. If both
# models were equally good, each of these questions would be the toss of a coin. The *p-value* is how often coins
# fall at least as unevenly. For example, 4 gained and 0 lost: four coins fall alike in 2 of 16 cases, so
# $p = 0.125$. One usually says that a difference is shown if $p$ is below 0.05. This is **McNemar's test**; you
# build it in notebook 08 (see also the [table of
# statistics](../05_mini_transformer_lab/05_mini_transformer_lab.ipynb#Statistics-used-in-this-course)).
#
# Intervals that overlap do not decide it. Say A has 50 of 100 right and B has 35: their intervals overlap. But
# if B is right only where A is right, all 15 differences are on one side.

# %% tags=["nbval-ignore-output"]
from kqa_core.evaluation import mcnemar

stages = (
    ("questions only", "text, then questions"),
    ("text only", "text, then questions"),
    ("text only", "questions only"),
)
for first, second in stages:
    if first in results and second in results:
        pairs = list(zip(results[first], results[second], strict=True))
        gained, lost = pairs.count((False, True)), pairs.count((True, False))
        print(f"from {first} to {second}: {gained} gained, {lost} lost, p = {mcnemar(gained, lost):.2g}")

# %% [markdown] exercise="read_the_gap" role="statement"
# Look at your results and at the recorded ones at the top. Answer in five to eight sentences.
#
# 1. Which of the three models differ by more than chance, and which pair is not shown to differ? Use the tests of
#    the last cell.
# 2. Why can finetuning alone not help with the dev questions, however long it takes?
# 3. The pretrained model gave no right answer before finetuning. How do you know that its knowledge came from
#    the text nevertheless?
# 4. Even the third model stays far below the ceiling. Give two reasons why it may miss a birthplace that the
#    text states.

# %% [markdown] exercise="read_the_gap" role="written"
# (your answer)

# %% [markdown]
# ### Break it
#
# A model knows characters by number, and the numbers come from the text: its characters, sorted. Suppose that
# the text at evaluation differs by a single character from the text at training: a tilde stands where a
# bracket was. In the sorted list, the bracket comes early and the tilde late. So every character between them
# gets a number that is smaller by one.

# %% tags=["nbval-ignore-output"]
from kqa_core.text import Vocabulary

other = Vocabulary.from_text(corpus.text.replace(")", "~"))
if "text, then questions" in results:
    first, right_vocabulary = dev_pairs[0][0], vocabulary
    for name, used in (("the vocabulary of the training", right_vocabulary), ("one character off", other)):
        vocabulary = used  # `complete` reads this name
        right = sum(right_answers(finetuned))
        print(
            f"{name:32} {right} of {len(dev_pairs)} right; the first answer is"
            f" {predictions(finetuned, [first])[0]!r}"
        )
    vocabulary = right_vocabulary

# %% [markdown]
# Nothing crashes. The model reads another question than the one you asked. The only sign is a number that is
# too low, as if the model had not learned anything. So save the characters together with the weights, and
# compare them when you load. The course's own checkpoints do this.
#
# ## The whole path on one page
#
# Here is the experiment of Parts 2 and 3 in one function, made of your functions. The recorded results of the
# opening were made in the same way, with the course's reference solutions in place of your functions
# (`kqa bench own_training`). It takes about four minutes. Call `whole_path(1)` in a new cell if you want to
# see another seed.


# %% tags=["path"]
def whole_path(seed):
    """The three models from one seed: for each, which dev questions it answers correctly."""
    found = {}
    scratch = new_model(seed)
    adamw = torch.optim.AdamW(scratch.parameters())
    train(scratch, adamw, question_batches(seed, 64), [QUESTION_RATE] * limited(QUESTION_STEPS), 1.0)
    found["questions only"] = right_answers(scratch)

    pretrained = new_model(seed)
    train(pretrained, MuonAdamW(pretrained), text_batches(seed), text_rates(limited(TEXT_STEPS)), 1.0)
    found["text only"] = right_answers(pretrained)

    finetuned = new_model(seed + 1)
    load_pretrained(finetuned, pretrained.state_dict())
    adamw = torch.optim.AdamW(finetuned.parameters())
    train(finetuned, adamw, question_batches(seed, 256), [QUESTION_RATE] * limited(FINETUNING_STEPS), 1.0)
    found["text, then questions"] = right_answers(finetuned)
    return found


# %% [markdown]
# ---
# # Part 4. Is the variant active? (optional)
#
# The last part of the assignment replaces attention by a *Synthesizer* (notebook 09) and compares the two
# models. Suppose that you add a setting for it, and that a typing mistake prevents the model from ever
# reading it. Then both models are ordinary ones. The training runs, the numbers come out, and the small
# difference between them is that of two random seeds. Nothing fails.
#
# Looking at the model does not help much. Here are two models that say that they have rotary positions
# (`variant="rope"`). Only one of the two really has them.

# %%
from kqa_core.experiments import suspect

for layers, dress in ((("rope", "rope"), "library"), (("vanilla", "vanilla"), "class")):
    model = suspect("rope", layers, dress, seed=7)
    attention = type(model.blocks[0].attention).__name__
    print(f"says {model.config.variant}, attention {attention}, {model.count_parameters()} parameters")

# %% [markdown]
# So you need a test of what a model *computes*. You have a second model that you trust. It has the same size,
# and it really is the variant. But its weights are different random numbers, so its outputs differ in any
# case.
#
# **A worked smaller case.** Two functions are given, $f(x)=w\,x$ and $g(x)=w\,x^2$, each with one weight $w$.
# The first has $w=2$ and the second has $w=3$. Are they the same function of $x$ *and* $w$? At $x=2$ they
# give 4 and 12, but that could be because of the weights. So give $g$ the weight of $f$: with $w=2$ they give
# $f(2)=4$ and $g(2)=8$. Now only the mathematics can be the reason. And the input matters: at $x=1$, both
# give 2. Choose an input at which different mathematics shows.
#
# For models, `reference.load_state_dict(...)` gives one model the weights of the other.

# %% [markdown] exercise="is_it_active" role="statement"
# `model` is a `GPT` that is said to be a variant. `reference` is a `GPT` of the same sizes that really is
# this variant; its weights are other random numbers. Return `True` if `model` computes what the variant
# computes, in every layer, and `False` if it does not.
#
# - `model(tokens)` returns `(logits, None)` for an int64 tensor `tokens` (B, T); `model.config` has
#   `vocab_size` and `block_size`.
# - Only the mathematics counts, not the names of classes or settings. If `model` lacks a parameter of
#   `reference`, it is one that changes the logits, and the answer is `False`. Those of the same name have the
#   same shape, and parameters that only `model` has do not count.
# - Rounding changes a logit by less than $10^{-4}$; a layer that computes something else changes some logits by
#   more than $10^{-3}$.
# - `model` may arrive in training mode, with dropout; `reference` arrives in evaluation mode. You may change
#   `reference` as you like, and the mode of `model`, but not the weights of `model`.


# %% exercise="is_it_active" role="solution"
def is_it_active(model, reference):
    """Whether model computes, in every layer, the variant that reference is: True or False."""
    raise NotImplementedError("exercise is_it_active: replace this line with your answer")


# %% exercise="is_it_active" role="check"
check("is_it_active", is_it_active)

# %% [markdown]
# Is your own model what it says it is?

# %%
for variant in ("rope", "synthesizer", "vanilla"):
    trusted = GPT(replace(finetuned.config, variant=variant))
    active = attempted(is_it_active, copy.deepcopy(finetuned), trusted)
    if active is None:
        break
    print(f"the finetuned model is a {variant} model: {active}")

# %% [markdown]
# > **Takeaway.** Before you report a number for a variant, test that the variant is active. Give two models
# > the same weights and the same input: then only different mathematics can make their outputs differ.

# %%
progress()

# %% [markdown]
# ## Summary
#
# - An accuracy needs a baseline, a ceiling and an interval. Two models that answer the same questions are
#   compared question by question (McNemar's test).
# - The training loop: rate, zero, forward, backward, clip, step. Its mistakes are silent, and so are those of
#   loading.
# - Pretraining on corrupted text stores facts. A few steps of finetuning on other people's questions make
#   them accessible.
# - Two models with the same weights and the same input differ only if they compute different things. This is
#   how you test that a variant is active.
#
# ## Test yourself
#
# **1.** A pretrained model has no question right. Has pretraining failed?
#
# <details><summary><b>Answer</b></summary>
#
# Not necessarily. It has never seen the form of a question. Finetune it on a few questions and measure again.
#
# </details>
#
# **2.** Models A and B have 22 and 30 of 100 questions right. What do you do to compare them?
#
# <details><summary><b>Answer</b></summary>
#
# Count the questions that only A and only B has right, and use McNemar's test. For a claim about the methods,
# train several seeds.
#
# </details>
#
# **3.** You load a checkpoint, and the loss starts at 4.2, which is $\ln 67$. What do you suspect?
#
# <details><summary><b>Answer</b></summary>
#
# That nothing was loaded: this is the loss of a model that guesses among our 67 characters. Look at the names
# of the weights.
#
# </details>
#
# **Next:** [08 What does the model
# know?](../08_what_does_the_model_know/08_what_does_the_model_know.ipynb) There you look into a trained
# model: where in it is the answer?
