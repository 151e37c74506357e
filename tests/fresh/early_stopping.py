"""Fresh answers to early_stopping."""


# torch.cummin-free version with a list as the pair and torch integers
def right_list_torch(validation_losses, patience):
    t = torch.tensor(validation_losses, dtype=torch.float64).nan_to_num(nan=math.inf)
    since = 0
    best = torch.tensor(0)
    for e in range(1, len(t)):
        improved = bool(t[e] < t[best])
        best, since = (torch.tensor(e), 0) if improved else (best, since + 1)
        if since >= patience:
            return [best, torch.tensor(e)]
    return [best, torch.tensor(len(t) - 1)]


# a named tuple is returned
right_namedtuple = """
from collections import namedtuple

Stop = namedtuple("Stop", "kept last")


def early_stopping(validation_losses, patience):
    best, kept, waited, last = float("inf"), 0, 0, 0
    for last, loss in enumerate(validation_losses):
        if loss < best:
            best, kept, waited = loss, last, 0
        else:
            waited += 1
            if waited == patience:
                break
    return Stop(kept, last)
"""


# recursion instead of a loop
def right_recursion(validation_losses, patience):
    def walk(best, e):
        if e - best == patience or e == len(validation_losses) - 1:
            return best, e
        return walk(e + 1 if validation_losses[e + 1] < validation_losses[best] else best, e + 1)

    return walk(0, 0)


# looks at each prefix anew: slow but plain
def right_slices(validation_losses, patience):
    for last in range(len(validation_losses)):
        seen = [math.inf if math.isnan(x) else x for x in validation_losses[: last + 1]]
        kept = seen.index(min(seen))
        if last - kept >= patience:
            break
    return kept, last


# numpy array and a while loop; numpy integers are returned
def right_while_numpy(validation_losses, patience):
    losses = np.array(validation_losses, dtype=float)
    losses[np.isnan(losses)] = np.inf
    best = e = np.int64(0)
    while e + 1 < len(losses) and e - best < patience:
        e += 1
        if losses[e] < losses[best]:
            best = e
    return best, e


# a small object that is told each loss and says whether to stop
right_second_class_with_state = """
class Stopper:
    def __init__(self, patience):
        self.left = self.patience = patience
        self.lowest, self.kept = math.inf, 0

    def says_stop(self, epoch, loss):
        if epoch == 0 or loss < self.lowest:
            self.lowest, self.kept, self.left = loss, epoch, self.patience
        else:
            self.left -= 1
        return self.left == 0


def early_stopping(validation_losses, patience):
    stopper, last = Stopper(patience), -1
    for last, loss in enumerate(validation_losses):
        if stopper.says_stop(last, loss):
            break
    return stopper.kept, last
"""


# running minima with numpy, nan replaced by infinity; first epoch whose window has no record
def right_second_numpy_windows(validation_losses, patience):
    losses = np.array(validation_losses, dtype=float)
    losses[np.isnan(losses)] = np.inf
    lowest = np.minimum.accumulate(losses)
    record = np.ones(len(losses), dtype=bool)
    record[1:] = losses[1:] < lowest[:-1]
    last = len(losses) - 1
    for epoch in range(patience, len(losses)):
        if not record[epoch - patience + 1 : epoch + 1].any():
            last = epoch
            break
    kept = int(np.flatnonzero(record[: last + 1])[-1])
    return kept, last


# replaces nan in the given list
def wrong_changes_list(validation_losses, patience):
    for i, x in enumerate(validation_losses):
        if math.isnan(x):
            validation_losses[i] = math.inf
    best, kept, waited = validation_losses[0], 0, 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if loss < best:
            best, kept, waited = loss, e, 0
        else:
            waited += 1
            if waited == patience:
                return kept, e
    return kept, len(validation_losses) - 1


# compares with the epoch before, not with the best
def wrong_compares_with_previous(validation_losses, patience):
    waited, kept = 0, 0
    for e in range(1, len(validation_losses)):
        if validation_losses[e] < validation_losses[e - 1]:
            waited = 0
            if validation_losses[e] < validation_losses[kept]:
                kept = e
        else:
            waited += 1
            if waited == patience:
                return kept, e
    return kept, len(validation_losses) - 1


# keeps the best of the whole list
def wrong_global_best(validation_losses, patience):
    best, waited = validation_losses[0], 0
    last = len(validation_losses) - 1
    for e, loss in enumerate(validation_losses[1:], 1):
        if loss < best:
            best, waited = loss, 0
        else:
            waited += 1
            if waited == patience:
                last = e
                break
    return int(np.nanargmin(validation_losses)), last


# the last epoch is the length of the list if it never stops
def wrong_last_is_length(validation_losses, patience):
    best, kept, waited = validation_losses[0], 0, 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if loss < best:
            best, kept, waited = loss, e, 0
        else:
            waited += 1
            if waited == patience:
                return kept, e
    return kept, len(validation_losses)


# an equal loss counts as an improvement
def wrong_le(validation_losses, patience):
    best, kept, waited = validation_losses[0], 0, 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if loss <= best:
            best, kept, waited = loss, e, 0
        else:
            waited += 1
            if waited == patience:
                return kept, e
    return kept, len(validation_losses) - 1


# an improvement must be at least 0.001
def wrong_min_delta(validation_losses, patience):
    best, kept, waited = validation_losses[0], 0, 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if loss < best - 1e-3:
            best, kept, waited = loss, e, 0
        else:
            waited += 1
            if waited == patience:
                return kept, e
    return kept, len(validation_losses) - 1


# a nan is skipped, so it does not use up patience
def wrong_nan_not_counted(validation_losses, patience):
    best, kept, waited = validation_losses[0], 0, 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if math.isnan(loss):
            continue
        if loss < best:
            best, kept, waited = loss, e, 0
        else:
            waited += 1
            if waited == patience:
                return kept, e
    return kept, len(validation_losses) - 1


# min with nan: once nan is the best, nothing improves
def wrong_nan_poisons(validation_losses, patience):
    best, kept = validation_losses[0], 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if not loss >= best:
            best, kept = loss, e
        elif e - kept >= patience:
            return kept, e
    return kept, len(validation_losses) - 1


# stops one epoch too late
def wrong_one_more(validation_losses, patience):
    best, kept, waited = validation_losses[0], 0, 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if loss < best:
            best, kept, waited = loss, e, 0
        else:
            waited += 1
            if waited > patience:
                return kept, e
    return kept, len(validation_losses) - 1


# stops before the patience is used up if the list ends: the kept epoch only counts if patience ran out
def wrong_patience_off_at_end(validation_losses, patience):
    best, kept, waited = validation_losses[0], 0, 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if loss < best:
            best, kept, waited = loss, e, 0
        else:
            waited += 1
            if waited == patience:
                return kept, e
    return len(validation_losses) - 1, len(validation_losses) - 1


# starts with epoch 1 as the first best
def wrong_skips_epoch_zero(validation_losses, patience):
    best, kept, waited = math.inf, 0, 0
    for e, loss in enumerate(validation_losses):
        if e == 0:
            continue
        if loss < best:
            best, kept, waited = loss, e, 0
        else:
            waited += 1
            if waited == patience:
                return kept, e
    return kept, len(validation_losses) - 1


# (last, kept)
def wrong_swapped(validation_losses, patience):
    best, kept, waited = validation_losses[0], 0, 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if loss < best:
            best, kept, waited = loss, e, 0
        else:
            waited += 1
            if waited == patience:
                return e, kept
    return len(validation_losses) - 1, kept


# counts all epochs without improvement, not those in a row
def wrong_total_count(validation_losses, patience):
    best, kept, waited = validation_losses[0], 0, 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if loss < best:
            best, kept = loss, e
        else:
            waited += 1
            if waited == patience:
                return kept, e
    return kept, len(validation_losses) - 1


# an epoch counts as an improvement if it is below the epoch before, not below the best
def wrong_second_against_previous_epoch(validation_losses, patience):
    best, waited = 0, 0
    for epoch in range(1, len(validation_losses)):
        if validation_losses[epoch] < validation_losses[epoch - 1]:
            waited = 0
        else:
            waited += 1
        if validation_losses[epoch] < validation_losses[best]:
            best = epoch
        if waited == patience:
            return best, epoch
    return best, len(validation_losses) - 1


# an equal loss counts as an improvement and is kept
def wrong_second_equal_is_improvement(validation_losses, patience):
    best = 0
    for epoch, loss in enumerate(validation_losses):
        if loss <= validation_losses[best]:
            best = epoch
        elif epoch - best == patience:
            return best, epoch
    return best, len(validation_losses) - 1


# a loss of nan is skipped as if it were not there and does not count as an epoch without improvement
def wrong_second_nan_resets_the_count(validation_losses, patience):
    best, waited = 0, 0
    for epoch in range(1, len(validation_losses)):
        loss = validation_losses[epoch]
        if math.isnan(loss):
            continue
        if loss < validation_losses[best]:
            best, waited = epoch, 0
        else:
            waited += 1
            if waited >= patience:
                return best, epoch
    return best, len(validation_losses) - 1


# a best loss of 0.0 is taken for "none yet"
def wrong_falsy(validation_losses, patience):
    best, kept = None, 0
    for e, loss in enumerate(validation_losses):
        if not best or loss < best:
            best, kept = loss, e
        if e - kept >= patience:
            return kept, e
    return kept, len(validation_losses) - 1


# best begins at 10.0: losses above it never improve, and all stay at epoch 0
def wrong_start_10(validation_losses, patience):
    best, kept = 10.0, 0
    for e, loss in enumerate(validation_losses):
        if loss < best:
            best, kept = loss, e
        if e - kept >= patience:
            return kept, e
    return kept, len(validation_losses) - 1
