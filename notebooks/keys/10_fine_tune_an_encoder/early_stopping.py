"""Answer key of early_stopping."""

from __future__ import annotations

import math
import random

import numpy as np
from course_exercises import early_stopping as visible
from course_exercises._encoder_parts import given_twice
from course_exercises.early_stopping import BROKEN, Case, agrees, drawn

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import leaves_alone

# falls again, but not below the best
SLOW: Case = ([0.9, 0.8, 0.85, 0.84, 0.83, 0.7, 0.75, 0.74, 0.73, 0.72, 0.6], 4, (5, 9))
FALLS: Case = ([0.6, 0.5, 0.4, 0.3], 1, (3, 3))
TWICE: Case = ([0.8, 0.6, math.nan, 0.5, 0.5, math.nan, 0.45, 0.46, 0.4501, 0.45], 3, (6, 9))
LATE: Case = ([0.7, 0.4, 0.5, 0.6, 0.3, 0.35, 0.5, 0.6], 3, (4, 7))


def cases(rng: random.Random) -> list[Case]:
    """The small cases that tell the mistakes apart, and random ones."""
    fixed = [*visible.SMALL, SLOW, FALLS, LATE, TWICE]
    return [*fixed, *(drawn(rng) for _ in range(40))]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every case."""
    for case in cases(rng):
        agrees(answer, *case)
    leaves_alone(answer, ("validation_losses",), *TWICE[:2])
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Every case."""
    used = [call for losses, patience, _ in (visible.PLAIN, BROKEN) for call in given_twice(losses, patience)]
    return [*((losses, patience) for losses, patience, _ in cases(rng)), *used]


def early_stopping(validation_losses, patience):
    """The reference."""
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if loss < validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return kept, epoch
    return kept, len(validation_losses) - 1


def with_a_count(validation_losses, patience):
    """Remembers the lowest loss, and counts the epochs since."""
    best, kept, waited = math.inf, 0, 0
    for epoch, loss in enumerate(validation_losses):
        if loss < best:
            best, kept, waited = loss, epoch, 0
        else:
            waited += 1
            if waited >= patience:
                return [kept, epoch]
    return [kept, epoch]


def by_prefixes(validation_losses, patience):
    """Asks of each epoch where the lowest loss so far is."""
    losses = [math.inf if math.isnan(loss) else loss for loss in validation_losses]
    for last in range(len(losses)):
        kept = min(range(last + 1), key=losses.__getitem__)
        if last - kept >= patience:
            break
    return kept, last


def in_numpy(validation_losses, patience):
    """The running minimum, and the epoch in which each value of it first occurs."""
    losses = np.nan_to_num(np.array(validation_losses), nan=np.inf)
    lowest = np.minimum.accumulate(losses)
    since = np.array([int(np.argmax(losses[: i + 1] == low)) for i, low in enumerate(lowest)])
    ended = np.flatnonzero(np.arange(len(losses)) - since >= patience)
    last = ended[0] if len(ended) else len(losses) - 1
    return since[last], last


def while_it_lasts(validation_losses, patience):
    """A while loop that jumps to the next better epoch within reach."""
    kept = 0
    while True:
        window = range(kept + 1, min(kept + patience + 1, len(validation_losses)))
        better = [epoch for epoch in window if validation_losses[epoch] < validation_losses[kept]]
        if not better:
            return kept, min(kept + patience, len(validation_losses) - 1)
        kept = better[0]


def looks_ahead(validation_losses, patience):
    """You keep the best epoch of the whole list.
    It may come after the end of training.
    """
    kept, best = 0, validation_losses[0]
    for epoch, loss in enumerate(validation_losses):
        if loss < best:
            kept, best = epoch, loss
        if epoch - kept == patience:
            losses = [math.inf if math.isnan(each) else each for each in validation_losses]
            return losses.index(min(losses)), epoch
    return kept, len(validation_losses) - 1


def against_the_previous(validation_losses, patience):
    """Each epoch is compared with the one before it. Compare it with the lowest loss so far."""
    kept = waited = 0
    for epoch in range(1, len(validation_losses)):
        if validation_losses[epoch] < validation_losses[kept]:
            kept = epoch
        waited = 0 if validation_losses[epoch] < validation_losses[epoch - 1] else waited + 1
        if waited == patience:
            return kept, epoch
    return kept, len(validation_losses) - 1


def never_reset(validation_losses, patience):
    """All epochs without improvement are counted. A new lowest loss sets the count back to 0."""
    kept = waited = 0
    for epoch in range(1, len(validation_losses)):
        if validation_losses[epoch] < validation_losses[kept]:
            kept = epoch
        else:
            waited += 1
        if waited == patience:
            return kept, epoch
    return kept, len(validation_losses) - 1


def one_too_many(validation_losses, patience):
    """Training ends one epoch too late. It should end after `patience` epochs without improvement."""
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if loss < validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience + 1:
            return kept, epoch
    return kept, len(validation_losses) - 1


def one_too_few(validation_losses, patience):
    """You report the epoch before the last one. The epoch that uses up the patience is trained too."""
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if loss < validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return kept, epoch - 1
    return kept, len(validation_losses) - 1


def equal_counts(validation_losses, patience):
    """An equal loss counts as an improvement.
    Only a lower one is, and among equal epochs the first is kept.
    """
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if loss <= validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return kept, epoch
    return kept, len(validation_losses) - 1


def the_last_is_kept(validation_losses, patience):
    """You keep the weights of the last epoch. Early stopping goes back to the epoch with
    the lowest validation loss.
    """
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if loss < validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return epoch, epoch
    return len(validation_losses) - 1, len(validation_losses) - 1


def largest(validation_losses, patience):
    """You keep the largest value, as if these were accuracies. A loss is better when it is lower."""
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if loss > validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return kept, epoch
    return kept, len(validation_losses) - 1


def counted_from_one(validation_losses, patience):
    """Your epochs are counted from 1. Its first entry is epoch 0, before training."""
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if loss < validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return kept + 1, epoch + 1
    return kept + 1, len(validation_losses)


def exchanged(validation_losses, patience):
    """Your pair has the wrong order. The epoch whose weights are kept comes before the last epoch."""
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if loss < validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return epoch, kept
    return len(validation_losses) - 1, kept


def without_epoch_0(validation_losses, patience):
    """You skip epoch 0. If training never improves on the model before training, epoch 0 is the best one."""
    kept = min(1, len(validation_losses) - 1)
    for epoch, loss in enumerate(validation_losses):
        if epoch and loss < validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return kept, epoch
    return kept, len(validation_losses) - 1


def patience_back(validation_losses, patience):
    """You always go back by `patience` epochs from the last one.
    If the list ends earlier, the best epoch is another one.
    """
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if loss < validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return kept, epoch
    last = len(validation_losses) - 1
    return max(0, last - patience), last


def the_loss_itself(validation_losses, patience):
    """You return the lowest loss; return its epoch."""
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if loss < validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return validation_losses[kept], epoch
    return validation_losses[kept], len(validation_losses) - 1


def nan_is_better(validation_losses, patience):
    """A loss of nan counts as an improvement. Every comparison with nan is False:
    ask whether a loss is lower.
    """
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if not loss >= validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return kept, epoch
    return kept, len(validation_losses) - 1


def nan_is_skipped(validation_losses, patience):
    """Epochs whose loss is nan use up no patience. They do not improve on the best epoch: count them, too."""
    kept, waited = 0, 0
    for epoch, loss in enumerate(validation_losses):
        if loss < validation_losses[kept]:
            kept, waited = epoch, 0
        elif epoch and not math.isnan(loss):
            waited += 1
        if waited == patience:
            return kept, epoch
    return kept, len(validation_losses) - 1


def by_a_margin(validation_losses, patience):
    """Losses are rounded, or must be lower by some margin. Any loss below the lowest so far is better."""
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if loss < validation_losses[kept] - 1e-3:
            kept = epoch
        if epoch - kept == patience:
            return kept, epoch
    return kept, len(validation_losses) - 1


def replaces_nan(validation_losses, patience):
    """You change the list that you were given, if it holds nan, for example by replacing nan.
    Only read the list.
    """
    kept = 0
    for epoch, loss in enumerate(validation_losses):
        if math.isnan(loss):
            validation_losses[epoch] = math.inf
        if validation_losses[epoch] < validation_losses[kept]:
            kept = epoch
        if epoch - kept == patience:
            return kept, epoch
    return kept, len(validation_losses) - 1


def uses_up_the_list(validation_losses, patience):
    """You change the list that you were given, for example by removing losses. Only read the list."""
    kept, best, epoch = 0, validation_losses.pop(0), 0
    while validation_losses and epoch - kept < patience:
        epoch, loss = epoch + 1, validation_losses.pop(0)
        if loss < best:
            kept, best = epoch, loss
    return kept, epoch


KEY = AnswerKey(
    id="early_stopping",
    hidden=hidden,
    reference=early_stopping,
    accepted=(with_a_count, by_prefixes, in_numpy, while_it_lasts),
    rejected=(
        *(
            looks_ahead,
            against_the_previous,
            never_reset,
            one_too_many,
            one_too_few,
            equal_counts,
            the_last_is_kept,
            largest,
        ),
        *(counted_from_one, exchanged, without_epoch_0, patience_back, the_loss_itself, uses_up_the_list),
        *(nan_is_better, nan_is_skipped, by_a_margin, replaces_nan),
    ),
    fingerprint=fingerprint,
    commentary=(
        "One number is enough: `kept`, the epoch with the lowest loss so far. The patience is used up when"
        " `epoch - kept` reaches it, and a new lowest loss moves `kept`, so the count starts again. The loop"
        " never looks at an epoch after the current one, because training does not know it yet. The most"
        " common mistakes are to compare with the epoch before instead of the best one, and to search for the"
        " lowest loss in the whole list. A loss of nan is never smaller than anything, so it counts as no"
        " improvement."
    ),
)
