# starts with epoch 1 as the first best
def early_stopping(validation_losses, patience):
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
