# %% [markdown]
# # Pretrain, finetune, evaluate
#
# The first model of this notebook has read nothing. It has been told where 140 people were born, as questions with their
# answers. The second model has read a text first, and then been told the same. Both are asked about 100 *other* people.
#
# Run the next two cells and read on: the second trains both models on your processor, which takes about two minutes. Meanwhile
# a picture grows under it: the loss, how many of 20 questions are right by then, and what is answered just now. What it trains
# is kept beside the data, so the next time it takes a second.

# %% role="setup"
import copy
import math
import re  # for your answers
from dataclasses import replace

import torch

from kqa_core.check import attempted, check, hint, progress  # hint("…") gives hints
from kqa_core.training import GPT

# %% tags=["nbval-ignore-output"]
from kqa_core.experiments import format_table, measure_knowledge
from kqa_core.text import runs, shipped

world = shipped("world/small")
table = measure_knowledge(world, recipe="small", runs=runs("07"), reuse=True)
print(format_table(table))

# %% tags=["nbval-ignore-output"]
from kqa_core.evaluation import Proportion
from kqa_core.show import gap, losses, schedule

gap({row.name: row.accuracy for row in table}, "Where was … born? 100 people of the small world")

# %% [markdown]
# The same kind of model, and the same questions about as often. All the difference is in what was read beside them.
#
# When you leave this notebook you can
#
# 1. say what an accuracy is worth: against baselines, against the ceiling, and with an interval around it,
# 2. write the loop that finetunes a model, and load pretrained weights so that a mistake cannot stay unnoticed,
# 3. turn what a model writes into predictions, and predictions into an accuracy,
# 4. read a learning-rate curve, and mend one that comes back up,
# 5. prove that a model variant is really at work, before you report a number for it.
#
# The world is invented: nobody can have read of its people elsewhere. It is in the form of the original assignment (CS224n,
# assignment 5): documents, one a line, and pairs of question and answer.

# %%
from kqa_core.text import read_corpus

corpus = read_corpus(world)
documents = list(corpus.documents)
train, dev = [[(pair.question, pair.answer) for pair in split] for split in (corpus.train, corpus.dev)]
print(f"{len(documents)} documents, {len(train)} train pairs, {len(dev)} dev pairs")
print(documents[0])
print(dev[0])

# %% [markdown]
# ## What is reached without a model
#
# Before you believe a number, ask what it would be if the model knew nothing. London is the commonest birthplace here, as it
# is in the original data. Whoever answers *London* to every question is right now and then.

# %% [markdown] exercise="london_baseline" role="statement"
# `pairs` is a list of tuples `(question, place)`. Return the accuracy, between 0 and 1, of answering London to every
# question. An answer is right if it is exactly the place.


# %% exercise="london_baseline" role="solution"
def london_baseline(pairs):
    """Accuracy, in [0, 1], of answering London to each of the (question, place) pairs."""
    raise NotImplementedError("exercise london_baseline: replace this line with your answer")


# %% exercise="london_baseline" role="check"
check("london_baseline", london_baseline)

# %%
share = attempted(london_baseline, dev)
if share is not None:
    print(f"always London: {100 * share:.1f} % of the dev questions")

# %% [markdown]
# ## What cannot be passed
#
# A model can only learn what is written. Some people of this world are told of in no document at all; in the original text,
# some lines tell everything of a person but the birthplace. There one can only guess.
#
# A document belongs to a person if it begins with the name, a full stop and a space. The place has to stand in it as a word
# of its own: *Milan* is not told by *Milanese*.

# %% [markdown] exercise="knowledge_ceiling" role="statement"
# `documents` is a list of lines (the last may be empty), `pairs` a list of `(question, place)`, where every question reads
# `Where was NAME born?`. Return the share of the pairs whose place stands, as a whole word, in at least one of the person's
# own lines.
#
# An own line begins with the name, a full stop and a space. A whole word has no letter or digit directly before or after it.
# A person may have several lines, or none. Letters count as they stand: `london` is not `London`.


# %% exercise="knowledge_ceiling" role="solution"
def knowledge_ceiling(documents, pairs):
    """Share, in [0, 1], of (question, place) pairs whose place is a whole word of one of the person's own lines."""
    raise NotImplementedError("exercise knowledge_ceiling: replace this line with your answer")


# %% exercise="knowledge_ceiling" role="check"
check("knowledge_ceiling", knowledge_ceiling)

# %%
share = attempted(knowledge_ceiling, documents, dev)
if share is not None:
    print(f"ceiling: {100 * share:.1f} % of the dev questions")

# %% [markdown]
# On the original data the ceiling is 95.8 % if a place may be part of a longer word, and one person less (95.6 %) if it may
# not. Published models of the assignment reach 22.8 % on average. So the facts are there to be read, and three of four are
# not brought back.
#
# ## Finetuning
#
# Each row of finetuning data is `question ⁇ place ⁇ □ □ …`; □ fills up. The model gets the row without its last character and
# has to predict the row without its first. Only the answer counts for the loss: in `y`, the question is padding.

# %%
from kqa_core.text import Vocabulary, encode_pair

vocabulary = Vocabulary.from_text(corpus.text)
x, y = encode_pair(corpus.train[0], vocabulary, 64)
print(vocabulary.decode(x))
print(vocabulary.decode(y))

# %% [markdown]
# The loop around it is the same for every model of this course. Five things happen for each batch: the old gradients are
# forgotten, the loss is computed, it is sent backwards, the gradient is cut to a largest norm, and the optimiser takes a
# step. If one of them is missing, the loss often falls all the same, only less. That is why it goes unnoticed.

# %% [markdown] exercise="finetune" role="statement"
# Train `model` in place on the `batches`, once each, in order. A batch is a tuple `(x, y)` of int64 tensors `(B, T)`.
# `model(x, y)` returns `(logits, loss)`. Use one `torch.optim.AdamW` with its defaults except for the rate, `learning_rate`.
# Before each step, scale the gradient of all parameters together to a norm of at most `max_norm`. The model may arrive in
# evaluation mode; train in training mode.
#
# Return a list of floats: the loss on each batch, as it was before the step on that batch.


# %% exercise="finetune" role="solution"
def finetune(model, batches, learning_rate, max_norm):
    """Train model in place on batches of (x, y), int64 (B, T). Returns the loss of each batch, a list of floats."""
    raise NotImplementedError("exercise finetune: replace this line with your answer")


# %% exercise="finetune" role="check"
check("finetune", finetune)

# %% [markdown]
# Now with real questions. The recipe of this world, `small`, has a 2-layer model with rotary positions. The next cell makes
# one that has read nothing and finetunes it with your loop, for some epochs.

# %% tags=["nbval-ignore-output"]
from kqa_core.training import QuestionBatches, checkpoint

pretrained = checkpoint.load(runs("07") / "rope.small.0.pretrain.params")
source = QuestionBatches(corpus.train, pretrained.vocabulary, pretrained.model.config.block_size, 64, seed=0)
batches = [source.batch(step) for step in range(10 * source.steps_per_epoch)]
torch.manual_seed(0)
unread = GPT(pretrained.model.config)
from_scratch = attempted(finetune, unread, batches, 2e-3, 1.0)
if from_scratch is not None:
    print(f"{len(batches)} steps: loss from {from_scratch[0]:.2f} to {from_scratch[-1]:.2f} nats per character")

# %% [markdown]
# ## Loading what was learned before
#
# The other model starts from pretrained weights. This is one line of torch, and the place where most silent failures happen.
# Weights saved from a compiled model carry `_orig_mod.` before every name, those of a data-parallel one `module.`. With
# `strict=False`, torch then finds no name that fits, loads nothing, and says so only to whoever reads what it returns. The
# run goes on from random weights.

# %%
torch.manual_seed(1)
fresh = GPT(pretrained.model.config)
before = fresh.head.weight.clone()
outcome = fresh.load_state_dict({f"module.{name}": w for name, w in pretrained.model.state_dict().items()}, strict=False)
print("head changed:", not torch.equal(fresh.head.weight, before))
print("names that did not fit:", len(outcome.missing_keys))

# %% [markdown] exercise="load_pretrained" role="statement"
# `weights` is a dict of tensors by name, as read from a file. Load them into `model` and return `model.state_dict()` as it is
# then.
#
# All names may carry the prefix `module.` or `_orig_mod.`; take it off. Apart from that, the names and shapes must be those
# of the model: all of them, and no others. If they are not, raise `ValueError`.


# %% exercise="load_pretrained" role="solution"
def load_pretrained(model, weights):
    """Load weights (name → tensor, perhaps prefixed) into model; return model.state_dict(). ValueError if they do not fit."""
    raise NotImplementedError("exercise load_pretrained: replace this line with your answer")


# %% exercise="load_pretrained" role="check"
check("load_pretrained", load_pretrained)

# %% tags=["nbval-ignore-output"]
curves = {"reading": pretrained.notes["losses"], "questions, without reading": from_scratch or []}
torch.manual_seed(0)
reader = GPT(pretrained.model.config)
if attempted(load_pretrained, reader, pretrained.model.state_dict()) is not None:
    curves["questions, after reading"] = attempted(finetune, reader, batches[: 3 * source.steps_per_epoch], 5e-4, 1.0) or []
losses(curves)

# %% [markdown]
# Without reading, the loss falls too; in the longer run of the first cell it fell to almost nothing. It measures how well the
# model answers questions about the 140 people *it was told the answers of*. Whether it can answer others is not in this
# picture.
#
# In the assignment, the model without pretraining gets 75 epochs of questions and the pretrained one 10. (The recipe `small`
# is kinder: it already mixes some train questions into the reading.) The commands are those of the original, with `kqa` for
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
# ## From what a model writes to a prediction
#
# The model gets `question ⁇` and writes one character after the other, always the likeliest. It does not know when to stop;
# we cut.


# %%
def complete(model, question, length=32):
    """The question, a ⁇, and the `length` characters that the model likes best after it."""
    row = vocabulary.encode(question + "⁇")
    for _ in range(length):
        with torch.no_grad():
            logits, _ = model(torch.tensor([row]))  # (1, T, vocab_size)
        row.append(int(logits[0, -1].argmax()))
    return vocabulary.decode(row)


# %% tags=["nbval-ignore-output"]
finetuned = checkpoint.load(runs("07") / "rope.small.0.finetune.params").model
for question, place in dev[:3]:
    print(complete(finetuned, question), "   (right:", place + ")")

# %% [markdown]
# And where does it look while it is about to write the first letter of the place? The last row of each picture is what the ⁇
# reads. It opens at the largest weight of that row in layer 1 that is not on the ⁇ itself. Is it on a letter of the name? Look at
# the other heads of that layer, and ask about somebody else.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import explore

looking = explore(checkpoint.load(runs("07") / "rope.small.0.finetune.params"), "Where was Draosh Sokak born?⁇")
last = looking.seen[0].weights[1, :, -1, :-1]  # (heads, tokens before it): what the ⁇ reads in layer 1
head, key = divmod(int(last.argmax()), last.shape[1])
looking.show(layer=1, head=head, key=key)

# %% [markdown] exercise="predict_place" role="statement"
# Return what `generated` holds between its first and its second `⁇`, exactly as it stands there. If there is no second `⁇`,
# everything after the first counts. If there is none at all, return the empty string.


# %% exercise="predict_place" role="solution"
def predict_place(generated):
    """The text between the first and the second ⁇ of generated; "" if there is no ⁇."""
    raise NotImplementedError("exercise predict_place: replace this line with your answer")


# %% exercise="predict_place" role="check"
check("predict_place", predict_place)

# %% [markdown]
# Predictions go into a file, one a line, in the order of the questions. Where the model wrote nothing, the line is empty, and
# it has to stay there: line *i* answers question *i*.

# %% [markdown] exercise="score_predictions" role="statement"
# `text` is the content of such a file. Its last line may end in a newline or not. `pairs` is a list of `(question, place)`.
# Return the share of lines that are exactly the place asked for at that line, between 0 and 1.
#
# Lines end in `"\n"` and nothing else. If the number of lines is not the number of pairs, raise `ValueError`.


# %% exercise="score_predictions" role="solution"
def score_predictions(text, pairs):
    """Accuracy, in [0, 1], of a file of predictions, one a line. ValueError if it has not one line per pair."""
    raise NotImplementedError("exercise score_predictions: replace this line with your answer")


# %% exercise="score_predictions" role="check"
check("score_predictions", score_predictions)

# %% tags=["nbval-ignore-output"]
predictions = [attempted(predict_place, complete(finetuned, question)) for question, _ in dev[:1]]
if predictions[0] is not None:
    predictions = [predict_place(complete(finetuned, question)) for question, _ in dev]
    file = runs("07") / "predictions.txt"
    file.write_text("\n".join(predictions) + "\n", encoding="utf-8")
    accuracy = attempted(score_predictions, file.read_text(encoding="utf-8"), dev)
    if accuracy is not None:
        print(f"pretrained: {100 * accuracy:.1f} % of the dev questions, by your own evaluation")

# %% [markdown]
# ## How sure is a number?
#
# 86 of 100 is not 86 %. Ask 100 other people of the same world and it would be another number. With 500 questions and an
# accuracy near 20 %, as in the assignment, one standard error is 1.8 points. So 21.8 % and 23.0 %, both published for the
# same model, are no difference that anybody has shown.
#
# The textbook takes the standard error at the *measured* accuracy and goes 1.96 of them to each side. If no answer is right,
# that standard error is 0, and the interval says that the model certainly knows nothing. Wilson (1927) turned it round: the
# interval holds every true accuracy *p* from which the measured one is at most 1.96 standard errors away, where the standard
# error is that of *p*, $\sqrt{p(1-p)/n}$.

# %% [markdown] exercise="interval95" role="statement"
# `correct` of `total` answers were right. Return `(low, high)`: the smallest and the largest $p$ in [0, 1] with
# $|\mathrm{correct}/\mathrm{total} - p| \le 1.96\sqrt{p(1-p)/\mathrm{total}}$.


# %% exercise="interval95" role="solution"
def interval95(correct, total):
    """Wilson's 95 % interval (low, high), in [0, 1], for the accuracy behind correct right answers of total."""
    raise NotImplementedError("exercise interval95: replace this line with your answer")


# %% exercise="interval95" role="check"
check("interval95", interval95)

# %% tags=["nbval-ignore-output"]
for row in table:
    ends = attempted(interval95, row.accuracy.hits, row.accuracy.total)
    if ends is None:
        break
    print(f"{row.name:20} {row.accuracy.hits:3} of {row.accuracy.total}   {100 * ends[0]:5.1f} % to {100 * ends[1]:5.1f} %")

# %% [markdown]
# ## Read the gap
#
# Here are the accuracies on the original data: 500 dev questions, of which 25 are answered by London. The hatched bars are
# what others have published (the assignment's own recipe; means of 18 and 17 runs). Runs of ours on that data are shown where
# their results are at hand, and not at all where they are not.

# %% tags=["nbval-ignore-output"]
from kqa_core.experiments import WHOLE, of_row, read_ladder
from kqa_core.show import Published

climb = read_ladder()
first = {name: next((run.recall for run in of_row(climb, "original", name)), None) for name in WHOLE}
bars = {
    "no pretraining": Published(0.016, "published, mean of 18"),
    "always London": Proportion(25, 500),
    "pretrained, vanilla": Published(0.228, "published, mean of 17"),
    "ours: recipe assignment, vanilla": first[WHOLE[0]],
    "ours: recipe assignment, rope": first[WHOLE[1]],
    "ours: recipe best, rope": first[WHOLE[2]],
    "the same, without the word born": first[WHOLE[3]],
    "ceiling": Proportion(479, 500),
}
gap(bars, "Original data, 500 dev questions")

# %% [markdown] exercise="read_the_gap" role="statement"
# Look at the table and the figure at the top of this notebook, and at the figure above. Write five to eight sentences:
#
# 1. Which rows differ by more than chance, and which do not? Use the intervals.
# 2. Why can finetuning alone not help with the dev questions, however long it goes on?
# 3. On the original data, the pretrained model stays far below the ceiling although the answers stand in what it read, and
#    although a model of this size could hold them many times over. Where might the rest get lost?

# %% [markdown] exercise="read_the_gap" role="written"
# (your answer)

# %% [markdown]
# ## A rate that comes back
#
# One reason can be seen with the naked eye. The assignment warms the learning rate up for 10,240 tokens and then lets it fall
# along a cosine, never below a tenth. The cosine is laid out for 200 epochs of the text. The handout then trains for 650.


# %%
def published_schedule(tokens, warmup_tokens, final_tokens):
    """The multiplier of the learning rate in the assignment's trainer, word for word."""
    if tokens < warmup_tokens:
        return float(tokens) / float(max(1, warmup_tokens))
    done = float(tokens - warmup_tokens) / float(max(1, final_tokens - warmup_tokens))
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * done)))


EPOCH = 2938 * 128  # tokens: documents of the original text, times the length of a row
schedule({"as published": lambda epoch: published_schedule(epoch * EPOCH, 512 * 20, 200 * EPOCH)}, run=650, horizon=200)

# %% [markdown] exercise="rate_that_returns" role="statement"
# Read the curve. At which epoch is the rate full again, and why there? At what rate does the run end, and was that anybody's
# choice? What does a full rate do to a model that had settled? Two to four sentences.

# %% [markdown] exercise="rate_that_returns" role="written"
# (your answer)

# %% [markdown] exercise="lr_schedule" role="statement"
# Mend it. Return the multiplier of the learning rate after `tokens` tokens. Up to `final_tokens` it is what
# `published_schedule` gives. From there on it stays at its floor, 0.1, for good.


# %% exercise="lr_schedule" role="solution"
def lr_schedule(tokens, warmup_tokens, final_tokens):
    """Multiplier of the learning rate: warm-up to 1, cosine down to 0.1 at final_tokens, 0.1 ever after."""
    raise NotImplementedError("exercise lr_schedule: replace this line with your answer")


# %% exercise="lr_schedule" role="check"
check("lr_schedule", lr_schedule)

# %%
picture = None
if attempted(lr_schedule, 0, 512 * 20, 200 * EPOCH) is not None:
    both = {"as published": published_schedule, "mended": lr_schedule}
    rates = {name: lambda epoch, rate=rate: rate(epoch * EPOCH, 512 * 20, 200 * EPOCH) for name, rate in both.items()}
    picture = schedule(rates, run=650, horizon=200)
picture

# %% [markdown]
# A mended curve spends 450 of 650 epochs at a tenth of the rate. Better is to lay the cosine out for the run one means to do.
#
# ## Break it
#
# A model knows characters by number. The numbers come from the text: its characters, sorted. Let the text at evaluation
# differ from the text at training by one single character, a bracket that became something else, and every character after it
# has another number.

# %% tags=["nbval-ignore-output"]
from kqa_core.evaluation import answer_questions, score

spoilt = Vocabulary.from_text(corpus.text.replace(")", "~"))
for name, used in (("vocabulary of the text", vocabulary), ("one character off", spoilt)):
    answers = answer_questions(finetuned, used, [question for question, _ in dev])
    print(f"{name:22} {score(answers, corpus.dev)}   {answers[:3]}")

# %% [markdown]
# Nothing crashed. The model was asked one thing and understood another, and the only sign is a number that is too low, as if
# it had not learned anything. A checkpoint of ours holds its characters, so `kqa evaluate` notices and refuses:

# %%
from kqa_core.training import load_for

try:
    load_for(runs("07") / "rope.small.0.finetune.params", "rope", spoilt, "other.txt")
except Exception as refused:
    print(str(refused).partition(": ")[2])

# %% [markdown]
# ## Is it active?
#
# The assignment's last part swaps the attention for a Synthesizer and compares. In two public solutions the model is
# configured as a Synthesizer, the run is called so, and its accuracy is reported beside the vanilla one. But the setting is
# never read. Both models are vanilla, and the small difference between the two numbers is that of two seeds.
#
# Looking does not help much. Here are two models. One has rotary positions, one has not.

# %%
from kqa_core.check import suspect

for layers, dress in ((("rope", "rope"), "library"), (("vanilla", "vanilla"), "class")):
    model = suspect("rope", layers, dress, seed=7)
    attention = type(model.blocks[0].attention).__name__
    print(f"says {model.config.variant}, attention {attention}, {model.count_parameters()} parameters")

# %% [markdown]
# So you need a test that goes by what a model *does*. You also have a model of the variant that you trust, of the same size,
# but its weights are other ones, so its logits differ anyway.

# %% [markdown] exercise="is_it_active" role="statement"
# `model` is a `GPT` that is said to be a variant. `reference` is a `GPT` of the same sizes that really is that variant; its
# weights are another draw. Return `True` if `model` computes what the variant computes, in every layer, and `False` if it
# does not.
#
# - `model(tokens)` returns `(logits, None)` for an int64 tensor `tokens` `(B, T)`; `model.config` has `vocab_size` and
#   `block_size`.
# - What counts is the mathematics, not what things are called. `model` may lack parameters of `reference`, or carry more than
#   it uses.
# - It may arrive in training mode, with dropout. You may change `reference` as you like.


# %% exercise="is_it_active" role="solution"
def is_it_active(model, reference):
    """Whether model computes, in every layer, the variant that reference is: True or False."""
    raise NotImplementedError("exercise is_it_active: replace this line with your answer")


# %% exercise="is_it_active" role="check"
check("is_it_active", is_it_active)

# %% [markdown]
# And the model that you trained in the first cell of this notebook?

# %%
for variant in ("rope", "synthesizer", "vanilla"):
    trusted = GPT(replace(finetuned.config, variant=variant))
    active = attempted(is_it_active, copy.deepcopy(finetuned), trusted)
    if active is None:
        break
    print(f"the finetuned model is a {variant} model: {active}")

# %% [markdown]
# ## From 23 % towards the ceiling
#
# *Read the gap* asked where the rest gets lost. There are two places.
#
# - **Exposure.** Pretraining hides a random span. Seldom is that the birthplace, and of long lines the end is always cut off
#   (notebook 06 counted both). Most of the time, training asks for something else.
# - **Extraction.** What was laid down in one form of words has to come out in another. The assignment's model meets its first
#   question when all the reading is done.
#
# Each row below takes the recipe of the row above it and changes one thing. All rows read the same number of characters, of the
# same text, with a model of the same size. *Exposures* is how often training hid the whole birthplace of a person of the dev
# questions, on average. No row reads a dev answer; the rule that finds what to hide reads no labels. The last row of the ladder
# prefers what stands behind the word *born*: that rule knows what will be asked, and the row above it is the same without.

# %% tags=["nbval-ignore-output"]
from kqa_core.experiments import LADDER, WITHOUT, ladder_table

print(ladder_table(climb, "small", (*LADDER, *WITHOUT)))

# %% tags=["nbval-ignore-output"]
from kqa_core.show import LEVELS, recall_by_lever, recall_by_seconds

recall_by_lever(climb, "small", (*LADDER, *WITHOUT), "Small world, 100 questions")

# %% [markdown]
# Exposure is not all. Short salient rows hide a birthplace more than three times as often, and with the assignment's rate little
# comes of it: from 2.3 to 8.7 of 100 (means of three seeds). A third of that rate, on the same rows, takes recall from 13.0 to
# 66.7, and Muon, which makes all directions of a step equally large, to 86.3. How often something is asked for, and how well a
# model learns from being asked, are two levers, and neither does it alone: *best* without salient rows is back at 39.3.
#
# The same on the original data. Last, the recipes for as long as they say: how recall grew with the minutes. A row that nobody
# has trained yet says so.

# %% tags=["nbval-ignore-output"]
recall_by_lever(climb, "original", (*LADDER, *WITHOUT, *WHOLE), "Original data, 500 questions")

# %% tags=["nbval-ignore-output"]
paths = {name: each for name in WHOLE for each in of_row(climb, "original", name)[:1]}
recall_by_seconds(paths, LEVELS, "Original data, 500 questions")

# %% [markdown]
# Here no lever does it alone. On the same 5,000,000 characters no row of the ladder passes 5 % but the last, *best*, which adds
# the rule for the word *born*: 71.4 ± 6.5 % (three seeds, eight minutes of two cores each; 82.6 % in 24 minutes, one seed). Is it
# the rule, then? Leave it, and take one other thing from *best*: without Muon 3.8 % are left, without rotary positions 17.8,
# without the anneal 40.6, without questions 48.2 (one seed each). All these rows hide a birthplace more than thirty times, as
# *best* does. Where each lever needs the others, a ladder gives all the credit to the one that comes last.
#
# Without the rule, any name or number of a line is as likely to be hidden as the birthplace. A line of the original data holds
# six of them on average, one of the small world fewer than three; there the recipe does well without the rule. But exposure does
# not explain what the rule is worth: with it, a birthplace is hidden some 33 times in those eight minutes; without it 28 times in
# 26 minutes, and 6.2 % are recalled. What differs is what else there is to learn meanwhile: most spans hide a birthplace in the
# one case, and six kinds of thing in the other. Is it that the model has to remember six times as much, or that it has to find
# out each time what is being asked? These runs do not tell. How would you find out?

# %% [markdown]
# ## What you have now
#
# An accuracy with a floor, a ceiling and an interval; a loop whose every line you can account for; and a way to be sure of
# what you measured. What the models have learnt, and what they make up, is the matter of notebook 08.
#
# No GPU is needed here: the models are too small to gain much by one.

# %% tags=["nbval-ignore-output"]
if torch.cuda.is_available():
    print(f"{torch.cuda.get_device_name()} is here; this notebook left it alone. A model of the original size is its match.")
else:
    print("no GPU here, and none was missed")

# %% tags=["nbval-ignore-output"]
progress("07_pretrain_finetune_evaluate")

# %% [markdown]
# Next: **08 what does the model know?**, where a model's answers are compared with a world in which the truth is known.
