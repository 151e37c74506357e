# replaces nan in the given list
def early_stopping(validation_losses, patience):
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
