# a loss of nan is skipped as if it were not there and does not count as an epoch without improvement
def early_stopping(validation_losses, patience):
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
