# compares with the epoch before, not with the best
def early_stopping(validation_losses, patience):
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
