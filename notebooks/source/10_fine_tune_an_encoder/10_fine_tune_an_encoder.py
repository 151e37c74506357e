# %% [markdown]
# # Fine-tune a pretrained encoder
#
# Is a sentence about a film praise or blame? The oldest method that works counts words. Each word gets a weight, learned from
# 6,920 sentences that somebody has labelled; a sentence is praise if its weights add up to more than nought. Here is such a
# *bag of words*, and what it makes of five sentences it has not seen.

# %% role="setup"
import copy  # for your answers
import math
from collections import Counter, defaultdict

import numpy as np  # for your answers
import torch
import torch.nn.functional as F  # for your answers
from torch import nn  # for your answers

from kqa_core.check import attempted, check, hint, progress  # hint("…") gives hints

# %% tags=["nbval-ignore-output"]
from kqa_core.encoder import KINDS, accuracy, fit, read_sentiment
from kqa_core.text import runs, shipped

data = read_sentiment(shipped("sentiment"))
words = fit(data.train)
asked = {
    "the plot is clever .": "praise",
    "the plot is dull .": "blame",
    "the plot is far from clever .": "blame",
    "i adored the cast , but the plot is dull .": "blame",
    "the plot is dull , but i adored the cast .": "praise",
}
for (sentence, truth), said in zip(asked.items(), words.predict(list(asked)).tolist(), strict=True):
    print(f"{('blame', 'praise')[said]:7}(right: {truth:6})  {sentence}")
print(f"\nright, of {len(data.validation)} validation sentences: {100 * accuracy(words, data.validation):.1f} %")

# %% [markdown]
# Look at the last two. They have the same words, so they have the same sum, so they get the same answer: one of the two is
# wrong, whatever was learned. An encoder knows the order. This notebook takes one that was *pretrained*, puts a linear map on
# top, and *fine-tunes* it: minutes of training, and all the handwork in between. When you leave it you can
#
# 1. say what a bag of words cannot know, and prove it,
# 2. make batches of sentences: tokens, truncation, padding, attention mask, collate,
# 3. write the three lines of a training step, and an evaluation that leaves no trace,
# 4. write SGD, Adagrad and AdamW, and say what each divides by,
# 5. choose a setting from a grid without fooling yourself, and look at the test split once.
#
# ## The corpus
#
# The sentences are generated, so nobody can have read them elsewhere, and for each it is known what decides it. There are as
# many as in SST-2, the sentences of film critics that such a course would download: 6,920 to train on, 872 for validation and
# 1,821 to test. `kqa encoder finetune --hub` takes those, with the same code; more on that at the end.

# %%
print({name: len(getattr(data, name)) for name in ("train", "validation", "test")}, "\n")
for kind in KINDS:
    share = sum(example.kind == kind for example in data.train) / len(data.train)
    print(f"{kind}, {100 * share:.0f} % of the train sentences")
    for example in [each for each in data.train if each.kind == kind][:2]:
        print(f"    {('blame', 'praise')[example.label]:8}{example.sentence}")

# %% [markdown]
# *Negation* turns a clause round. In a *contrast*, the clause behind “but” counts, and the one beside “although” does not. In
# *intensity*, the stronger of two words wins. Where does the bag of words go wrong?

# %% tags=["nbval-ignore-output"]
for kind in KINDS:
    print(f"{kind:10} {100 * accuracy(words, [each for each in data.validation if each.kind == kind]):5.1f} %")

# %% [markdown]
# ## What counting cannot know
#
# A poor result may have many reasons: too few sentences, too little training. So ask what the *best* classifier could reach
# that knows only how often each word occurs. To sentences of the same words it must give the same answer.

# %% [markdown] exercise="bag_ceiling" role="statement"
# `sentences` is a list of strings, words separated by single spaces; `labels` are their labels, 0 or 1. Return the highest
# accuracy, between 0 and 1, that any classifier can reach on these sentences if it knows how often each word occurs in a
# sentence, and nothing else.


# %% exercise="bag_ceiling" role="solution"
def bag_ceiling(sentences, labels):
    """The highest accuracy, in [0, 1], of a classifier that knows how often each word occurs, and nothing else."""
    raise NotImplementedError("exercise bag_ceiling: replace this line with your answer")


# %% exercise="bag_ceiling" role="check"
check("bag_ceiling", bag_ceiling)

# %% [markdown]
# On the corpus as it is, this says nothing: hardly two sentences have the same words, so there could be a table that knows
# them all by heart. Now add to each contrast its mirror image, the clauses exchanged and the label with them.


# %%
def mirrored(example):
    first, second = example.sentence.removesuffix(" .").split(" , but ")
    return f"{second} , but {first} .", 1 - example.label


contrasts = [each for each in data.validation if each.kind == "contrast" and each.sentence.count(" , but ") == 1]
both = [(each.sentence, each.label) for each in contrasts] + [mirrored(each) for each in contrasts]
for name, pairs in (
    ("all of validation", [(each.sentence, each.label) for each in data.validation]),
    ("mirrored contrasts", both),
):
    ceiling = attempted(bag_ceiling, [sentence for sentence, _ in pairs], [label for _, label in pairs])
    if ceiling is not None:
        print(f"{name:19} {len(pairs):4} sentences: at most {100 * ceiling:.1f} %")

# %% [markdown]
# Half of them: a coin does as well. That is no matter of training. It is what the counts have lost.

# %% [markdown] exercise="why_words_are_not_enough" role="statement"
# A logistic regression on words adds one weight for each word, and a constant. In four to six sentences: show that no weights
# get “good”, “bad”, “not good” and “not bad” right, all four. Why is contrast worse still? And what can an encoder with
# attention do about it, before anything is added up?

# %% [markdown] exercise="why_words_are_not_enough" role="written"
# *Your answer here.*

# %% [markdown]
# ## The encoder
#
# The course ships a small encoder: a Transformer whose positions read in both directions, trained by hiding about 15 words
# in 100 and guessing them, on reviews that nobody had labelled. It is loaded as any model of the Hugging Face hub is, by
# `AutoModel.from_pretrained`, only that the place is a folder here. That takes the package `transformers`; where it is
# missing, the next cell says so, the exercises work all the same, and the cells that need the encoder stay empty.

# %%
import os
from pathlib import Path

from kqa_core.encoder import SentimentClassifier, load_encoder
from kqa_core.errors import UserError

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # or its threads would be in the way of the loader's workers below
try:
    place = Path(os.path.relpath(shipped("encoder")))
    encoder, tokenizer = load_encoder(place)
    print(f"{sum(each.numel() for each in encoder.parameters()):,} parameters, {len(tokenizer)} tokens")
except UserError as missing:
    encoder = tokenizer = None
    print(missing)

# %% [markdown]
# It can be asked what it expects in the place of a hidden word, `<mask>`. Nobody has told it which words are praise. But the
# reviews that it read say what their authors thought: each holds a verdict, most of them at the end. So put a verdict with a hole
# behind a sentence. This is a *prompt*:

# %% tags=["nbval-ignore-output"]
prompt = None
if encoder is not None:
    from kqa_core.encoder import PromptClassifier, fill_mask, score

    for sentence in asked:
        guesses = fill_mask(place, f"{sentence} two thumbs <mask> .", count=2)
        print(f"{sentence:45} two thumbs", ", ".join(f"{word} ({share:.2f})" for word, share in guesses))
    prompt, by_kind = score(PromptClassifier(place), data.validation)
    print(f"\nright, of the validation sentences, without one label: {prompt}")
    print(", ".join(f"{kind} {100 * by_kind[kind].value:.1f} %" for kind in KINDS))

# %% [markdown]
# To guess verdicts, it had to find out what the sentences beside them say, “far from” and “but” included. It was made to. The
# words by which verdicts differ were asked for every time, and in the first three tenths of the run nothing else was. Asked for
# words of all kinds from the start, the same encoder learned in as many steps how words are used, and went on guessing the
# verdicts: a coin does as well. What is learned depends on what is asked.
#
# So why train any further? Look at the kinds: there is one on which it has no opinion. And a prompt takes somebody who knows by
# which words these texts rate. Most questions have no such words; labels can say anything.
#
# ## Sentences by number
#
# The tokenizer turns a sentence into numbers, with a special token at each end. The first of them, `<s>`, stands for no word:
# its vector is where a classifier may read off what the whole sentence says.


# %%
def encode(sentence):
    """The ids of a sentence, special tokens included."""
    return tokenizer(sentence)["input_ids"]


if tokenizer is not None:
    for sentence in ("the plot is far from clever .", "the pie is clever ."):
        print(encode(sentence), tokenizer.convert_ids_to_tokens(encode(sentence)))

# %% [markdown]
# Training wants sentences in another order each epoch, several at a time, perhaps made by other processes. torch's
# `DataLoader` does all of it, if it is given a *data set*: an object that knows how many items there are, and gives any of
# them by number.

# %% [markdown] exercise="sentence_dataset" role="statement"
# Return a data set: an object whose `__len__` gives the number of sentences and whose `__getitem__(i)` gives the pair
# `(ids, label)`: what `encode(sentences[i])` returns, and `labels[i]`. It is asked in any order, and more than once. For `i` at
# or beyond the length it raises `IndexError`.


# %% exercise="sentence_dataset" role="solution"
def sentence_dataset(sentences, labels, encode):
    """A data set of pairs (ids, label); encode makes a list of ids of a sentence."""
    raise NotImplementedError("exercise sentence_dataset: replace this line with your answer")


# %% exercise="sentence_dataset" role="check"
check("sentence_dataset", sentence_dataset)

# %% [markdown]
# ## Too long
#
# A model has a longest row, and attention's cost grows with its square. What is too long is cut, but a sentence without its
# last special token is something that the model has never seen.

# %% [markdown] exercise="truncate" role="statement"
# `ids` begins and ends with a special token. Return at most `max_length` of them (at least 2): the first, the last, and between
# them as many as fit, from the beginning. What is short enough stays as it is. Nothing is filled up.


# %% exercise="truncate" role="solution"
def truncate(ids, max_length):
    """The ids (a list of ints) cut to at most max_length, with the special tokens at both ends."""
    raise NotImplementedError("exercise truncate: replace this line with your answer")


# %% exercise="truncate" role="check"
check("truncate", truncate)

# %% [markdown]
# ## Too short
#
# A batch is a tensor, and tensors have straight edges. So the shorter rows are filled up, and a *mask* goes with them that
# says which tokens are real. How wide? As wide as the longest row of *this* batch: whatever is wider is computed and thrown
# away.

# %% [markdown] exercise="collate" role="statement"
# `items` is a list of pairs `(ids, label)`. Return a dict of three LongTensors: `input_ids` (B, T), each row filled up at its
# end with `pad_id`; `attention_mask` (B, T), 1 where a token is real and 0 where it was filled up; `labels` (B,). T is the
# length of the longest row. Beware: `pad_id` may be a real token's id as well.


# %% exercise="collate" role="solution"
def collate(items, pad_id):
    """{"input_ids": (B, T), "attention_mask": (B, T), "labels": (B,)}, int64, of a list of (ids, label)."""
    raise NotImplementedError("exercise collate: replace this line with your answer")


# %% exercise="collate" role="check"
check("collate", collate)


# %% [markdown]
# Data set, truncation and collate together, as training uses them. The last line compares your rows with rows that are all 40
# tokens wide.


# %%
def loader_of(examples, batch_size, shuffle=False, workers=0):
    """Batches of your own making."""
    dataset = sentence_dataset([each.sentence for each in examples], [each.label for each in examples], encode)

    def together(items):
        cut = [(torch.as_tensor(truncate(list(ids), 40)).tolist(), label) for ids, label in items]
        return collate(cut, tokenizer.pad_token_id)

    more = {"num_workers": workers, "multiprocessing_context": "fork"} if workers else {}
    order = torch.Generator().manual_seed(0)
    return torch.utils.data.DataLoader(dataset, batch_size, shuffle=shuffle, collate_fn=together, generator=order, **more)


def padding():
    batch = next(iter(loader_of(data.train[:4], 4)))
    print(batch["input_ids"], batch["attention_mask"], batch["labels"], sep="\n")
    real = filled = 0
    for batch in loader_of(data.validation, 64):
        real, filled = real + int(batch["attention_mask"].sum()), filled + batch["attention_mask"].numel()
    print(
        f"real tokens: {100 * real / filled:.0f} % of your batches, {100 * real / (40 * len(data.validation)):.0f} % at width 40"
    )


if tokenizer is not None:
    attempted(padding)

# %% [markdown]
# ## Who makes the batches?
#
# With `num_workers=2` two other processes do, while this one trains. The batches are the same; whether it is faster depends on
# what a batch costs to make, beside what the processes cost to start. Measure before you believe.

# %% tags=["nbval-ignore-output"]
import sys
import time


def with_workers():
    found = {}
    for workers in (0, 2):
        began = time.perf_counter()
        found[workers] = list(loader_of(data.train[:2000], 64, shuffle=True, workers=workers))
        print(f"{workers} workers: {len(found[workers])} batches in {time.perf_counter() - began:.2f} s")
    same = [all(torch.equal(a[name], b[name]) for name in a) for a, b in zip(found[0], found[2], strict=True)]
    print("the same batches:", all(same))


if tokenizer is not None and sys.platform == "linux":  # elsewhere, workers start anew and do not know a notebook's functions
    attempted(with_workers)

# %% [markdown]
# ## One vector for a sentence
#
# The encoder gives a vector for every token. A classifier wants one for the sentence. It can take the first token's, as BERT
# does, or the mean: over the real tokens, for what stands in the padding is nobody's opinion.

# %% [markdown] exercise="masked_mean" role="statement"
# `hidden` has shape (B, T, d), `mask` (B, T), int64, 1 where a token is real; each row has at least one. Return the mean of
# each row's real tokens, shape (B, d), in the dtype of `hidden`. It must be trainable.


# %% exercise="masked_mean" role="solution"
def masked_mean(hidden, mask):
    """hidden (B, T, d), mask (B, T) of 0 and 1 → (B, d): the mean over the real tokens of each row."""
    raise NotImplementedError("exercise masked_mean: replace this line with your answer")


# %% exercise="masked_mean" role="check"
check("masked_mean", masked_mean)

# %% [markdown]
# The mask has two jobs. Within the encoder it keeps every real token from reading the padding; at the end it keeps the padding
# out of the mean. Here is one sentence, alone and in a batch beside a longer one. How far does its vector move if the mask is
# right, and how far if it is all ones?

# %% tags=["nbval-ignore-output"]
short, long = "the plot is clever .", "although the first half is a little slow , i adored the cast from beginning to end ."


@torch.no_grad()
def moved():
    alone, pair = (tokenizer(texts, padding=True, return_tensors="pt") for texts in ([short], [short, long]))
    vector = masked_mean(encoder(**alone).last_hidden_state, alone["attention_mask"])[0]
    for name, mask in (("right", pair["attention_mask"]), ("all ones", torch.ones_like(pair["attention_mask"]))):
        other = masked_mean(encoder(input_ids=pair["input_ids"], attention_mask=mask).last_hidden_state, mask)[0]
        print(f"mask {name:9} the vector of length {vector.norm():.1f} moves by {(vector - other).norm():.1g}")


if encoder is not None:
    attempted(moved)

# %% [markdown]
# ## Break it
#
# Nothing crashes if the mask is wrong. A sentence's answer then depends on which others happen to share its batch. The
# commonest way there is to call padding whatever has the padding's id. With a tokenizer whose padding is one of its words (GPT-2
# has none of its own, so people lend it the id of another token) it is wrong, and the check notices.


# %% tags=["raises-exception"]
def mask_by_id(items, pad_id):
    batch = collate(items, pad_id)
    return {**batch, "attention_mask": (batch["input_ids"] != pad_id).long()}


check("collate", mask_by_id, record=False)

# %% [markdown]
# ## Three lines
#
# `loss.backward()` *adds* to each parameter's `.grad`. `optimizer.step()` moves the parameters against it. `zero_grad()` forgets
# it. Three lines, six orders, and three of them run without a word and learn nothing. Leave `zero_grad()` out altogether, and the
# loss may still fall, only less.

# %% [markdown] exercise="train_epoch" role="statement"
# `model(input_ids, attention_mask)` gives logits (B, 2). `optimizer` was made for the model's parameters; `batches` are dicts as
# your collate makes them. Train in training mode, one step for each batch, in order, on the mean cross-entropy of that batch.
# The model may come in evaluation mode, and with gradients from elsewhere.
#
# Return a list of floats: the loss of each batch, before the step on it.


# %% exercise="train_epoch" role="solution"
def train_epoch(model, optimizer, batches):
    """One step for each batch, in order. Returns the loss of each batch before its step, a list of floats."""
    raise NotImplementedError("exercise train_epoch: replace this line with your answer")


# %% exercise="train_epoch" role="check"
check("train_epoch", train_epoch)

# %% [markdown]
# ## Looking without leaving a trace
#
# `model.eval()` puts dropout to sleep. `torch.no_grad()` stops the recording that `backward` would need. They are two different
# things, and an evaluation in the middle of training wants both, and `train()` again behind it, or from then on the model
# trains without dropout.

# %% [markdown] exercise="evaluate_accuracy" role="statement"
# Return the share of all sentences in `batches` that the model gets right, between 0 and 1. `model(input_ids, attention_mask)`
# gives logits (B, C); the class is where the largest is. Batches may be of different sizes. Evaluate in evaluation mode, record
# no gradients, and leave the model in the mode in which it came.


# %% exercise="evaluate_accuracy" role="solution"
def evaluate_accuracy(model, batches):
    """The share, in [0, 1], of all sentences in the batches whose largest logit is that of their label."""
    raise NotImplementedError("exercise evaluate_accuracy: replace this line with your answer")


# %% exercise="evaluate_accuracy" role="check"
check("evaluate_accuracy", evaluate_accuracy)

# %% [markdown]
# Your own batches, your own loop, your own evaluation, around the shipped encoder: two epochs.

# %% tags=["nbval-ignore-output"]


def two_epochs():
    torch.manual_seed(0)
    model = SentimentClassifier(load_encoder(place)[0], pooling="mean")
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    held_out = list(loader_of(data.validation, 150))
    before = evaluate_accuracy(model, held_out)
    loader = loader_of(data.train, 64, shuffle=True)
    losses = [loss for _ in range(2) for loss in train_epoch(model, optimizer, list(loader))]
    print(f"{len(losses)} steps: loss from {losses[0]:.2f} to {sum(losses[-20:]) / 20:.2f}, the mean of the last 20")
    print(f"right on validation: {100 * before:.1f} % before, {100 * evaluate_accuracy(model, held_out):.1f} % after")


if encoder is not None:
    attempted(two_epochs)

# %% [markdown]
# ## The run
#
# Now as the course's own code does it, for five epochs. It is your loop, and three things more: the gradient is cut to a
# largest norm, the rate rises for the first tenth of the steps and then falls to nought, and every epoch is validated. The
# same run is made twice: with the encoder as it was pretrained, and with one of the same shape that has read nothing. What is
# trained is kept in `runs`: the first time takes minutes, the next a second.

# %% tags=["nbval-ignore-output"]
tuned = None
if encoder is not None:
    from kqa_core.encoder import FEW_LABELS, FineTune, cached_run, reinitialise
    from kqa_core.show import curves_figure

    folder = runs("10")
    tuned = cached_run(folder / "pretrained.safetensors", FineTune(), data, place)

# %% tags=["nbval-ignore-output"]
if tuned is not None:
    unread = cached_run(folder / "unread.safetensors", FineTune(), data, place, reinitialise)
    for name, run in (("pretrained", tuned), ("has read nothing", unread)):
        last = 100 * run.curves.validation_accuracy[-1]
        print(f"{name:17} {last:.1f} % of validation after {run.config.epochs} epochs, {run.curves.seconds:.0f} s")

# %% tags=["nbval-ignore-output"]
curves_figure({"pretrained": tuned.curves, "has read nothing": unread.curves}) if tuned is not None else None

# %% [markdown]
# Both end well: 6,920 labels teach even an encoder that has read nothing. What the reading saves is labels. Here are the same two
# with the first 100 and the first 400 sentences only, some 200 steps each; the grey line is the prompt.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import labels_figure

few = {}
if tuned is not None:
    for name, prepare, whole in (("pretrained", None, tuned), ("has read nothing", reinitialise, unread)):
        few[name] = {}
        for labels, config in FEW_LABELS.items():
            run = cached_run(folder / f"{labels}.{name}.safetensors", config, data.part(labels, 100), place, prepare)
            few[name][labels] = run.score(data.validation)
        few[name][len(data.train)] = whole.score(data.validation)
labels_figure(few, prompt) if few else None

# %% [markdown]
# One question to take along: the prompt, without a label, is ahead of the same encoder fine-tuned with 100 of them. What does
# fine-tuning throw away that the prompt keeps? (Look at what stands on top of the encoder, and at who trained it.)
#
# The five sentences of the opening, once more, with the encoder that has all labels:

# %% tags=["nbval-ignore-output"]
if tuned is not None:
    for (sentence, truth), share in zip(asked.items(), tuned.predict(list(asked)).tolist(), strict=True):
        print(f"praise with probability {share:.3f}  (right: {truth:6})  {sentence}")

# %% [markdown]
# ## Three optimisers
#
# All of them go against the gradient. *SGD* takes the rate times the gradient, for every number alike:
# $\theta \leftarrow \theta - \eta g$. In a text that is unfair. A rare word's vector has a gradient of nought most of the time,
# a common word's every time. *Adagrad* gives each number a rate of its own, the smaller the more gradient it has had:
#
# $$s \leftarrow s + g^2, \qquad \theta \leftarrow \theta - \eta\, \frac{g}{\sqrt{s} + \varepsilon}.$$

# %% [markdown] exercise="adagrad_step" role="statement"
# Make one step of Adagrad. `parameter`, `gradient` and `total` are tensors of one shape; `total` holds $s$ before the step. Use
# $\varepsilon = 10^{-10}$. Return `(parameter, total)` after the step, and leave the tensors that you were given as they are.


# %% exercise="adagrad_step" role="solution"
def adagrad_step(parameter, gradient, total, learning_rate):
    """(parameter, total) after one step of Adagrad; total holds the sum of squared gradients before it."""
    raise NotImplementedError("exercise adagrad_step: replace this line with your answer")


# %% exercise="adagrad_step" role="check"
check("adagrad_step", adagrad_step)

# %% [markdown]
# A sum only grows, so Adagrad's steps only shrink. *Adam* averages instead, and forgets: $m$ averages the gradients, $v$ their
# squares. Both begin at nought, and so are too small at first; after $t$ steps, $1-\beta^t$ of them is filled, so one divides
# by that.
#
# $$m \leftarrow 0.9\, m + 0.1\, g, \qquad v \leftarrow 0.999\, v + 0.001\, g^2, \qquad
# \theta \leftarrow \theta - \eta\, \frac{m / (1-0.9^t)}{\sqrt{v / (1-0.999^t)} + \varepsilon}.$$
#
# The W stands for *weight decay*. To pull the parameters towards nought, one used to add $\lambda\theta$ to the gradient. Adam
# then divides that too, and where gradients are large hardly anything decays. AdamW shrinks the parameter by itself, before
# the step: $\theta \leftarrow (1 - \eta\lambda)\,\theta$.

# %% [markdown] exercise="adamw_step" role="statement"
# Make one step of AdamW, with $\varepsilon = 10^{-8}$. `mean` and `square` hold $m$ and $v$ before the step, `step` is $t$,
# counted from 1; `learning_rate` is $\eta$ and `weight_decay` $\lambda$. Return `(parameter, mean, square)` after the step,
# where `mean` and `square` are $m$ and $v$ themselves, and leave the tensors that you were given as they are.


# %% exercise="adamw_step" role="solution"
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    """(parameter, mean, square) after one step of AdamW; step counts from 1."""
    raise NotImplementedError("exercise adamw_step: replace this line with your answer")


# %% exercise="adamw_step" role="check"
check("adamw_step", adamw_step)

# %% [markdown]
# Side by side on a valley that is a hundred times as steep in one direction as in the other,
# $f(\theta) = \tfrac12(\theta_1^2 + 100\,\theta_2^2)$, from (1, 1), with your own steps. SGD's rate is three quarters of what
# the steep direction allows, and in the flat one it crawls.


# %%
def down_the_valley():
    steep = torch.tensor([1.0, 100.0], dtype=torch.float64)
    places = {name: torch.ones(2, dtype=torch.float64) for name in ("SGD", "Adagrad", "AdamW")}
    total, mean, square = (torch.zeros(2, dtype=torch.float64) for _ in range(3))
    for t in range(1, 61):
        places["SGD"] = places["SGD"] - 0.015 * steep * places["SGD"]
        places["Adagrad"], total = adagrad_step(places["Adagrad"], steep * places["Adagrad"], total, 0.3)
        slope = steep * places["AdamW"]
        places["AdamW"], mean, square = adamw_step(places["AdamW"], slope, mean, square, t, 0.05, 0.01)
        if t in (1, 10, 60):
            print(f"step {t:2}", *(f"  {name} ({x:7.4f}, {y:7.4f})" for name, (x, y) in places.items()))


attempted(down_the_valley)

# %% [markdown]
# To Adagrad and AdamW the two directions look the same: each is divided by its own size. And the encoder? Each optimiser at one
# rate, five epochs; SGD here has a momentum of 0.9. AdamW's rate was chosen from the grid below; the other two were not.

# %% tags=["nbval-ignore-output"]
side_by_side = {}
if encoder is not None:
    side_by_side["adamw, rate 0.002"] = tuned.curves
    for name, rate in (("sgd", 5e-2), ("adagrad", 1e-2)):
        config = FineTune(optimizer=name, learning_rate=rate)
        side_by_side[f"{name}, rate {rate:g}"] = cached_run(folder / f"{name}.safetensors", config, data, place).curves
curves_figure(side_by_side) if side_by_side else None

# %% [markdown]
# Whoever compares optimisers at *one* rate each compares rates, so this picture is no verdict. Try others.
#
# ## Eighteen runs
#
# Batch size, learning rate, number of epochs: nobody can say beforehand which are best, so one tries. Three batch sizes, three
# rates and two lengths make 18 runs. They do not depend on each other, so they can be shared out:
#
# ```
# kqa encoder grid --out grid.json                                 # on all cores; goes on where it was interrupted
# kqa encoder grid --out grid.json --scheduler tcp://HOST:PORT     # on a Dask cluster
# ```
#
# Who wins is decided on the validation sentences.

# %% [markdown] exercise="choose_setting" role="statement"
# `runs` is a list of dicts with `batch_size`, `learning_rate`, `epochs`, `train_loss` and `validation`, the accuracy on
# validation; they may hold `test` as well. A run that failed has `nan` for `validation`. Return the number of the run to choose,
# counted from 0: the best on validation; among equals the one with fewest epochs; among those the one with the smallest learning
# rate. (No two runs are equal in all three. At least one has not failed.)


# %% exercise="choose_setting" role="solution"
def choose_setting(runs):
    """The number of the run to choose, from 0: best validation, then fewest epochs, then smallest learning rate."""
    raise NotImplementedError("exercise choose_setting: replace this line with your answer")


# %% exercise="choose_setting" role="check"
check("choose_setting", choose_setting)

# %% [markdown]
# The grid was run when the course was made, and its results are shipped with it. Your function chooses; the picture has a
# frame round what you chose.

# %% tags=["nbval-ignore-output"]
from kqa_core.encoder import read_grid

try:
    recorded = read_grid(os.path.relpath(shipped("encoder") / "grid.json"))
except UserError as missing:
    recorded = None
    print(missing)


def as_row(run):
    """What your function is told of a run; of its test accuracy, nothing is known."""
    settings = {"batch_size": run.batch_size, "learning_rate": run.learning_rate, "epochs": run.epochs}
    return {**settings, "train_loss": run.losses[-1], "validation": run.validation_accuracy[-1]}


number = None
if recorded is not None:
    table = [as_row(run) for run in recorded.runs]
    number = attempted(choose_setting, table)
    print(*(f"{name:>13}" for name in table[0]))
    for i, row in enumerate(table):
        print(*(f"{value:13g}" for value in row.values()), "  ← chosen" if i == number else "")
    print(f"{len(table)} runs in {recorded.seconds / 60:.1f} minutes, workers: {recorded.machine['workers']}")

# %% tags=["nbval-ignore-output"]
from kqa_core.show import grid_figure, kinds_figure

grid_figure(recorded.runs, recorded.runs[int(number)]) if number is not None else None

# %% [markdown]
# Read it before you go on. Which of the three matters most? How many runs lie within a standard error of the best (0.5
# points, at 97.7 % of 872 sentences)? What would you report if you had to name *one* number today?
#
# ## One look at test
#
# So far nobody has seen how any encoder does on the test sentences: that number is not in the table above, and no choice was
# made by it. The grid looked once, at the end, with the run that had won. Here is what it saw, beside the bag of words.

# %% tags=["nbval-ignore-output"]
from kqa_core.stats import Proportion

hits = words.predict([each.sentence for each in data.test]) == torch.tensor([each.label for each in data.test])
by_kind = {}
for kind in KINDS:
    rows = torch.tensor([each.kind == kind for each in data.test])
    by_kind[kind] = Proportion(int(hits[rows].sum()), int(rows.sum()))
print("bag of words:      ", Proportion(int(hits.sum()), len(hits)))
classifiers = {"bag of words": by_kind}
if recorded is not None:
    print("fine-tuned encoder:", recorded.test)
    classifiers["fine-tuned encoder"] = {kind: recorded.kinds[kind] for kind in KINDS}
kinds_figure(classifiers)

# %% [markdown] exercise="one_look_at_test" role="statement"
# In four to six sentences: why is the winner's validation accuracy no fair account of it, and why is the test accuracy one? How
# long does it stay one? And two settings differ by half a point on 1,821 test sentences: what does that tell you?

# %% [markdown] exercise="one_look_at_test" role="written"
# *Your answer here.*

# %% [markdown]
# ## What was run here, and what was not
#
# - **Run in this notebook**: the bag of words, your two epochs, the fine-tuning with and without pretraining, the three
#   optimisers.
# - **Run when the course was made, and shipped**: the encoder's pretraining (`data/encoder/pretraining.json` holds its recipe),
#   the grid of 18, and its look at test.
# - **Not run**: anything with `--hub`. roberta-base and SST-2 were not at hand; their loading code is tested with stand-ins only.
#
# `kqa encoder finetune --hub` puts `roberta-base` in the place of our encoder and SST-2 in the place of our sentences; the grid
# then takes the rates 1e-4, 5e-5 and 1e-5. Loader, loop, evaluation and choice are the same code. A published run of that grid
# reports 93.2 % on validation and 94.8 % on test. Those are others' figures, and other sentences: critics are subtler than our
# generator, whose sentences follow rules that a small encoder can learn completely.

# %%
progress()

# %% [markdown]
# This was the last notebook that the course asks for. **11 kernels** is optional: there attention becomes one program on a chip,
# and you count what it moves.
