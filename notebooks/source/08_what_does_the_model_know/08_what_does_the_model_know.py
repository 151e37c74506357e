# %% [markdown]
# # What does the model know?
#
# A small model has read 776 lines about people who never were. Here it is asked about six of them. Three of these six stand
# in no line at all, and in no question it was trained on either. Which three?

# %% role="setup"
import itertools
import math
import random
from collections import Counter, defaultdict

import numpy as np
import sympy as sp
import torch

from kqa_core.check import attempted, check, hint, progress  # hint("…") gives hints

# %% tags=["nbval-ignore-output"]
from kqa_core.evaluation import guesses
from kqa_core.experiments import shipped_model
from kqa_core.text import make_world

world = make_world("small")  # the files of data/world/small, and with them the truth
reader = shipped_model("small.vanilla.finetune")  # trained with the commands in data/checkpoints/manifest.json
asked = [person for person in world.people if person.split != "train"]  # its training questions are about others
told = [person for person in asked if person.exposures]
untold = [person for person in asked if not person.exposures]

six = [told[0], untold[4], told[1], untold[8], untold[9], told[4]]
for person, guess in zip(six, guesses(reader.model, reader.vocabulary, [person.question for person in six]), strict=True):
    print(f"{person.question:36} {guess.answer}")

# %% [markdown]
# Nothing in the answers shows it. They are all places, of the right form, given without a pause. It is the second, fourth
# and fifth that the model cannot know: it made them up.
#
# The world is ours, so we know what nobody can know of a model that has read the web: who is in the text, how often, how it
# is worded, and who is not there. When you leave this notebook you can
#
# 1. say on what it depends whether a fact that was read is also recalled,
# 2. get a confidence out of a model, and find out what it is worth,
# 3. let a model keep silent, and say what that costs and gains,
# 4. measure which cue it goes by when it guesses, with an interval, and take the cue away.
#
# Nothing is trained here. The models come with the course (`data/checkpoints`).
#
# ## How sure was it?
#
# At each step the model gives every character a probability, and the likeliest is written. So it has an opinion about the
# answer as a whole: the probability that it would have written just this, if it had drawn its characters instead.

# %% [markdown] exercise="answer_confidence" role="statement"
# `logits` is a tensor (T, vocabulary); its row t holds what the model made of character t of its answer before writing it.
# `tokens` (T,) are the characters it wrote, as numbers; the last is the ⁇ that ends the answer. Return the probability that
# the model gives to the whole answer, a number in [0, 1].


# %% exercise="answer_confidence" role="solution"
def answer_confidence(logits, tokens):
    """Probability, in [0, 1], of the answer tokens (T,) given logits (T, vocabulary), one row for each character."""
    raise NotImplementedError("exercise answer_confidence: replace this line with your answer")


# %% exercise="answer_confidence" role="check"
check("answer_confidence", answer_confidence)

# %% tags=["nbval-ignore-output"]
from kqa_core.evaluation import answer_logits

for person, guess in zip(six, guesses(reader.model, reader.vocabulary, [person.question for person in six]), strict=True):
    logits, tokens = answer_logits(reader.model, reader.vocabulary, person.question, guess.answer)
    sure = attempted(answer_confidence, logits, tokens)
    if sure is None:
        break
    known = "told of" if person.exposures else "not told of"
    print(f"{guess.answer:12} {100 * sure:5.1f} % sure   {known:12} {'right' if guess.answer == person.place else 'wrong'}")

# %% [markdown]
# And where does it look? Here is its attention while it is about to write the first letter of the place: a thumbnail for each
# layer and head, one head large. The last row belongs to the ⁇ behind the question. It opens where that row is sharpest: head 1
# of layer 1 lays 0.96 of it on one letter. Choose the heads of layer 1 one after the other (hover, or the arrow keys), and see
# which tokens that row reads.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import explore

explore(reader, six[0].question + "⁇").show(layer=1, head=1, key=12)

# %% [markdown]
# They read the name. Put `six[1]` in the place of `six[0]`, whom no line tells of: they read the name all the same. The next
# cell measures it, as the share of the last row's weight that falls on the name, over the heads of layer 1.


# %% tags=["nbval-ignore-output"]
def on_the_name(people):
    shares = []
    for person in people:
        weights = explore(reader, person.question + "⁇").seen[0].weights  # (L, H, T, T)
        shares.append(weights[1, :, -1, len("Where was ") : -len(" born?⁇")].sum(-1).mean())
    return sum(shares) / len(shares)


print(f"told of {on_the_name(told):.2f}, not told of {on_the_name(untold):.2f}")

# %% [markdown]
# Attention shows where the model looks an answer up. It does not show whether there was anything to be found.
#
# ## What is recalled
#
# The next cell asks two models about all 140 people who are in no training question: the reader, and one that was finetuned
# in the same way and has never read a line. (`guesses` gives each answer with the confidence that you have just computed.)

# %% tags=["nbval-ignore-output"]
questions = [person.question for person in asked]
unread = shipped_model("small.vanilla.scratch")
answers = guesses(reader.model, reader.vocabulary, questions)
answers_unread = guesses(unread.model, unread.vocabulary, questions)
right = [guess.answer == person.place for guess, person in zip(answers, asked, strict=True)]
right_unread = [guess.answer == person.place for guess, person in zip(answers_unread, asked, strict=True)]
print(f"{sum(right)} of {len(right)} with reading, {sum(right_unread)} without")

# %% [markdown] exercise="recall_by" role="statement"
# `groups` says of each answer which group it belongs to (a number, a word, anything a dict can have for a key), and `right`
# whether it is right. Return a dict: group → `(right, total)`, two whole numbers. A group without a right answer is there
# all the same.


# %% exercise="recall_by" role="solution"
def recall_by(groups, right):
    """Right answers and all answers of each group: a dict from group to (right, total)."""
    raise NotImplementedError("exercise recall_by: replace this line with your answer")


# %% exercise="recall_by" role="check"
check("recall_by", recall_by)

# %% [markdown]
# First by exposure: how many lines tell of the person. Beside each share stands its 95 % interval, as in notebook 07. The
# groups are small, and the intervals say so.

# %% tags=["nbval-ignore-output"]
from kqa_core.evaluation import Proportion


def show_recall(title, groups, right):
    counts = attempted(recall_by, groups, right)
    if counts is not None:
        print(title)
        for group in sorted(counts):
            print(f"  {group!s:>12}: {Proportion(*counts[group])}")


exposures = [person.exposures for person in asked]
show_recall("with reading, by the number of lines", exposures, right)
show_recall("without reading", exposures, right_unread)

# %% [markdown]
# Then by two other things: where in a line the place stands (in the line where it stands earliest), and how rare the place
# is, counted in lines that name it for whatever reason.

# %% tags=["nbval-ignore-output"]
lines_of = defaultdict(list)
for line in world.documents:
    lines_of[line.partition(". ")[0]].append(line)
mentions = Counter(place for line in world.documents for place, _ in world.places if place in line)

right_told = [hit for hit, person in zip(right, asked, strict=True) if person.exposures]
earliest = [min(line.index(person.place) for line in lines_of[person.name] if person.place in line) for person in told]
position = ["1 early" if at < 30 else "2 middle" if at < 40 else "3 late" for at in earliest]
show_recall("by where the place stands: before character 30, before 40, or later", position, right_told)

how_common = sorted(mentions[person.place] for person in told)
rare, common = how_common[len(told) // 3], how_common[2 * len(told) // 3]
rarity = ["1 rare" if mentions[p.place] < rare else "2 middling" if mentions[p.place] < common else "3 common" for p in told]
show_recall(f"by the place: named in fewer than {rare} lines, in fewer than {common}, or in more", rarity, right_told)

# %% [markdown]
# Of whom no line tells, nobody is recalled. With one line it is 29 %, with five 67 %, though these groups are small. Places
# that stand early seem to do better (59 %, 46 % and 42 %), and common ones no better than rare ones. But look at the
# intervals: they overlap. With 126 people no effect of position or rarity is shown; what is shown is the step from no line
# to some, and from the model that has not read to the one that has.

# %% [markdown] exercise="why_pretraining_helped" role="statement"
# Why did reading help? In two to four sentences: where can the facts have come from that the dev questions ask for, and
# which of the lines above shows that it was the facts, and not a better feeling for the language?

# %% [markdown] exercise="why_pretraining_helped" role="written"
# *Your answer here.*

# %% [markdown]
# ## Retrieved or made up
#
# The world has only 14 people among the 140 of whom nothing is told. That is too few for a close look; but there is a
# generator, so we can have as many strangers as we like. Their names are made of the same syllables, they were born in the
# same places, and no line tells of them.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_sureness, still
from kqa_core.text import draw_unseen_names, draw_unseen_people

nobody = draw_unseen_people(world, 3000, agreement=0.5, seed=11)
made_up = guesses(reader.model, reader.vocabulary, [person.question for person in nobody])

kinds = {
    "told of, and right": [guess.confidence for guess, hit in zip(answers, right, strict=True) if hit],
    "told of, and wrong": [g.confidence for g, hit, p in zip(answers, right, asked, strict=True) if p.exposures and not hit],
    "strangers, all made up": [guess.confidence for guess in made_up],
}
still(draw_sureness, (8, 3.6), kinds=kinds)

# %% [markdown]
# If the answers that are retrieved were all surer than those that are made up, a threshold would tell them apart. They are
# surer on the whole, but one in seven of the made-up answers is given with a confidence of 0.9 or more. And look at the wrong
# answers about people who *are* told of: they are as sure as those about strangers. Whom the model could not recall, it treats
# like somebody of whom it never read.
#
# ## Is the confidence true?
#
# A confidence is a claim: of the answers that are 80 % sure, 80 % should be right. Then the model is *calibrated*. A single
# answer cannot show whether it is; many can, if they are put into bins. What a bin claims is the mean of its confidences,
# and what is true is the share of its answers that are right. The expected calibration error is the distance between the
# two, averaged over the answers:
#
# $$\mathrm{ECE} = \sum_{k} \frac{n_k}{N} \left| \mathrm{right}_k - \mathrm{claimed}_k \right|.$$

# %% [markdown] exercise="calibration_error" role="statement"
# Return the expected calibration error of answers with these `confidences` (floats in [0, 1]), of which those are right
# that `right` (bools) says, with `bins` bins of equal width: a confidence c with k/bins ≤ c < (k + 1)/bins is in bin k, and
# c = 1 is in the last one.


# %% exercise="calibration_error" role="solution"
def calibration_error(confidences, right, bins):
    """Expected calibration error, in [0, 1], over bins (a whole number) of equal width."""
    raise NotImplementedError("exercise calibration_error: replace this line with your answer")


# %% exercise="calibration_error" role="check"
check("calibration_error", calibration_error)

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_reliability

sure = [guess.confidence for guess in answers]
sure_unread = [guess.confidence for guess in answers_unread]
for name, confidences, hits in (("with reading", sure, right), ("without reading", sure_unread, right_unread)):
    error = attempted(calibration_error, confidences, hits, 10)
    if error is not None:
        print(f"{name}: calibration error {error:.3f}")
still(draw_reliability, (9, 4), models={"with reading": (sure, right), "without reading": (sure_unread, right_unread)})

# %% [markdown]
# On the line, what is claimed is true; below it, too much is claimed. The numbers beside the points are answers. The model
# that has not read is often as sure of itself as the other, and wrong.
#
# The error has a bias. It takes the absolute value, so chance never cancels out: 140 answers of a model whose confidences
# are all true would still show an error above 0. How large? Let chance decide for each answer whether it is right, with the
# probability that the model claims.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_luck

luck, draws, picture = [], random.Random(11), None
measured = attempted(calibration_error, sure, right, 10)
if measured is not None:
    for _ in range(1000):
        luck.append(calibration_error(sure, [draws.random() < confidence for confidence in sure], 10))
    picture = still(draw_luck, (7, 2.8), simulated=luck, measured=measured)
picture

# %% [markdown]
# ## To answer or not
#
# Whoever may say *I do not know* need not be right about everything. Take the answers in the order of confidence. The more
# of them are given, the larger is the *coverage*; the share of the given answers that is wrong is the *risk*.

# %% [markdown] exercise="risk_coverage" role="statement"
# For each different confidence t, from the highest to the lowest, answer where the confidence is at least t. Return a list
# with a pair for each t: `(coverage, risk)`, the share of all questions that is answered, and the share of these answers
# that is wrong.


# %% exercise="risk_coverage" role="solution"
def risk_coverage(confidences, right):
    """List of (coverage, risk), both in [0, 1], one for each different confidence, the surest answers first."""
    raise NotImplementedError("exercise risk_coverage: replace this line with your answer")


# %% exercise="risk_coverage" role="check"
check("risk_coverage", risk_coverage)

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_curves

picture, curve = None, attempted(risk_coverage, sure, right)
if curve is not None:
    blind = [(share / 100, 1 - sum(right) / len(right)) for share in range(1, 101)]
    curves = {
        "with reading": curve,
        "without reading": risk_coverage(sure_unread, right_unread),
        "with reading, withheld at random": blind,
    }
    picture = still(draw_curves, (8, 3.4), curves=curves)
picture

# %% [markdown]
# A confidence is of use where its curve lies below the third line: keeping silent by it beats keeping silent by lot. If
# only the surer half is answered, 36 % of the answers are wrong in place of 55 %. For the model that has not read, no
# threshold helps.
#
# In use, one threshold has to be chosen beforehand, and it has to be chosen on *other* people than those it is judged by.
# Otherwise it profits from the luck of the very answers that it is praised for.

# %% [markdown] exercise="abstention_threshold" role="statement"
# Return the lowest of the `confidences` that can serve as a threshold t: of the answers with a confidence of at least t, at
# least the share `target` is right. If no threshold does it, return `math.inf`.


# %% exercise="abstention_threshold" role="solution"
def abstention_threshold(confidences, right, target):
    """The lowest confidence down to which a share of at least target of the answers is right; math.inf if there is none."""
    raise NotImplementedError("exercise abstention_threshold: replace this line with your answer")


# %% exercise="abstention_threshold" role="check"
check("abstention_threshold", abstention_threshold)

# %% tags=["nbval-ignore-output"]
for target in (0.6, 0.7, 0.8):
    threshold = attempted(abstention_threshold, sure[::2], right[::2], target)  # every other person
    if threshold is None:
        break
    given = [hit for confidence, hit in zip(sure[1::2], right[1::2], strict=True) if confidence >= threshold]
    strangers_given = sum(guess.confidence >= threshold for guess in made_up) / len(made_up)
    print(
        f"target {target}: threshold {threshold:.3f}, {len(given)} of {len(right[1::2])} others get an answer; "
        f"right: {Proportion(sum(given), len(given))}"
    )
    print(f"             and {100 * strangers_given:.0f} % of the strangers, whom nobody can know")

# %% [markdown]
# Whether a target is kept among the others is a matter of luck, too: the intervals are wide. A target of 0.8 is kept in the
# first half by its very surest answers alone, and nobody in the other half is that sure. And the targets were set where one
# person in ten is in no line. Among strangers alone every answer given is made up, whatever the threshold promised: it
# holds for people like those on whom it was chosen. Move it and see what becomes of whom. Click a ring or a cross, or go from
# one to the next with the arrow keys, and the sentence says who it is, and what was answered.

# %% tags=["nbval-ignore-output"]
from kqa_core.show import Answered, retrieved_or_made_up


def told_of(person, guess):
    lines = f"told of in {person.exposures} lines" if person.exposures != 1 else "told of in 1 line"
    said = f"{person.question} “{guess.answer}”, in truth {person.place}; {lines}."
    return Answered(guess.confidence, guess.answer == person.place, said)


some = slice(0, 126)  # as many strangers as there are people who are told of
places = dict(world.places)
people = {
    "told of": [told_of(person, guess) for guess, person in zip(answers, asked, strict=True) if person.exposures],
    "strangers": [told_of(person, guess) for guess, person in zip(made_up[some], nobody[some], strict=True)],
}
retrieved_or_made_up(people, threshold=0.8)

# %% [markdown]
# ## Break it
#
# The head of the model turns its last state into logits. Multiply its weights by five: then every logit is five times as
# large, and the likeliest character stays the likeliest. Not one answer changes.

# %% tags=["nbval-ignore-output"]
import copy

boaster = copy.deepcopy(reader.model)
with torch.no_grad():
    boaster.head.weight *= 5
boasts = guesses(boaster, reader.vocabulary, questions)
print("answers that changed:", sum(a.answer != b.answer for a, b in zip(answers, boasts, strict=True)))
boasted = [guess.confidence for guess in boasts]
for name, confidences in (("as trained", sure), ("boasting", boasted)):
    error = attempted(calibration_error, confidences, right, 10)
    if error is None:
        break
    print(f"{name:11} mean confidence {sum(confidences) / len(confidences):.3f}, calibration error {error:.3f}")

# %% [markdown]
# The accuracy is what it was; the claim has grown. Whoever compares two models by accuracy alone sees no difference between
# these. A large language model that was tuned until people liked its answers has often become such a boaster.

# %% [markdown] exercise="two_dangers" role="statement"
# Name two dangers of a system whose users cannot tell what it retrieved from what it made up. For each, say who uses it for
# what, why they do not notice, and what follows.

# %% [markdown] exercise="two_dangers" role="written"
# *Your answer here.*

# %% [markdown]
# ## What it guesses by
#
# The model never met the strangers. Yet their names sound like something: names and places of one region are made of that
# region's syllables. Here is where its guesses about strangers lie. (Some of its answers are no place of this world at all,
# but pieced together; these are left out.)

# %% tags=["nbval-ignore-output"]
from kqa_core.show import draw_regions

meant = [(person, places[guess.answer]) for person, guess in zip(nobody, made_up, strict=True) if guess.answer in places]
print(f"{len(nobody) - len(meant)} of {len(nobody)} guesses are no place of this world")
name_regions = [person.name_region for person, _ in meant]
guess_regions = [region for _, region in meant]
birth_regions = [person.region for person, _ in meant]
still(draw_regions, (4.6, 4.2), panels={"Guesses about strangers, % of a row": (name_regions, guess_regions)})

# %% [markdown]
# In each row the name's own region comes first. But some agreement there would be by chance, the more so if the model has
# favourites. What is needed is a number that is 0 for whoever pays no heed to names.

# %% [markdown] exercise="name_bias" role="statement"
# `name_regions` and `guess_regions` say, person by person, of which region the name is and of which the guessed place.
# Return how much larger the share of people is for whom the two agree than it would be by chance, if the same guesses had
# been dealt to people independently of their names.


# %% exercise="name_bias" role="solution"
def name_bias(name_regions, guess_regions):
    """Share for whom name and guess agree, minus the share expected if guesses were independent of names; in [-1, 1]."""
    raise NotImplementedError("exercise name_bias: replace this line with your answer")


# %% exercise="name_bias" role="check"
check("name_bias", name_bias)

# %% tags=["nbval-ignore-output"]
follow = [name == guess for name, guess in zip(name_regions, guess_regions, strict=True)]
hit = [born == guess for born, guess in zip(birth_regions, guess_regions, strict=True)]
excess = attempted(name_bias, name_regions, guess_regions)
if excess is not None:
    print(f"the guess is of the name's region: {Proportion(sum(follow), len(follow))}")
    print(f"that is {100 * excess:.1f} points more than chance")
    print(f"the guess is of the region of birth: {Proportion(sum(hit), len(hit))}")

# %% [markdown]
# Nobody told the model where a stranger was born, and it is in the right region more often than in 1 case of 4. It has
# found out that names tell regions. In this world they do, for a share $a$ of the people: the generator planted it. Could
# you tell $a$ from the guesses?
#
# A guess can be of the right region in two ways. It follows the name, and the name tells true. Or it does not follow the
# name, the name does not tell true, and of the $k - 1$ other regions it happens to meet the right one. The guess depends on
# the name and on nothing else about the person, there being nothing else that the model knows.

# %% [markdown] exercise="planted_agreement" role="statement"
# Of guesses about people never seen, the share `hit` is of the region of birth and the share `follow` is of the name's
# region. There are `k` regions; where name and birth disagree, each other region is as likely. Return the share $a$ of
# people whose name is of their region of birth. If these guesses cannot tell (`follow` is just 1/k), raise `ValueError`.


# %% exercise="planted_agreement" role="solution"
def planted_agreement(hit, follow, k):
    """Share of people whose name is of their region of birth. ValueError where follow = 1/k, which tells nothing."""
    raise NotImplementedError("exercise planted_agreement: replace this line with your answer")


# %% exercise="planted_agreement" role="check"
check("planted_agreement", planted_agreement)

# %% [markdown]
# An estimate needs an interval. Draw the people anew, with replacement, a thousand times, and estimate each time; the
# middle 95 % of these estimates are the interval (the bootstrap). Besides the strangers of before there are others, among
# whom names tell more. The model is the same.


# %% tags=["nbval-ignore-output"]
def between(follow, hit, k=4, times=1000):
    """The estimate from all people, and the middle 95 % of estimates from people drawn anew."""
    pairs, draws = np.array([follow, hit], dtype=float), np.random.default_rng(11)
    anew = draws.integers(pairs.shape[1], size=(times, pairs.shape[1]))
    found = sorted(planted_agreement(h, f, k) for f, h in pairs[:, anew].mean(axis=2).T)
    return planted_agreement(*pairs.mean(axis=1)[::-1], k), found[int(0.025 * times)], found[int(0.975 * times)]


others = draw_unseen_people(world, 3000, agreement=0.8, seed=12)
made_up_others = guesses(reader.model, reader.vocabulary, [person.question for person in others])
meant_others = [
    (person, places[guess.answer]) for person, guess in zip(others, made_up_others, strict=True) if guess.answer in places
]
follow_others = [person.name_region == region for person, region in meant_others]
hit_others = [person.region == region for person, region in meant_others]

for planted, follows, hits in ((0.5, follow, hit), (0.8, follow_others, hit_others)):
    if attempted(planted_agreement, 0.5, 1.0, 4) is None:
        break
    estimate, low, high = between(follows, hits)
    habit = sum(follows) / len(follows)
    print(
        f"planted {planted}: recovered {estimate:.2f} (95 % interval {low:.2f} to {high:.2f}); "
        f"the model follows the name in {100 * habit:.0f} % of its guesses"
    )

# %% [markdown]
# The planted share comes back, within its interval, from guesses about people of whom the model knows nothing. And the
# model's habit is the same in both: it has learnt it from the people it read of, where names told the region of half, and
# it takes it along to wherever it is used, whether names tell as much there or not.
#
# ## Take the cue away
#
# Is it really the name? A table of guesses cannot prove that. An experiment can: leave everything as it is and exchange the
# name. In 2004, Bertrand and Mullainathan sent out 5,000 made-up applications that differed in the name at the top, and
# counted who was invited.

# %% [markdown] exercise="neutral_names" role="statement"
# `regions` gives the region of each person's name, `names_of` a list of names for each region (a dict), `rng` is a
# `random.Random`. Return a list with a new name for each person, from which nothing can be told about the old one: every
# region is as likely, whatever the person's was, and so is every name of the region drawn. Draw from `rng` alone.


# %% exercise="neutral_names" role="solution"
def neutral_names(regions, names_of, rng):
    """A list of new names, one for each person, whose regions do not depend on the old ones. rng is a random.Random."""
    raise NotImplementedError("exercise neutral_names: replace this line with your answer")


# %% exercise="neutral_names" role="check"
check("neutral_names", neutral_names)

# %% tags=["nbval-ignore-output"]
pool = draw_unseen_names(world, 300, seed=13)
new_names, picture = attempted(neutral_names, [person.name_region for person in nobody], pool, random.Random(13)), None
if new_names is not None:
    region_of_name = {name: region for region, names in pool.items() for name in names}
    again = guesses(reader.model, reader.vocabulary, [f"Where was {name} born?" for name in new_names])
    kept = [
        (p, region_of_name[name], places[g.answer])
        for p, name, g in zip(nobody, new_names, again, strict=True)
        if g.answer in places
    ]
    old, new, now = (
        [person.name_region for person, _, _ in kept],
        [name for _, name, _ in kept],
        [guess for _, _, guess in kept],
    )
    for what, regions in (("person's own name", old), ("new name", new), ("birth", [person.region for person, _, _ in kept])):
        agree = Proportion(sum(a == b for a, b in zip(regions, now, strict=True)), len(now))
        bias = attempted(name_bias, regions, now)
        print(f"guess and region of the {what:17}: {agree}" + (f", excess {100 * bias:+.1f} points" if bias is not None else ""))
    picture = still(draw_regions, (9, 4.2), panels={"by the person's own name": (old, now), "by the new name": (new, now)})
picture

# %% [markdown]
# Seen by the person's own name, the diagonal has gone, and the agreement is that of chance, one in four. Seen by the new
# name, it is all there. Nothing else was changed, so the name is the cause.
#
# This is also the mend, with a price. A model that is asked under a neutral name can no longer go by the name where it
# should not, and neither can it where it should: somebody whom it *has* read of is found by the name alone. The way out is
# the section before: answer where the model is sure under the right name, and keep silent otherwise.

# %% tags=["nbval-ignore-output"]
threshold = attempted(abstention_threshold, sure[::2], right[::2], 0.7)
if threshold is not None:
    kept_silent = [guess for guess in made_up if guess.confidence < threshold]
    spoken = [
        (person, places[guess.answer])
        for person, guess in zip(nobody, made_up, strict=True)
        if guess.confidence >= threshold and guess.answer in places
    ]
    following = Proportion(sum(person.name_region == region for person, region in spoken), len(spoken))
    print(f"silent about {len(kept_silent)} of {len(nobody)} strangers")
    print(f"of the places still named, in the name's region: {following}")

# %% [markdown]
# Silence takes away most of the guesses about strangers. It does not take away their bias: the guesses that are still given
# go by the name as often as the others did.

# %% [markdown] exercise="unseen_name" role="statement"
# What does the model do when it is asked about a name that it has never met? How do you know that it goes by the name? And
# why should that worry somebody who wants to use it, even though its guesses are better than chance? Four to eight
# sentences, with a number from above.

# %% [markdown] exercise="unseen_name" role="written"
# *Your answer here.*

# %% [markdown]
# ## What you have now
#
# A model's answer looks the same whether it was read or made up. You can say how much is recalled, of whom, and with what
# confidence; what that confidence is worth; what silence gains; and by which cue it guesses when it knows nothing. These
# questions can be put to any model. The truth to hold against the answers is harder to get elsewhere than here.

# %% tags=["nbval-ignore-output"]
progress("08_what_does_the_model_know")

# %% [markdown]
# Next: **09 the Synthesizer and its relatives**, where attention is replaced, in part or altogether, to see what it was for. You
# can ask the variants there the questions of this notebook.
