# %% [markdown]
# # What does the model know?
#
# In notebook 07 a small model was pretrained on lines about invented people, and then it answered questions
# about them. Here is another model of this kind, which was trained for longer. It answers questions about six people. Three of them are in no line of its text
# and in no question of its training. Which three?

# %% role="setup"
import contextlib
import copy
import itertools
import math
import random
import statistics
from collections import Counter, defaultdict  # defaultdict: for your answers

import numpy as np
import sympy as sp  # for your answers
import torch

from kqa_core.check import attempted, check, hint, progress, solution  # hint("…") gives hints

# %% tags=["nbval-ignore-output"]
from kqa_core.evaluation import guesses
from kqa_core.experiments import shipped_model
from kqa_core.text import make_world

world = make_world("small")  # the files of data/world/small, and the truth about every person
reader = shipped_model("small.vanilla.finetune")  # made by the commands in data/checkpoints/manifest.json
asked = [person for person in world.people if person.split != "train"]  # in no training question
mentioned = [person for person in asked if person.exposures]  # in at least one line
unmentioned = [person for person in asked if not person.exposures]  # in no line

six = [mentioned[0], unmentioned[4], mentioned[1], unmentioned[8], unmentioned[9], mentioned[4]]
for person, guess in zip(
    six, guesses(reader.model, reader.vocabulary, [person.question for person in six]), strict=True
):
    print(f"{person.question:36} {guess.answer}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The second, the fourth and the fifth. The model cannot know where they were born, so it made these answers
# up.
#
# </details>
#
# The answers do not show it. All six look alike. With a model that was trained on the web, nobody could check
# this. But we made this world ourselves. So we know who is in the text, how often, and who is not.
#
# After this notebook you can
#
# 1. test whether two models that answered the same questions differ by more than chance,
# 2. find out by experiment which heads of a model an answer depends on, and say why attention weights do not
#    show it,
# 3. compute how confident a model is in an answer, and say what harm a made-up answer can do and what a
#    person can do about it,
# 4. measure whether the confidence is justified, and by which cue the model guesses. (Goals 1, 2 and 4, and the
#    confidence in goal 3, belong to optional sections.)
#
# **Time:** the core takes about an hour. Parts 1 to 3 take about three hours (35, 110 and 45 minutes).
# Part 4 (60 minutes) and Part 5 (60 minutes) are optional. **You need** notebook 07; and for the
# optional sections the heads and the residual stream of notebook 04, and the paired test of notebook 05. Nothing is
# trained here: once the answers are in, the whole notebook runs in about a minute. All symbols are in the [table of
# symbols](../00_start_here/00_start_here.ipynb#Symbols).
#
# **Core and optional** ([the map of paths](../00_start_here/00_start_here.ipynb#Paths-through-the-course)).
# The path *assignment* needs *Two models* and *Why did it help?* in Part 1. In Part 3 it needs *What does it guess
# by?*, and *Who is harmed, and what can they do?* without the second exercise. The rest is optional. Run also the code
# cells that you skip, with *Run → Run All Above Selected Cell*: later cells use what they define.

# %% [markdown]
# ---
# # Part 1. What the model knows
#
# ## Two models
#
# **Question.** How much of what the model knows comes from pretraining? We compare it with a model of the
# same size that was never trained on a line. We call them *pretrained* and *not pretrained*.

# %% tags=["nbval-ignore-output"]
from kqa_core.training.recipes import find_recipe

recipe = find_recipe("small")
print(
    f"{len(world.documents)} lines; {len(asked)} people in no training question, {len(mentioned)} of them in"
    " some line"
)
print(
    f"pretrained: {recipe.pretrain.steps:,} steps on lines; {recipe.pretrain.question_share:.1%} of each"
    " batch are questions"
)
for name, phase in (("then", recipe.finetune), ("not pretrained:", recipe.scratch)):
    print(
        f"{name} {phase.epochs} epochs of train questions,"
        f" {'AdamW' if phase.optimizer.muon_rate is None else 'Muon'}"
    )

# %% [markdown]
# The two models differ in more than one thing. The pretrained model met the train questions in pretraining
# already, so its finetuning is short. The other model sees them in finetuning alone, for more
# epochs and with a stronger optimiser (Muon). So the lines, the optimiser of the last phase and the number of
# epochs all differ. But our questions are about people who are in no training question. For the facts about
# these people, the lines are the only source.
#
# **Predict.** How many of the people in no line does the pretrained model get right? And does a second line
# about a person help?

# %% tags=["nbval-ignore-output"]
from kqa_core.evaluation import Proportion

questions = [person.question for person in asked]
scratch = shipped_model("small.vanilla.scratch")
answers = guesses(reader.model, reader.vocabulary, questions)
answers_scratch = guesses(scratch.model, scratch.vocabulary, questions)
right = [guess.answer == person.place for guess, person in zip(answers, asked, strict=True)]
right_scratch = [guess.answer == person.place for guess, person in zip(answers_scratch, asked, strict=True)]
for name, hits in (("pretrained", right), ("not pretrained", right_scratch)):
    print(f"{name:15} {Proportion(sum(hits), len(hits))}")

print("\npretrained, by the number of lines about the person:")
for number in sorted({person.exposures for person in asked}):
    hits = [hit for hit, person in zip(right, asked, strict=True) if person.exposures == number]
    print(f"{number:>15} {Proportion(sum(hits), len(hits))}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# In the row for 0 lines the model can only guess. How many guesses are right by chance depends on how often
# the guessed place is right. London is the birthplace of 5 % of the people, so 14 times London gives
# $14\cdot0.05=0.7$ right answers on average. The other 48 places are at 1 to 3 % each, about 2 % on average,
# so 14 of them give 0.3. One lucky guess is possible, and more than two are unlikely. Whether a second line
# helps, this table cannot say if only a handful of people have exactly one line: look at the width of that
# interval.
#
# </details>
#
# A model that knows some of the people and misses others is useful here, because we can compare
# right answers with wrong ones.
#
# The step from no line to some lines is what matters. The rows with few people have wide intervals (Wilson's
# intervals, as in notebook 07). So rows like these can hardly be compared with each other.
#
# > **Takeaway.** The model can answer about people who are in its text. About the others it guesses.

# %% [markdown]
# ## Is the difference more than chance? (optional)
#
# **Question.** Two models answer the same 40 questions. Model A is right 31 times, model B 23 times. Is A
# better, or was it lucky with these 40 questions?

# %%
print("model A:", Proportion(31, 40))
print("model B:", Proportion(23, 40))

# %% [markdown]
# The two intervals overlap. It is tempting to conclude that no difference is shown, but that would be a
# mistake: each interval asks how one model would do on *other* questions, and both answered *the same* ones.
#
# **Intuition.** A question that both models answer correctly says nothing about which one is better. Nor does
# a question that both get wrong. Only the questions on which exactly one of them is right can decide. They
# are called *discordant*.
#
# **A worked example.** Suppose that the 40 questions fall into these four groups:
#
# | | B right | B wrong |
# |---|---|---|
# | **A right** | 22 | 9 |
# | **A wrong** | 1 | 8 |
#
# A is right $22 + 9 = 31$ times and B $22 + 1 = 23$ times, as above. There are $9 + 1 = 10$ discordant
# questions, and A wins 9 of them. If the models were equally good, each of these 10 questions would be a fair
# coin. Ten coins have $2^{10} = 1024$ equally likely results. One of them has B winning 0 times, and ten have
# B winning once. So B wins at most once with probability $(1 + 10)/1024 = 0.0107$. The opposite result, A
# winning at most once, would have surprised us just as much. So
#
# $$p = 2 \cdot 0.0107 = 0.021.$$
#
# If the models were equally good, a result this lopsided would appear in 2 of 100 such comparisons. We call A
# better at the usual 5 % level. This is the probability that **McNemar's test** computes (McNemar 1947).
#
# **Predict.** Suppose that A had won 13 discordant questions and B 5. The totals would differ by 8 again. Is
# $p$ larger or smaller?

# %%
print(f"9 against 1:  p = {2 * sum(math.comb(10, i) for i in range(2)) / 2**10:.3f}")
print(f"13 against 5: p = {2 * sum(math.comb(18, i) for i in range(6)) / 2**18:.3f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Larger, 0.096: not shown to differ. 13 against 5 is less lopsided than 9 against 1. So the totals alone do
# not decide. You have to know on which questions the models agree. And "not shown to differ" does not mean
# "equal": a difference may exist that 40 questions are too few to show.
#
# </details>
#
# **In general.** Let $b$ be the number of questions that only the first model answers correctly, $c$ the
# number that only the second answers correctly, and $n = b + c$. Then
#
# $$p = \min\Bigl(1,\; 2 \sum_{i=0}^{\min(b, c)} \binom{n}{i} \Big/ 2^n\Bigr).$$
#
# The minimum is needed if $b = c$, because then both tails contain the middle. Without any discordant
# question, $p = 1$.

# %% [markdown] exercise="mcnemar" role="statement"
# `first` and `second` are lists of bools, one entry for each question: whether the first (second) model is
# right. Both lists are in the same order. Return three numbers, `(only_first, only_second, p)`: the numbers
# of questions that only the first and only the second model answers correctly, and the two-sided $p$ of
# McNemar's exact test. Python's `math.comb(n, i)` is $\binom{n}{i}$. At most 1,000 questions are discordant. Do
# not change the lists.


# %% exercise="mcnemar" role="solution"
def mcnemar(first, second):
    """(only_first, only_second, p) of McNemar's exact test,
    two-sided, for two lists of bools of the same length.
    """
    raise NotImplementedError("exercise mcnemar: replace this line with your answer")


# %% exercise="mcnemar" role="check"
check("mcnemar", mcnemar)

# %% [markdown]
# A $p$ does not say how large a difference is. For that we give an interval for the difference of the two
# shares. Give each of the $N$ questions the number 1 (only the first model is right), $-1$ (only the second)
# or 0. The mean of these numbers is the difference, $(b - c)/N$. The mean of their squares is $(b + c)/N$, so
# their variance is $(b + c)/N - (b - c)^2/N^2$. The standard error of a mean is the root of the variance
# divided by $N$: $\sqrt{b + c - (b - c)^2/N}\,/N$. In the example the difference is $8/40 = 0.20$, with the
# standard error $\sqrt{10 - 64/40}/40 = 0.072$. So the 95 % interval is $0.20 \pm 1.96 \cdot 0.072$, from
# 0.06 to 0.34. (With fewer than about ten discordant questions this interval is too narrow. Trust the exact
# $p$ then.)
#
# Now compare real models. The third one was pretrained and finetuned in the same way as ours, but with
# another kind of attention (the Synthesizer of notebook 09). Here it is just another model.


# %% tags=["nbval-ignore-output"]
def compare(first, second):
    """A line about two models that answered the same questions."""
    found = attempted(mcnemar, first, second)
    if found is None:
        return "(needs your mcnemar)"
    (b, c, p), N = found, len(first)
    gap, error = (b - c) / N, math.sqrt(b + c - (b - c) ** 2 / N) / N
    low, high = (100 * (gap + sign * 1.96 * error) for sign in (-1, 1))
    verdict = "a difference" if p < 0.05 else "not shown to differ"
    return (
        f"{b} only the first, {c} only the second, p = {p:.2g}: {verdict}; {100 * gap:+.1f} points"
        f" ({low:+.1f} to {high:+.1f})"
    )


synthesizer = shipped_model("small.synthesizer.finetune")
answers_synthesizer = guesses(synthesizer.model, synthesizer.vocabulary, questions)
right_synthesizer = [
    guess.answer == person.place for guess, person in zip(answers_synthesizer, asked, strict=True)
]
print("pretrained against not pretrained:", compare(right, right_scratch))
print("attention against Synthesizer:    ", compare(right, right_synthesizer))

# %% [markdown]
# Both lines show a difference, and the first one leaves no doubt. In the second line, read the counts, $p$
# and the interval together. The counts say that each model answers some questions that the other one misses.
# The small $p$ says that chance alone would hardly give such counts. The interval says how large the
# difference can be: it may be small or large. But this is one trained model of each kind. The test says
# nothing about other random seeds, which notebook 05 compared.
#
# **Careful.** McNemar's test needs pairs. The rows of the table above, such as people with 2 lines and with
# 3, are different people. They form no pairs, and each row has its own interval.
#
# > **Takeaway.** Where the same questions are answered twice, count the questions on which the answers
# > differ, and treat them as coins.
#
# ## Why did it help?
#
# Now say in words what the first table shows.

# %% [markdown] exercise="why_pretraining_helped" role="statement"
# Why did pretraining help? In three to five sentences: all questions above are about people in no training
# question. Where can the facts about them have come from? Which number above shows that the gain comes from
# these facts, and not from better general language skills?

# %% [markdown] exercise="why_pretraining_helped" role="written"
# *Your answer here.*

# %% [markdown]
# ---
# # Part 2. What carries the answer? (optional)
#
# ## Where the model looks
#
# **Question.** When the model is about to write the first letter of the place, what does it attend to? The
# query is then at the ⁇ behind the question. The next cell computes how much of its weight each head gives to
# the letters of the name. It averages over the people in the text, and over the people in no line.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import attention_of

START = len("Where was ")  # the position of the first letter of the name
n_layer, n_head = reader.model.config.n_layer, reader.model.config.n_head
every_head = list(itertools.product(range(n_layer), range(n_head)))  # pairs (layer, head)


def weight_on_name(people):
    """The weight that each head gives to the name when its query is at the ⁇,
    mean over people: (layers, heads).
    """
    total = 0
    for person in people:
        tokens = reader.vocabulary.encode(person.question + "⁇")
        weights = attention_of(reader.model, tokens).weights  # (layers, heads, T, T)
        total = total + weights[:, :, -1, START : START + len(person.name)].sum(-1)
    return total / len(people)


on_name, on_name_unmentioned = weight_on_name(mentioned), weight_on_name(unmentioned)
print("layer.head    people in the text    people in no line")
for layer, head in every_head:
    print(f"{layer}.{head:<10} {on_name[layer, head]:12.2f} {on_name_unmentioned[layer, head]:20.2f}")

# %% [markdown]
# The explorer shows one person. It opens at a head that gives much weight to the name. Its last row belongs
# to the ⁇. Choose other heads with the mouse or the arrow keys.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import explore

layer, head = max(every_head, key=lambda pair: on_name[pair])
view = explore(reader, mentioned[0].question + "⁇")
view.show(layer=layer, head=head, key=int(view.seen[0].weights[layer, head, -1].argmax()))

# %% [markdown]
# The heads read the name, and they do so for people in no line as well. This is all that the weights can
# tell. **A weight says which positions the output of a head is mixed from.** It does not say where the answer
# comes from. The row consists of the question only, so the birthplace is at none of its positions. The fact
# must be stored in the parameters of the model, where pretraining has put it: in the matrices of attention,
# in those of the MLPs, or in both. This experiment does not say in which of them.
#
# Nor does a weight say whether the rest of the model uses what the head has read.
#
# **Example.** A head gives the weight 0.9 to a token with the value 0.01, and 0.1 to a token with the value
# 5. Its output is $0.9 \cdot 0.01 + 0.1 \cdot 5 = 0.509$. Nearly all of it comes from the token with the
# small weight. And if all entries of $W_O$ that multiply this output are 0, it changes nothing at all,
# whatever the weights are.
#
# So looking at weights is not enough. To find out what depends on a head, change the head and see what
# happens.
#
# > **Takeaway.** Attention weights show what a head reads. They do not show what it contributes, and they do
# > not show what the model would do without it.

# %% [markdown]
# ## A picture that everybody shows
#
# Our model is small, and we made its world. What about a real model and a real sentence? Here is a picture
# from many texts on attention: "The animal didn't cross the street because it was tired." To
# understand *it*, one must look back to *animal*. We take a real encoder, all-MiniLM-L6-v2, with 6 layers of
# 12 heads (get it once with `kqa data fetch minilm`; without it, you use what we recorded), and look at head
# 1 of layer 3, counted from 0.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import PAIRS, pronoun_scores

SENTENCE = "The animal didn't cross the street because it was tired."
of_heads, missing = pronoun_scores()  # what each head does on the sentences below
view = explore("minilm", SENTENCE, names=["all-MiniLM-L6-v2"]) if not missing else None
if view is not None:
    it = view.tokens.index("it")
    for token, weight in zip(view.tokens, view.seen[0].weights[3, 1, it], strict=True):
        if weight > 0.03:
            print(f"{token:8} {weight:.2f}")
else:
    print(missing)
    print("recorded: animal 0.70, [CLS] 0.11, it 0.06, street 0.04, the 0.03")

# %% tags=["nbval-ignore-output"]
view.show(layer=3, head=1, query=it, key=view.tokens.index("animal")) if view is not None else None

# %% [markdown]
# *It* gives *animal* a weight of 0.70, and *street* 0.04. It looks as if this head knew what pronouns stand
# for. **Do you believe it?** There are 72 heads, and we have shown you one of them, on one sentence. We chose
# it because it looks good.
#
# **A test.** Change one word: "… because it was wide." Now *it* is the street. A head that resolves pronouns
# must prefer *animal* in the first sentence and *street* in the second. A head that likes the first noun is
# right in exactly one of the two. The course has 64 such pairs of sentences. For each of the 128 sentences and
# each head we note whether *it* gives more weight to the right noun than to the wrong one.
#
# **Predict.** Suppose that all 72 heads guess. How good is the best of them on 64 sentences: about 50 %, 60 %
# or 90 %?

# %%
for pair in PAIRS[1:4]:
    print(" / ".join(sentence for sentence, _, _ in pair.sentences))
right_noun = (
    torch.tensor(of_heads.right_noun).flatten(2).flatten(0, 1)
)  # (128, 72): rows 2i and 2i + 1 are pair i
luck = torch.rand(1_000, 64, 72, generator=torch.Generator().manual_seed(0)) < 0.5
print(f"\nbest of 72 heads that guess, on 64 sentences: {luck.float().mean(1).max(1).values.mean():.2f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# About 65 %. Each head has a share near 50 %, with a standard deviation of $0.5/\sqrt{64} = 6$ points. The
# largest of 72 such numbers lies about two and a half standard deviations above the middle. So a head that is
# chosen *because* it is the best looks good, even if it does nothing.
#
# </details>
#
# The way out: **choose on one part of the data, report on another.** The choice cannot profit from the luck
# of sentences that it has not seen.
#
# **Example.** Four sentences and two heads. Head 0 is right on rows 0 and 1, head 1 on rows 1, 2 and 3. Chosen
# on rows 0 and 1, head 0 wins with the mean 1. Reported on rows 2 and 3, its mean is 0.

# %% [markdown] exercise="held_out_head" role="statement"
# `scores` is a tensor (N, H) of numbers or bools: the score of each of H heads in each of N sentences.
# `choose` and `report` are lists of row numbers, counted from 0. Neither is empty, and no row is named twice or
# is in both.
# Return the pair `(head, value)`. `head` is the number, counted from 0, of the head that has the highest mean
# over the rows in `choose`. If several have exactly the same mean, it is the lowest of their numbers. `value` is
# the mean of this head over the rows in `report`. Change no argument.


# %% exercise="held_out_head" role="solution"
def held_out_head(scores, choose, report):
    """(head, value): the best head on the rows `choose`, and its mean on the rows `report`."""
    raise NotImplementedError("exercise held_out_head: replace this line with your answer")


# %% exercise="held_out_head" role="check"
check("held_out_head", held_out_head)

# %% [markdown]
# Both sentences of a pair must be in the same half. Then a head that always prefers the first noun is right on
# exactly half of each half. So luck in the draw cannot make it look good. We draw 200 ways to halve the 64
# pairs, and do the same with two other properties of a head: the weight that a token gives to the token
# *before* it, and the weight that it gives to the *first* token.
#
# **Predict.** Which of the three properties does some head really have?


# %% tags=["nbval-ignore-output"]
def real_or_luck():
    others = {
        "right noun for it": right_noun,
        "weight on the previous token": torch.tensor(of_heads.previous).flatten(2).flatten(0, 1),
        "weight on the first token": torch.tensor(of_heads.first).flatten(2).flatten(0, 1),
    }
    for name, scores in others.items():
        generator, found = torch.Generator().manual_seed(0), []
        for _ in range(200):
            order = torch.randperm(len(PAIRS), generator=generator)
            halves = [torch.stack([2 * half, 2 * half + 1], 1).flatten().tolist() for half in order.chunk(2)]
            found.append(held_out_head(scores, *halves))
        chosen = Counter(int(head) for head, _ in found)
        head, times = chosen.most_common(1)[0]
        value = statistics.fmean(float(value) for _, value in found)
        print(
            f"{name:29} {value:.2f} on the other half; heads that were chosen: {len(chosen)}, most often layer"
            f" {head // 12}, head {head % 12} ({times} of 200)"
        )


attempted(real_or_luck)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The weight on the previous token (1.00, always the same head of layer 0) and on the first token (0.86). For
# the right noun, the best head on one half is right on about 55 % of the other half, and different halves
# choose different heads. So the beautiful picture is one sentence. It is not a rule that this encoder follows in one of
# its heads. Perhaps the encoder knows what *it* stands for in a way that no single head shows, or in a larger
# model some head does: Clark et al. (2019) report a head of BERT that finds what a mention stands for about
# two times in three, nearly as often as a system of rules. Our test is harder, because one word decides.
#
# A head that looks at the previous token does something simple, always. And many heads put most of their weight on the first token, here `[CLS]`, when they have nothing to look
# for: a sum of 1 has to go somewhere.
#
# </details>
#
# > **Takeaway.** One picture of attention proves nothing. Choose a head on one set of sentences and report it
# > on another, with pairs that differ in what you claim.

# %% [markdown]
# ## Ablation: take a head out
#
# **Question.** Which answers are lost without a head?
#
# **Where to cut.** The outputs of all heads of a layer stand side by side in one tensor of the shape
# $(B, T, d)$. Head $j$ has the entries $j\,d_k$ to $(j+1)\,d_k - 1$. The projection $W_O$ mixes them and adds
# the result to the residual stream. So we change the *input* of the projection. The picture shows the two
# experiments of this part.

# %%
from kqa_core.show import show_ablation_and_patching

show_ablation_and_patching()

# %% [markdown]
# **A worked example.** Let $d = 4$, with two heads of two entries, and a projection to one number:
# $W_O = (1, 1, 2, 0)$. The heads have computed $(1, 2)$ and $(3, 4)$. The output is
# $1\cdot1 + 1\cdot2 + 2\cdot3 + 0\cdot4 = 9$. Head 0 contributes 3 and head 1 contributes 6. Without head 1,
# the output is 3.
#
# PyTorch can change the input of a module while a model runs. A *forward pre-hook* is a function that is
# called just before the module, with the tuple of its inputs. If it returns something, this replaces the
# input.
#
# **Predict.** Which three numbers does the next cell print?

# %%
projection = torch.nn.Linear(4, 1, bias=False)
with torch.no_grad():
    projection.weight.copy_(torch.tensor([[1.0, 1.0, 2.0, 0.0]]))
merged = torch.tensor([[1.0, 2.0, 3.0, 4.0]])  # the outputs of two heads side by side


def without_head_1(module, inputs):
    changed = inputs[0].clone()  # a copy: other parts of the model may still need the original
    changed[..., 2:4] = 0
    return changed


print(projection(merged).item())
with projection.register_forward_pre_hook(without_head_1):  # the hook is removed at the end of the block
    print(projection(merged).item())
print(projection(merged).item())

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# 9, 3 and 9. After the `with` block the hook is gone. Without `with`,
# `handle = projection.register_forward_pre_hook(…)` keeps the hook until `handle.remove()`. A hook that is
# never removed changes every later result of the model.
#
# </details>
#
# **Zero or mean?** Zero is simple, but the rest of the model may never have met a head with the output 0. Then
# the model fails because the input is strange, and not because something is missing. So one also replaces the
# output by its *mean* over many rows: one constant vector for all people and all positions. This removes what
# differs from person to person and from position to position, and keeps what is common. Your function takes any
# vector.

# %% [markdown] exercise="ablate_heads" role="statement"
# `model` is a GPT of this course in evaluation mode, and `tokens` is a tensor of integers (B, T). `new` is a
# dict: its keys are pairs `(layer, head)`, its values are vectors of the shape ($d_k$,). Return the logits
# (B, T, V) that the model computes if the output of each head in `new` is replaced by its vector, at every
# position. Other heads stay as they are. After the call, the model must compute what it computed before, in
# evaluation mode, and `tokens` and `new` must be as before.
#
# `model(tokens)` returns a pair, `(logits, loss)`. The projection of a layer is
# `model.blocks[layer].attention.projection`, and $d_k$ is `model.config.d_model // model.config.n_head`.


# %% exercise="ablate_heads" role="solution"
def ablate_heads(model, tokens, new):
    """Logits (B, T, V) of the model if the heads in new,
    a dict (layer, head) → vector (d_k,), have these outputs.
    """
    raise NotImplementedError("exercise ablate_heads: replace this line with your answer")


# %% exercise="ablate_heads" role="check"
check("ablate_heads", ablate_heads)

# %% [markdown]
# **A right answer in one pass.** The model writes an answer character by character and always takes the most
# likely one. So it writes "Ox⁇" exactly if O is the most likely character after the question, x the most
# likely one after O, and ⁇ the most likely one after x. We can test all of these at once: give the model the
# row "question ⁇ Ox⁇" and compare each prediction with the next character.


# %% tags=["nbval-ignore-output"]
def rows_of(people, places):
    """Rows "question ⁇ place ⁇": tokens (N, T), padded with 0,
    and a mask (N, T) that is True in the answers.
    """
    rows = [
        reader.vocabulary.encode(f"{person.question}⁇{place}⁇")
        for person, place in zip(people, places, strict=True)
    ]
    tokens = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
    answer = torch.zeros(tokens.shape, dtype=torch.bool)
    for i, (person, row) in enumerate(zip(people, rows, strict=True)):
        tokens[i, : len(row)] = torch.tensor(row)
        answer[i, len(person.question) + 1 : len(row)] = True
    return tokens, answer


def gives(logits, tokens, answer):
    """For each row, whether a model with these logits writes exactly this answer: a list of bools."""
    same = logits[:, :-1].argmax(-1) == tokens[:, 1:]
    return (same | ~answer[:, 1:]).all(dim=1).tolist()


tokens, answer = rows_of(mentioned, [person.place for person in mentioned])
with torch.no_grad():
    intact = gives(reader.model(tokens)[0], tokens, answer)
written = [hit for hit, person in zip(right, asked, strict=True) if person.exposures]
print(f"{sum(intact)} of {len(mentioned)} right; the same people as before: {intact == written}")

# %% [markdown]
# Now take out each head, first with zeros, then with its mean over these rows. **Predict.** Are the heads
# with the largest weights on the name also those whose ablation costs most answers?

# %% tags=["nbval-ignore-output"]
d_head = reader.model.config.d_model // n_head
mean = {}  # (layer, head) → mean output, (d_head,)


def keep_mean(layer):
    def hook(module, inputs):
        outputs = inputs[0][tokens != 0].mean(dim=0)  # (d,): mean over all characters, without padding
        for head in range(n_head):
            mean[layer, head] = outputs[head * d_head : (head + 1) * d_head]

    return hook


# an ExitStack holds several hooks, and removes them at its end
with torch.no_grad(), contextlib.ExitStack() as stack:
    for layer, block in enumerate(reader.model.blocks):
        stack.enter_context(block.attention.projection.register_forward_pre_hook(keep_mean(layer)))
    reader.model(tokens)

zero = {pair: torch.zeros(d_head) for pair in every_head}


def hits_without(pairs, new):
    """For each person, whether the answer is right with these outputs of heads;
    None before the exercise is done.
    """
    with torch.no_grad():
        logits = attempted(ablate_heads, reader.model, tokens, {pair: new[pair] for pair in pairs})
    return None if logits is None else gives(logits, tokens, answer)


def lost_and_gained(hits):
    """The number of answers that are lost and gained against the intact model, and p."""
    found = attempted(mcnemar, intact, hits)
    return "" if found is None else f"{found[0]:5} {found[1]:6}  {found[2]:8.2g}"


lost = {}
if hits_without(every_head[:1], zero) is not None:
    print("layer.head  weight on name   zero: lost, gained, p     mean: lost, gained, p")
    for pair in every_head:
        by_zero, by_mean = hits_without([pair], zero), hits_without([pair], mean)
        lost[pair] = sum(a and not b for a, b in zip(intact, by_mean, strict=True))
        print(
            f"{pair[0]}.{pair[1]:<10} {on_name[pair]:10.2f}      {lost_and_gained(by_zero)}    "
            f" {lost_and_gained(by_mean)}"
        )

# %% tags=["nbval-ignore-output"]
from kqa_core.show import show_weight_and_effect

picture = None
if lost:
    heaviest, strongest = (
        max(every_head, key=lambda pair: on_name[pair]),
        max(every_head, key=lambda pair: lost[pair]),
    )
    for what, pair in (("largest weight on the name", heaviest), ("largest effect", strongest)):
        print(f"{what}: head {pair[0]}.{pair[1]}, weight {on_name[pair]:.2f}, {lost[pair]} answers lost")
    dots = [(f"{layer}.{head}", float(on_name[layer, head]), lost[layer, head]) for layer, head in every_head]
    picture = show_weight_and_effect(dots, total=sum(intact))
picture

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# No. On average, the heads of layer 1 give more weight to the name, but few answers are lost without one of
# them. The heads of layer 0 give it less on average, but their ablation costs the most answers.
#
# </details>
#
# Read the picture as a test of the idea "a large weight means a large effect". If the idea were right, the
# points would lie on a line that rises to the right.
#
# - A point **on the right and low** is a head that looks straight at the name, and hardly any answer changes
#   without it. There are two possible reasons: its output is not used, or other heads do the same work.
# - A point **high, but further left** is a head with less weight on the name *at the ⁇* and a large effect.
#   The weight in the table is that of one query only. A head of the first layer also works at every other
#   position, for example at the letters of the name. There it builds what the second layer reads.
#
# Now compare the two halves of the table. In layer 0, *more* answers are lost with the mean than with zero.
# So the mean is not always the gentler replacement. It is the same vector at every position, while the head
# has quite different outputs at a letter of the name and elsewhere. So to the rest of the model the mean can
# be as strange as zero. This experiment does not say which replacement is the right one. It says that the
# numbers depend on it, so a report has to name it.
#
# **Careful.** Each half of the table makes eight comparisons, one for each head. Suppose that none of the
# heads mattered. If the eight comparisons were independent, at least one of them would still show $p < 0.05$
# with probability $1 - 0.95^8 = 0.34$. (They are not independent, because all of them use the same people. So
# 0.34 is only a rough number.) A simple correction, due to Bonferroni, holds in any case. It divides the
# limit by the number of comparisons: count only $p < 0.05/8 = 0.006$.
#
# **Is a head without effect useless?** Not if another one can replace it. Suppose that two heads carry the
# same message and either of them is enough. Then each ablation alone changes nothing, and both together
# change everything. So we also take out all heads of a layer.
#
# **Predict.** Add up the answers that are lost without each single head of a layer. How many are lost without
# *all* heads of this layer: more than the sum, as many, or fewer?

# %% tags=["nbval-ignore-output"]
if lost:
    for layer in range(n_layer):
        pairs = [pair for pair in every_head if pair[0] == layer]
        singly = [lost[pair] for pair in pairs]
        gone = sum(a and not b for a, b in zip(intact, hits_without(pairs, mean), strict=True))
        print(f"layer {layer}: one head at a time {singly}, together {sum(singly)}; all heads at once {gone}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# All three can happen. **More** than the sum: the heads can replace each other, and single ablations
# underestimate them. **About as many**: each head helps with its own answers. **Fewer**: the same answers
# depend on several heads at once. Each of these heads is needed, but an answer can be lost only once. See
# which case you have in each layer. (If all answers are gone without the layer, nothing gets past it.)
#
# </details>
#
# > **Takeaway.** Ablation measures what the model does without a head. A head can have a large weight and no
# > effect, or a large effect and a smaller weight. "No effect" can also mean that other heads step in.

# %% [markdown]
# ## Patching: whose answer is it?
#
# **Question.** Ablation shows that a head is *needed*. Does the head carry the person's identity, or does the
# model fail without it for another reason?
#
# **Idea.** Do not remove the output of the head. Replace it by the output that it has for *another person*
# (the right half of the picture). If the answer changes to the other person's place, this output carried the
# answer. This is called **activation patching** (Vig et al. 2020, Meng et al. 2022).
#
# **Example.** Take the two heads of the worked example above, with $W_O = (1, 1, 2, 0)$. Person A's heads
# give $(1, 2)$ and $(3, 4)$, so the output is 9. Person B's heads give $(1, 1)$ and $(5, 0)$, so the output
# is $2 + 10 = 12$.
#
# **Predict.** What is the output for A if head 0 is patched with B's output? And if head 1 is? Which head
# carries the difference between A and B?
#
# <details><summary><b>Answer</b></summary>
#
# With head 0 patched, $(1, 1, 3, 4)$ gives $2 + 6 = 8$. With head 1 patched, $(1, 2, 5, 0)$ gives
# $3 + 10 = 13$. The whole difference is $12 - 9 = 3$. Head 0 contributes $-1$ and head 1 contributes $+4$. So
# head 1 carries most of it, and the two contributions add up to 3.
#
# </details>
#
# In the model, rows have positions too. So we say at which positions the outputs are copied. Both rows must
# have the same length, because position $t$ is copied to position $t$.

# %% [markdown] exercise="patch_heads" role="statement"
# `model` is as in `ablate_heads`; `tokens` and `source` are tensors of integers (B, T) of the same shape.
# `heads` is a list of pairs `(layer, head)` and `positions` a list of positions. Return the logits (B, T, V)
# for `tokens` if, at these positions, the output of each of these heads is the one that it has when the model
# reads `source`. Row $i$ of `tokens` gets its outputs from row $i$ of `source`. After the call, the model
# must compute what it computed before, in evaluation mode, and the other arguments must be as before.


# %% exercise="patch_heads" role="solution"
def patch_heads(model, tokens, source, heads, positions):
    """Logits (B, T, V) for tokens if these heads have,
    at these positions, the outputs that they have for source.
    """
    raise NotImplementedError("exercise patch_heads: replace this line with your answer")


# %% exercise="patch_heads" role="check"
check("patch_heads", patch_heads)

# %% [markdown]
# Now with people. We take pairs of people, A and B, about whom the model answers correctly. They have
# different birthplaces and names of the same lengths, so that the rows fit. The row asks about A, and the
# outputs come from the row about B. For each pair we ask: does the model write B's place? Or does it still
# write A's? We patch at two sets of positions: the letters of the name, and all positions from the ⁇ on,
# where the answer is written.

# %% tags=["nbval-ignore-output"]
known = [person for person, hit in zip(mentioned, intact, strict=True) if hit]


def lengths(person):
    return tuple(map(len, person.name.split()))


# the commonest lengths
common = max(Counter(map(lengths, known)).items(), key=lambda item: (item[1], item[0]))[0]
alike = [person for person in known if lengths(person) == common]
couples = [(a, b) for a in alike for b in alike if a.place != b.place]
couples = random.Random(8).sample(couples, min(60, len(couples)))
print(f"{len(couples)} pairs of people whose names have {' and '.join(map(str, common))} letters")

NAME = list(range(START, START + len(alike[0].name)))  # the letters of the name
MARK = len(alike[0].question)  # the position of the ⁇


def shares(heads, places):
    """The shares of pairs for which the patched model writes B's place, and A's place;
    None before the exercise is done.
    """
    found = []
    for wanted in (1, 0):  # B's place, A's place
        target = [couple[wanted].place for couple in couples]
        rows, answer = rows_of([a for a, _ in couples], target)
        source, _ = rows_of([b for _, b in couples], target)
        positions = NAME if places == "name" else list(range(MARK, rows.shape[1]))
        with torch.no_grad():
            logits = attempted(patch_heads, reader.model, rows, source, heads, positions)
        if logits is None:
            return None
        found.append(sum(gives(logits, rows, answer)) / len(couples))
    return tuple(found)


patched = {}
if shares([], "name") is not None:
    print("layer.head     at the name: B's place, A's place     from the ⁇ on: B's place, A's place")
    for pair in every_head:
        patched[pair] = {places: shares([pair], places) for places in ("name", "⁇")}
        numbers = [f"{100 * share:8.0f} % {100 * stays:8.0f} %" for share, stays in patched[pair].values()]
        print(f"{pair[0]}.{pair[1]:<12} {numbers[0]:>30} {numbers[1]:>34}")

# %% [markdown]
# Look at the columns "B's place". A head that carried the answer alone would have numbers near 100 there. The
# two shares of one experiment need not add up to 100: the remaining answers are neither A's place nor B's.
#
# The heads of the last layer have no effect at all at the name: every answer is still A's. This must be so in
# every model. Their outputs at these positions are read by no later layer, so they lead nowhere. Where a head
# acts is as important as which head it is.
#
# **Predict.** Now we patch more and more heads, in the order in which their ablation hurts most: first one
# head, then two, then all eight. What happens with all eight, from the ⁇ on? And at the name?

# %% tags=["nbval-ignore-output"]
from kqa_core.show import show_patched_heads

picture = None
if patched and lost:
    order = sorted(every_head, key=lambda pair: -lost[pair])
    panels = {"at the name": "name", "from the ⁇ on": "⁇"}
    picture = show_patched_heads(
        {
            title: [shares(order[:count], places) for count in range(len(order) + 1)]
            for title, places in panels.items()
        }
    )
picture

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# With all eight heads patched from the ⁇ on, every answer is B's. This must be so in every model. From the ⁇
# on, both rows have the same characters, and **heads are the only way by which a position learns about other
# positions**. If all heads say what they say in B's row, then nothing at these positions differs from B's
# row. So this point of the curve tests our code and not the model.
#
# At the name the rows differ in their letters as well, and these are not patched. Later positions can still
# read A's letters directly.
#
# </details>
#
# So what carries the answer? Read the curve from the left: if one head were enough, it would jump to 100 at
# once. If it rises only when many heads are patched, the answer is *distributed* over several heads. One
# possible explanation is that each head brings a part of the name, and that the rest of the model needs
# enough parts to recognise the person. The curve does not test this explanation. The honest sentence about a
# model is the one that the experiment supports, even if "the head that stores birthplaces" would be a nicer
# story.
#
# **Explore.** Patch the heads of one layer only, such as `shares([(0, j) for j in range(n_head)], "⁇")`, or
# add heads in another order.
#
# > **Takeaway.** Ablation tests whether a head is needed. Patching tests whether its output is enough to move
# > the answer. Weights test neither. Interventions of this kind are the main tool of *mechanistic
# > interpretability*, also in large models.

# %% [markdown] exercise="what_carries_the_answer" role="statement"
# A classmate picks the head with the largest weight on the name and says: "This head looks at the name, so it
# looks up the birthplace." Answer in six to nine sentences, with numbers from your tables.
#
# 1. What does the weight show, and why can the birthplace not be at the positions that the head attends to?
# 2. Name one head of this model whose weight and effect do not agree, or say that you found none.
# 3. Is there a single head that carries the answer? Which of your experiments decides it?

# %% [markdown] exercise="what_carries_the_answer" role="written"
# *Your answer here.*

# %% [markdown]
# <details><summary><b>Going deeper (optional): what these experiments leave open</b></summary>
#
# We replaced outputs of whole heads. In which matrices is the fact? Meng et al. (2022) restored hidden states
# at single positions and layers of GPT-2 XL, and found that the MLPs of middle layers, at the last token of
# the subject, matter most. Geva et al. (2023) followed the path further. Early MLPs enrich the vector at the
# last token of the subject. Then information about the relation moves to the last position. Finally,
# attention heads extract the attribute from the subject's position. Jain and Wallace (2019) showed for
# recurrent classifiers that very different attention weights can give the same output. Wiegreffe and Pinter
# (2019) replied that this alone does not make attention useless as an explanation; it depends on what one
# means by explanation. McGrath et al. (2023) describe how later layers compensate when a layer is ablated,
# which they call the *Hydra effect*.
#
# </details>

# %% [markdown]
# ---
# # Part 3. Made-up answers
#
# ## How confident is the model? (optional)
#
# **Question.** The answers to the six questions at the start look alike. Does the model at least "know" which
# of them are guesses?
#
# **Idea.** At each step the model gives a probability to every character. The probability of the whole answer
# is the product: the probability that the model would write exactly this answer if it drew each character at
# random with these probabilities. We call it the **confidence**.
#
# **Example.** The vocabulary has three characters, "O", "x" and "⁇", with the numbers 0, 1 and 2. The model
# writes "Ox⁇". The table has its logits before each of the three characters.
#
# | logits | exponentials | probability |
# |---|---|---|
# | $(\ln 8, 0, 0)$ | 8, 1, 1 | O: $8/10 = 0.8$ |
# | $(0, \ln 3, 0)$ | 1, 3, 1 | x: $3/5 = 0.6$ |
# | $(0, 0, \ln 2)$ | 1, 1, 2 | ⁇: $2/4 = 0.5$ |
#
# The confidence is $0.8 \cdot 0.6 \cdot 0.5 = 0.24$.
#
# **Predict.** What is the confidence if 100 is added to all three logits of the first row?

# %%
# the logits of the table
example = torch.tensor([[math.log(8), 0, 0], [0, math.log(3), 0], [0, 0, math.log(2)]])
for shift in (0, 100):
    shifted = example + torch.tensor([[shift], [0], [0]])
    probabilities = shifted.softmax(dim=1)
    # "Ox⁇" has the numbers 0, 1, 2
    of_answer = [float(probabilities[t, token]) for t, token in enumerate((0, 1, 2))]
    print([round(p, 2) for p in of_answer], f"product {math.prod(of_answer):.2f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# The same. Softmax depends on differences within a row only. (But a program that takes $e^x$ of logits above
# 100 in float32, without subtracting the largest one first, overflows.)
#
# </details>

# %% [markdown] exercise="answer_confidence" role="statement"
# `logits` is a tensor (T, V): row $t$ holds the logits from which character $t$ of the answer was chosen.
# `tokens` (T,) are the characters that were written, as numbers; the last one is the ⁇ that ends the answer,
# and it counts. Return the confidence, a number in [0, 1]. Do not change the tensors.


# %% exercise="answer_confidence" role="solution"
def answer_confidence(logits, tokens):
    """The probability, in [0, 1], of the answer tokens (T,) given the logits (T, V),
    one row for each character.
    """
    raise NotImplementedError("exercise answer_confidence: replace this line with your answer")


# %% exercise="answer_confidence" role="check"
check("answer_confidence", answer_confidence)

# %% tags=["nbval-ignore-output"]
from kqa_core.evaluation import answer_logits

for person, guess in zip(
    six, guesses(reader.model, reader.vocabulary, [person.question for person in six]), strict=True
):
    confidence = attempted(
        answer_confidence, *answer_logits(reader.model, reader.vocabulary, person.question, guess.answer)
    )
    if confidence is None:
        break
    text, verdict = (
        "in the text" if person.exposures else "in no line",
        "right" if guess.answer == person.place else "wrong",
    )
    print(f"{guess.answer:14} confidence {float(confidence):.3f}   {text:12} {verdict}")

# %% [markdown]
# Six answers are few, and only 14 of our 140 people are in no line. But the world has a generator, so we can
# ask about as many *strangers* as we like. Their names are made of the same syllables, they were born in the
# same places, and no line mentions them. (`guesses` returns each answer with the confidence that you have
# just computed.)

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_sureness, still
from kqa_core.text import draw_unseen_names, draw_unseen_people

strangers = draw_unseen_people(world, 2000, agreement=0.5, seed=11)
made_up = guesses(reader.model, reader.vocabulary, [person.question for person in strangers])
lucky = sum(guess.answer == person.place for guess, person in zip(made_up, strangers, strict=True))
print("strangers answered correctly, by luck:", Proportion(lucky, len(strangers)))
confident = [
    guess.answer == person.place
    for guess, person in zip(made_up, strangers, strict=True)
    if guess.confidence >= 0.9
]
print("of those with a confidence of 0.9 or more:", Proportion(sum(confident), len(confident)))

in_text = [(guess, hit) for guess, person, hit in zip(answers, asked, right, strict=True) if person.exposures]
kinds = {
    "people in the text, answer right": [guess.confidence for guess, hit in in_text if hit],
    "people in the text, answer wrong": [guess.confidence for guess, hit in in_text if not hit],
    "strangers": [guess.confidence for guess in made_up],
}
still(draw_sureness, (8, 3.6), kinds=kinds)

# %% [markdown]
# Each curve says which share of the answers has at least a given confidence. A perfect confidence would keep
# the first curve at the top, and the other two would drop at once: a wrong answer about a person in the text
# is a guess, too. Look at the right edge: some strangers get an answer with a confidence of 0.9 or more.
# Nearly all of these answers are wrong (the second printed line counts them), and the model presents them
# exactly like the others.
#
# In the next widget, move the threshold: answers below it are withheld. A ring is a right answer, a cross a
# wrong one. Click one of them, or use the arrow keys, and the sentence says who it is and what the model
# answered.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import Answered, retrieved_or_made_up

places = dict(world.places)  # place → region


def described(person, guess):
    """One answer for the widget."""
    lines = (
        "1 line" if person.exposures == 1 else f"{person.exposures} lines" if person.exposures else "no line"
    )
    said = f"{person.question} “{guess.answer}”, in truth {person.place}; {lines} about this person."
    return Answered(guess.confidence, guess.answer == person.place, said)


people = {
    "in the text": [
        described(person, guess) for guess, person in zip(answers, asked, strict=True) if person.exposures
    ],
    "strangers": [
        described(person, guess) for guess, person in zip(made_up[: len(mentioned)], strangers, strict=False)
    ],
}
retrieved_or_made_up(people, threshold=0.8)

# %% [markdown]
# **Predict.** Can you find a threshold that withholds all wrong answers and no right one, in both groups?
# Look at the crosses on the right, which are the confident errors.

# %% tags=["nbval-ignore-output"]
shown = [answer for group in people.values() for answer in group]
limit = max(answer.confidence for answer in shown if not answer.right)
correct = [answer.confidence for answer in shown if answer.right]
above = sum(confidence > limit for confidence in correct)
print(f"the most confident wrong answer has {limit:.3f}; {above} of {len(correct)} right ones have more")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# No. A threshold that withholds every wrong answer withholds nearly all right answers as well. Part 4
# measures what a threshold costs and gains.
#
# </details>
#
# > **Takeaway.** The confidence of an answer is the product of its characters' probabilities. It is higher
# > for right answers on the whole. But some made-up answers are confident, and nothing in the text of an
# > answer shows it.

# %% [markdown]
# ## What does it guess by?
#
# **Question.** We call *strangers* 2,000 generated people with names of the same syllables, who are in no line of
# the text. A stranger's name is new to the model. Does it guess at random?
#
# Names and places of one region share syllables in this world, and for half of the people the name comes from
# the region of birth. The next picture compares the region of a stranger's name (row) with the region of the
# guessed place (column). The numbers are per cent of the row. White is 25 %, orange is more, blue is less.
# Guesses that are no place of this world are excluded.
#
# **Predict.** There are four regions. Which number would be in each cell if the model ignored the name? (This
# assumes that all regions are guessed equally often.)

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_regions

meant = [
    (person, places[guess.answer])
    for person, guess in zip(strangers, made_up, strict=True)
    if guess.answer in places
]
print(f"{len(strangers) - len(meant)} of {len(strangers)} guesses are no place of this world")
name_regions = [person.name_region for person, _ in meant]
guess_regions = [region for _, region in meant]
birth_regions = [person.region for person, _ in meant]
for what, regions in (("name", name_regions), ("birth", birth_regions)):
    agree = sum(region == guess for region, guess in zip(regions, guess_regions, strict=True))
    print(f"the guess is in the region of the {what:6} {Proportion(agree, len(meant))}")
still(draw_regions, (4.6, 4.2), panels={"Guesses about strangers, % of a row": (name_regions, guess_regions)})

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# 25 in each cell. Instead, the diagonal stands out: 39 % of the guesses are in the region that the name
# sounds like. Most are still in another region, but chance would give only 25 %. The model has learned this
# from the people in the text.
#
# </details>
#
# The *place* is hardly ever right. What would chance give? These strangers were drawn so that the four
# regions are equally frequent, and the 12 or 13 places within a region, too. So every place is right for 1.9
# to 2.1 % of them, whichever one you guess. In the stored run, the model named the right place for 2.5 %,
# with an interval from 1.9 to 3.3 %, so this is about chance. But the
# *region* of the guess is the region of birth more often than by chance. So on average the cue helps a
# little. But if a person's name and origin differ, it pulls the guess towards the wrong region.
#
# This happens with people and institutions as well. In a well-known study, Bertrand and Mullainathan
# (published in 2004) sent nearly 5,000 invented résumés to employers in Boston and Chicago, in 2001 and 2002.
# The résumés differed in the name at the top. Those with typically white names got 50 % more calls back than
# those with typically African-American names.

# %% [markdown] exercise="unseen_name" role="statement"
# Answer in four to eight sentences, with a number from above.
#
# 1. What does the model do when it is asked about a name that it has never met?
# 2. How can you tell that it uses the name? Which experiment would prove it?
# 3. The guessed regions are right more often than by chance. Why should the guesses still worry someone who
#    uses the model for decisions about people?

# %% [markdown] exercise="unseen_name" role="written"
# *Your answer here.*

# %% [markdown]
# ## Who is harmed, and what can they do?
#
# **Question.** A company offers this model as a service: "Ask for anyone's birthplace." Officials,
# journalists and employers use it. What can go wrong?
#
# To think about harm, follow one answer. Who asks, and what for? What do they do with the answer? About whom
# is it, and does this person ever learn of it? Then follow many answers: are the errors spread evenly, or do
# they fall on some people more than on others? What do users do after the first error becomes public, also
# with the right answers? Finally ask about **recourse**: the means by which a person who is harmed can find
# out, object, have the error corrected, and be compensated.
#
# **Example.** A clerk fills in a form with the help of the service. The model has never read about the
# applicant and writes a town of another country. The application is rejected. The applicant gets a letter
# without a reason. She does not know that a model was asked, so she cannot object to its answer. The clerk
# does not know that the answer was a guess. And the company cannot say where it came from, because the fact,
# if there was one, is spread over the weights.

# %% [markdown] exercise="two_dangers" role="statement"
# Name two different dangers of a system whose users cannot tell what it retrieved from what it made up: one
# for a **person** who relies on an answer or is judged by it, and one for the **trust** in the system or in
# information as a whole. For each, say who uses it for what, why nobody notices the error, and what follows.
# Do not repeat the clerk.

# %% [markdown] exercise="two_dangers" role="written"
# *Your answer here.*

# %% [markdown] exercise="recourse" role="statement"
# Somebody was harmed by a wrong answer of such a service. What would this person need in order to find out,
# to object and to have it put right? And what should the provider do *before* the service goes online to make this
# possible? Give at least one measure for each side. For the provider's measure, say which number or
# experiment of this notebook it would use, and name one thing that it cannot do. Four to eight sentences. (An
# example of a measure, which you should not repeat: the user interface shows the confidence beside each
# answer. It would use `answer_confidence`. It does not help the applicant, who never sees the screen.)

# %% [markdown] exercise="recourse" role="written"
# *Your answer here.*

# %% [markdown]
# **A good place to stop.** You have reached the end of the main path. The summary and the self-test are at
# the end of the notebook. Part 4 (optional) asks whether a confidence of 80 % means 80 %, and Part 5
# (optional) measures how much a name gives away. After a break, run all cells above first (about half a
# minute).

# %% [markdown]
# ---
# # Part 4 (optional). Is the confidence true?
#
# ## Calibration
#
# **Question.** A confidence is a claim: of the answers with confidence 0.8, 80 % should be right. If this
# holds at every level, the model is **calibrated**. How far is it from that?
#
# **Idea.** A single answer is right or wrong, so it cannot be "80 % right". But many answers with similar
# confidences can. We sort the answers into bins by confidence. In each bin we compare the mean confidence
# (what the model claims) with the share of right answers (what is true).
#
# **Example.** Five answers in two bins.
#
# - From 0 to 0.5: the confidences are 0.3 (right) and 0.4 (wrong). The claim is 0.35, the truth 0.5, the
#   distance 0.15.
# - From 0.5 to 1: 0.7 (right), 0.9 (right) and 0.8 (wrong). The claim is 0.8, the truth 0.667, the distance
#   0.133.
#
# The **expected calibration error** weights each distance by the number of answers in the bin: two answers
# with 0.15, three with 0.133. So it is $(2 \cdot 0.15 + 3 \cdot 0.133)/5 = 0.14$. In general, with $N$
# answers, of which $n_k$ are in bin $k$:
#
# $$\mathrm{ECE} = \sum_{k} \frac{n_k}{N} \left| \mathrm{true}_k - \mathrm{claimed}_k \right|.$$
#
# **Predict.** What is the error of the same five answers with a single bin, from 0 to 1?

# %%
confidences_5, right_5 = (0.3, 0.4, 0.7, 0.9, 0.8), (True, False, True, True, False)
for low, high in ((0, 0.5), (0.5, 1), (0, 1)):
    inside = [i for i in range(5) if low <= confidences_5[i] < high]
    claimed, true = (sum(values[i] for i in inside) / len(inside) for values in (confidences_5, right_5))
    print(f"{low} to {high}: claimed {claimed:.2f}, true {true:.2f}, distance {abs(true - claimed):.3f}")

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# 0.02. In the first bin the model claims too little, in the second too much, and in one bin the two cancel
# out. So the error depends on the bins, and one must say how many there were.
#
# </details>

# %% [markdown] exercise="calibration_error" role="statement"
# `confidences` is a list of floats in [0, 1], `right` a list of bools, `bins` a whole number. Return the
# expected calibration error with `bins` bins of equal width. A confidence $c$ with
# $k/\text{bins} \le c < (k + 1)/\text{bins}$ is in bin $k$, and $c = 1$ is in the last bin. Bins without
# answers do not count. (Confidences on an edge are tried only where `bins` is a power of two, so that rounding
# decides nothing.) Do not change the lists.


# %% exercise="calibration_error" role="solution"
def calibration_error(confidences, right, bins):
    """Expected calibration error, in [0, 1], over bins (a whole number) of equal width."""
    raise NotImplementedError("exercise calibration_error: replace this line with your answer")


# %% exercise="calibration_error" role="check"
check("calibration_error", calibration_error)

# %% [markdown]
# Is our model calibrated? That depends on who asks about whom. We look at three groups of questions: about
# people in the text, about as many strangers, and both together.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_reliability

sure_mentioned = [guess.confidence for guess, person in zip(answers, asked, strict=True) if person.exposures]
right_mentioned = [hit for hit, person in zip(right, asked, strict=True) if person.exposures]
some = list(zip(made_up, strangers, strict=True))[: len(mentioned)]
sure_strangers = [guess.confidence for guess, _ in some]
right_strangers = [guess.answer == person.place for guess, person in some]
sure, hits = sure_mentioned + sure_strangers, right_mentioned + right_strangers  # both together
groups = {
    "in the text": (sure_mentioned, right_mentioned),
    "strangers": (sure_strangers, right_strangers),
    "together": (sure, hits),
}
for name, (confidences, rights) in groups.items():
    error = attempted(calibration_error, confidences, rights, 10)
    if error is not None:
        claimed, true = np.mean(confidences), np.mean(rights)
        print(
            f"{name:12} mean confidence {claimed:.2f}, right {true:.2f}, calibration error {float(error):.3f}"
        )
still(draw_reliability, (11, 4), models=groups)

# %% [markdown]
# On the diagonal, the claims are true. Below it, the model claims too much. The numbers beside the points
# count answers, and the bars are 95 % intervals of the share that is right. Compare the first two panels:
# about people in the text, the claims are much closer to the truth than about strangers. It is the same
# model. So a calibration error belongs to a model *and* to the questions that it is asked.
#
# **Careful.** The error has a bias: it adds absolute values, so chance never cancels. Even a perfectly
# calibrated model would show an error above 0 on finitely many answers. How large? We simulate it for each
# group: for each answer, chance decides whether it is right, with the probability that the model claims. We
# take an error seriously if it is larger than 95 % of the simulated ones. The picture is that of the last
# group.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_luck

draws, picture = random.Random(11), None
for name, (confidences, rights) in groups.items():
    measured = attempted(calibration_error, confidences, rights, 10)
    if measured is None:
        break
    chance = [
        calibration_error(confidences, [draws.random() < confidence for confidence in confidences], 10)
        for _ in range(1000)
    ]
    usual = (
        f"a perfect model: {np.mean(chance):.3f} on average, at most {sorted(chance)[949]:.3f} in 95 % of the"
        " cases"
    )
    print(f"{name:12} {float(measured):.3f};  {usual}")
    picture = still(draw_luck, (7, 2.8), simulated=chance, measured=measured)
picture

# %% [markdown]
# For the people in the text, the measured error is one that a perfect model could show by chance. So it does
# not show that the model claims too much or too little about them. For the strangers, and for both together,
# chance cannot explain it.

# %% [markdown]
# ### Break it
#
# The output head turns the last state into logits. Multiply its weights by five: then every logit is five
# times as large, and the most likely character stays the most likely. **Predict.** How many answers change?
# What happens to the confidences?

# %% tags=["nbval-ignore-output"]
scaled = copy.deepcopy(reader.model)
with torch.no_grad():
    scaled.head.weight *= 5
again = guesses(scaled, reader.vocabulary, [person.question for _, person in some])
print(
    "answers that changed:", sum(old.answer != new.answer for (old, _), new in zip(some, again, strict=True))
)
print(
    f"mean confidence about strangers: {np.mean(sure_strangers):.2f} before,"
    f" {np.mean([g.confidence for g in again]):.2f} after"
)

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# No answer changes, and the confidences rise. Accuracy is blind to this. The opposite, dividing the logits by
# a suitable number, is a common repair and is called *temperature scaling* (Guo et al. 2017).
#
# </details>
#
# > **Takeaway.** A model is calibrated if its claims are true on average at every level of confidence.
# > Accuracy does not measure this, and calibration on one group of questions says nothing about another.

# %% [markdown]
# ## To answer or not
#
# **Question.** If the model may say "I do not know", how many errors does that avoid, and how many answers
# does it cost?
#
# **Idea.** Choose a threshold $t$ and answer only where the confidence is at least $t$. The share of all
# questions that is answered is the **coverage**. The share of wrong answers *among those given* is the
# **risk**.
#
# **Example.** Four answers: 0.9 (right), 0.6 (wrong), 0.6 (right), 0.3 (wrong).
#
# | threshold | coverage | risk |
# |---|---|---|
# | 0.9 | 1/4 | 0 |
# | 0.6 | 3/4 | 1/3 |
# | 0.3 | 1 | 1/2 |
#
# Two answers have the same confidence, 0.6. A threshold cannot separate them, so there are three points and
# not four.

# %% [markdown] exercise="risk_coverage" role="statement"
# For each different confidence $t$, from the highest to the lowest, suppose that the model answers where the
# confidence is at least $t$. Return a list with one pair for each $t$: `(coverage, risk)`. Do not change the
# lists you are given.


# %% exercise="risk_coverage" role="solution"
def risk_coverage(confidences, right):
    """List of (coverage, risk), both in [0, 1],
    one pair for each different confidence, the highest confidence first.
    """
    raise NotImplementedError("exercise risk_coverage: replace this line with your answer")


# %% exercise="risk_coverage" role="check"
check("risk_coverage", risk_coverage)

# %% [markdown]
# **Predict.** What would the curve look like if the confidences were random numbers?

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_curves

picture, curve = None, attempted(risk_coverage, sure, hits)
if curve is not None:
    shuffled = random.Random(11).sample(sure, len(sure))  # the same confidences, dealt out at random
    curves = {"by confidence": curve, "confidences shuffled": risk_coverage(shuffled, hits)}
    picture = still(draw_curves, (8, 3.4), curves=curves)
picture

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Flat, up to noise: whichever answers are withheld, the same share of the others is wrong. At small coverage
# the noise is large, because the share is then computed from a few answers.
#
# </details>
#
# A confidence is useful where its curve is below the flat one. All curves end at the same point: with
# coverage 1 nothing is withheld.
#
# **Choosing a threshold.** To use it, you choose one threshold beforehand, for a target such as "at least 80
# % of the given answers are right". In the example above, a target of 0.6 is reached at $t = 0.9$ (share 1)
# and at $t = 0.6$ (share 2/3). The lower of the two answers more questions, so it is the better choice.

# %% [markdown] exercise="abstention_threshold" role="statement"
# Return the lowest of the `confidences` that can serve as a threshold $t$: of the answers with a confidence
# of at least $t$, a share of at least `target` is right. If there is no such threshold, return `math.inf`.
# (The share may fall below the target and rise above it again as $t$ goes down.) The lists are not empty. Do
# not change them.


# %% exercise="abstention_threshold" role="solution"
def abstention_threshold(confidences, right, target):
    """The lowest confidence t such that, of the answers with at least t,
    a share of target or more is right; or math.inf.
    """
    raise NotImplementedError("exercise abstention_threshold: replace this line with your answer")


# %% exercise="abstention_threshold" role="check"
check("abstention_threshold", abstention_threshold)

# %% [markdown]
# A threshold must be judged on *other* questions than those on which it was chosen. Otherwise it profits from
# the luck of these questions. So we choose it on every second question and judge it on the others, and then
# on strangers only.

# %% tags=["nbval-ignore-output"]
for target in (0.5, 0.7, 0.9):
    threshold = attempted(abstention_threshold, sure[::2], hits[::2], target)  # every second question
    if threshold is None:
        break
    given = [hit for confidence, hit in zip(sure[1::2], hits[1::2], strict=True) if confidence >= threshold]
    strange = [
        g.answer == person.place
        for g, person in zip(made_up, strangers, strict=True)
        if g.confidence >= threshold
    ]
    print(
        f"target {target}: threshold {threshold:.3f}; right among the {len(given)} given:"
        f" {Proportion(sum(given), len(given))}"
    )
    print(
        f"            strangers who get an answer: {len(strange)} of {len(made_up)}, {sum(strange)} of these"
        " answers are right"
    )

# %% [markdown]
# Compare the target with the interval: a chosen threshold keeps its promise only up to chance. And look at
# the last line of each target: if *all* questions are about strangers, these are the answers given, and
# nearly all of them are wrong. A threshold keeps its promise for questions like those on which it was chosen.
#
# > **Takeaway.** A model that withholds unsure answers has a lower coverage and usually a lower risk. Choose
# > the threshold on one set of questions, judge it on another, and do not trust it when other people ask.

# %% [markdown]
# ---
# # Part 5 (optional). How much does a name give away?
#
# ## An excess over chance
#
# **Question.** In Part 3, guesses about strangers were often in the region of the name. Some of this happens
# by chance. Chance is larger if names and guesses both prefer the same region. We want a number that is 0 for
# a model that ignores the name.
#
# **Example.** Ten people: five have names of region A, five of region B. The model guesses A for eight and B
# for two:
#
# | | guess A | guess B |
# |---|---|---|
# | **name A** | 5 | 0 |
# | **name B** | 3 | 2 |
#
# Name and guess agree for $5 + 2 = 7$ of 10. How often would they agree if the same guesses were handed out
# at random? A random person has a name of A with probability 0.5, and a random guess is A with probability
# 0.8. Both happen together in $0.5 \cdot 0.8 = 0.4$ of the cases, and B with B in $0.5 \cdot 0.2 = 0.1$. So
# chance gives $0.4 + 0.1 = 0.5$, and the excess is $0.7 - 0.5 = 0.2$.

# %% [markdown] exercise="name_bias" role="statement"
# `name_regions` and `guess_regions` say, person by person, to which region the name belongs and to which the
# guessed place. Return the excess: the share of people for whom the two agree, minus the share that would be
# expected if the same guesses were handed out independently of the names. Do not change the lists.


# %% exercise="name_bias" role="solution"
def name_bias(name_regions, guess_regions):
    """Share for whom name and guess agree, minus the share expected if guesses were
    independent of names; in [-1, 1].
    """
    raise NotImplementedError("exercise name_bias: replace this line with your answer")


# %% exercise="name_bias" role="check"
check("name_bias", name_bias)

# %% tags=["nbval-ignore-output"]
excess = attempted(name_bias, name_regions, guess_regions)
if excess is not None:
    print(f"guess and region of the name agree {100 * float(excess):.1f} points more often than by chance")

# %% [markdown]
# ## Is the name the cause?
#
# **Question.** A table of guesses does not prove that the name is the cause, just as a large weight did not.
# How can we test it?
#
# **Idea.** Intervene: keep everything else and exchange the name. If the guesses follow the new name and no
# longer the old one, the name is the cause. For this the new name must say nothing about the old one.
#
# **Example.** Three regions. A new name from *another* region than the old one is not neutral. It excludes
# the old region, so it still says where the old name did not come from. So the region is drawn from all
# three, whatever the old region was. We also make the three equally likely. A draw from the list of all names
# would say nothing about the old name either, but it would be uneven: if region A has 50 names and B and C
# have 10 each, A would come 5 times as often as B.

# %% [markdown] exercise="neutral_names" role="statement"
# `regions` is a list with the region of each person's name. `names_of` is a dict from each region to a list
# of names. `rng` is a `random.Random`. Return a list with a new name for each person. For each person,
# whatever the old region, every region of `names_of` is equally likely, and within the drawn region every
# name is equally likely. The name of one person does not depend on the names of the others, so two people may get
# the same name. Use `rng` as the only source of randomness, and change neither the list nor the dict.


# %% exercise="neutral_names" role="solution"
def neutral_names(regions, names_of, rng):
    """A list of new names, one for each person, whose regions do not depend on the old ones.
    rng is a random.Random.
    """
    raise NotImplementedError("exercise neutral_names: replace this line with your answer")


# %% exercise="neutral_names" role="check"
check("neutral_names", neutral_names)

# %% [markdown]
# **Predict.** Will the guesses now agree with the region of the old name, or with the region of the new name?

# %% tags=["nbval-ignore-output"]
pool = draw_unseen_names(world, 300, seed=13)
new_names, picture = (
    attempted(neutral_names, [person.name_region for person in strangers], pool, random.Random(13)),
    None,
)
if new_names is not None:
    region_of = {name: region for region, names in pool.items() for name in names}
    renamed = guesses(reader.model, reader.vocabulary, [f"Where was {name} born?" for name in new_names])
    kept = [
        (person.name_region, region_of[name], places[guess.answer])
        for person, name, guess in zip(strangers, new_names, renamed, strict=True)
        if guess.answer in places
    ]
    old, new, now = (list(column) for column in zip(*kept, strict=True))
    for what, regions in (("old name", old), ("new name", new)):
        agree = sum(region == guess for region, guess in zip(regions, now, strict=True))
        bias = attempted(name_bias, regions, now)
        print(
            f"{what}: {Proportion(agree, len(now))}"
            + (f", excess {100 * float(bias):+.1f} points" if bias is not None else "")
        )
    picture = still(
        draw_regions, (9, 4.2), panels={"by the old name": (old, now), "by the new name": (new, now)}
    )
picture

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# With the new name. By the old name, the excess is 0 up to chance. Nothing but the name was changed, so the
# name is the cause.
#
# </details>
#
# Neutral names are also a repair, at a price. A model that is asked with a neutral name cannot use the name
# where it should not. But it cannot find a person in its text either, because it finds people by their names.
#
# ## What the guesses reveal
#
# **Question.** The generator let the name come from the region of birth for a share $a$ of the strangers. The
# model has never met them. Suppose that we know only two shares: how often a guess is in the region of the
# name, and how often it is in the region of birth. Can we compute $a$ from them?
#
# **Example.** Two regions and 100 strangers, of whom 70 have a name of their region of birth, so $a = 0.7$. We
# call a name *true* if it comes from the person's region of birth. The model follows the name in 80 % of its
# guesses, whether the name is true or not.
#
# | | guess follows the name (80 %) | guess does not (20 %) |
# |---|---|---|
# | **name is true** (70 people) | 56: right | 14: wrong |
# | **name is not true** (30 people) | 24: wrong | 6: right |
#
# So $56 + 6 = 62$ guesses are in the region of birth. Written with shares:
# $\text{hit} = 0.8\,a + 0.2\,(1 - a) = 0.2 + 0.6\,a$. If we know that the hit rate is 0.62, we can go back:
# $a = (0.62 - 0.2)/0.6 = 0.7$.
#
# **Predict.** Suppose that the model follows the name in just 50 % of its guesses. What is the hit rate for
# $a = 0.7$? And for $a = 0.2$?
#
# <details><summary><b>Answer</b></summary>
#
# $0.5\,a + 0.5\,(1 - a) = 0.5$ for every $a$. Such guesses say nothing about $a$: we would have to divide by
# 0.
#
# </details>
#
# With four regions there is one difference. A guess that does not follow the name is in one of the *three*
# other regions. If the name is not true either, only one of these three is the region of birth.

# %% [markdown] exercise="planted_agreement" role="statement"
# Of the guesses about strangers, the share `hit` is in the region of birth, and the share `follow` is in the
# region of the name. There are `k` regions. If name and birth disagree, each of the other $k - 1$ regions is
# an equally likely birthplace. Whether a guess follows the name does not depend on whether the name is true.
# Return the share $a$ of strangers whose name is of their region of birth. If `follow` is $1/k$, the guesses
# cannot tell: raise `ValueError`. (This is tried only where `k` is a power of two, so that rounding decides
# nothing.)


# %% exercise="planted_agreement" role="solution"
def planted_agreement(hit, follow, k):
    """Share of people whose name is of their region of birth.
    ValueError if follow = 1/k, which says nothing.
    """
    raise NotImplementedError("exercise planted_agreement: replace this line with your answer")


# %% exercise="planted_agreement" role="check"
check("planted_agreement", planted_agreement)

# %% [markdown]
# An estimate needs an interval. The *bootstrap* makes one: draw as many people with replacement from those
# that you have, a thousand times, and estimate $a$ each time. The middle 95 % of the estimates are the
# interval. We do this for the strangers of Part 3 and for others, among whom names are true more often. The
# model is the same.


# %% tags=["nbval-ignore-output"]
def estimate_between(follow, hit, k=4, times=1000):
    """The estimate from all people, and the middle 95 % of the estimates from people drawn again."""
    both, draws = np.array([follow, hit], dtype=float), np.random.default_rng(11)
    again = draws.integers(both.shape[1], size=(times, both.shape[1]))
    found = sorted(planted_agreement(h, f, k) for f, h in both[:, again].mean(axis=2).T)
    return (
        planted_agreement(*both.mean(axis=1)[::-1], k),
        found[int(0.025 * times)],
        found[int(0.975 * times)],
    )


for planted, seed in ((0.5, 11), (0.8, 12)):
    if attempted(planted_agreement, 0.5, 1.0, 4) is None:
        break
    people = draw_unseen_people(world, 2000, agreement=planted, seed=seed)
    said = guesses(reader.model, reader.vocabulary, [person.question for person in people])
    of_places = [
        (person, places[guess.answer])
        for person, guess in zip(people, said, strict=True)
        if guess.answer in places
    ]
    follow = [person.name_region == region for person, region in of_places]
    hit = [person.region == region for person, region in of_places]
    estimate, low, high = estimate_between(follow, hit)
    print(f"planted {planted}: estimate {estimate:.2f}, 95 % interval {low:.2f} to {high:.2f}")
    print(f"             the model follows the name in {np.mean(follow):.0%} of its guesses")

# %% [markdown]
# Compare each estimate and its interval with the planted share. Then compare the last numbers: the model
# follows the name about as often in both groups. It has learned this habit from the people in its text, where
# names are true for half of them, and it keeps the habit wherever it is used.
#
# > **Takeaway.** Subtract what chance would give, then intervene on the cue. A model carries the statistics
# > of its training text to people to whom they do not apply.

# %% [markdown]
# ---
# ## Summary
#
# - Where two models answer the same questions, count the discordant ones and treat them as coins: McNemar's
#   test.
# - One picture of attention proves nothing: choose a head on some sentences, report it on others.
# - Attention weights show what a head reads. Ablation shows whether it is needed, and patching whether its
#   output is enough to move the answer. In general the three do not agree.
# - The birthplace is not in the row that the model reads. The heads bring information about the name
#   together, and the parameters hold the fact.
# - A made-up answer looks like a retrieved one, and can be as confident. It follows the statistics of the
#   training text, such as the sound of a name.
# - Harm comes from answers that nobody can trace, object to or correct. Recourse has to be planned before a
#   system is used.
#
# ## Test yourself
#
# The first three questions are about optional sections.
#
# **1.** Two models answer the same 500 questions. Both are right 400 times. Can McNemar's test find a
# difference?
#
# <details><summary><b>Answer</b></summary>
#
# No. The totals are equal, so the counts of discordant questions are equal too, $b = c$, and $p = 1$. Yet the
# models may answer different questions correctly.
#
# </details>
#
# **2.** A head gives 95 % of its weight to the name, and its ablation changes no answer. Name two possible
# reasons.
#
# <details><summary><b>Answer</b></summary>
#
# Its output may not be used: its values are small, or $W_O$ and later layers ignore them. Or other heads
# carry the same message and step in; then taking out several heads together changes the answers.
#
# </details>
#
# **3.** All heads are patched at all positions from the ⁇ on, and every answer becomes B's. What does this
# show about the model?
#
# <details><summary><b>Answer</b></summary>
#
# Nothing: it must be so. From the ⁇ on both rows have the same characters, and heads are the only way in
# which positions exchange information. It shows that the patching code works.
#
# </details>
#
# **4.** Of the model's guesses about strangers, 39 % are in the region that the name sounds like. A friend says:
# "So it knows where 39 % of them come from." What is wrong, and how would you show that the *name* decides?
#
# <details><summary><b>Answer</b></summary>
#
# With four regions, a guess that ignores the name is in that region in 25 % of the cases, so only what is above 25 %
# counts. And the region of the name is not the region of birth: only for half of the people does the one come from
# the other. To show that the name decides, change the name alone, ask again, and count how often the region of the
# guess follows it.
#
# </details>

# %% tags=["nbval-ignore-output"]
progress("08_what_does_the_model_know")

# %% [markdown]
# **Next:** [08b Why 23 and not 95?](../08b_why_23_and_not_95/08b_why_23_and_not_95.ipynb), the experiments that
# explain the published accuracy. It is optional. Or go on with [09 The Synthesizer and its
# relatives](../09_the_synthesizer_and_its_relatives/09_the_synthesizer_and_its_relatives.ipynb). There the
# weights come from somewhere else than queries and keys, and you can put the questions of this notebook to
# those models too.
