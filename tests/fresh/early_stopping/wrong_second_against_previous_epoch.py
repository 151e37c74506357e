# an epoch counts as an improvement if it is below the epoch before, not below the best
def early_stopping(validation_losses, patience):
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
