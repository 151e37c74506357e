# the last epoch is the length of the list if it never stops
def early_stopping(validation_losses, patience):
    best, kept, waited = validation_losses[0], 0, 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if loss < best:
            best, kept, waited = loss, e, 0
        else:
            waited += 1
            if waited == patience:
                return kept, e
    return kept, len(validation_losses)
