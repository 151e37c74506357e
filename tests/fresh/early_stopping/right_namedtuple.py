# a named tuple is returned
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
