# an equal loss counts as an improvement and is kept
def early_stopping(validation_losses, patience):
    best = 0
    for epoch, loss in enumerate(validation_losses):
        if loss <= validation_losses[best]:
            best = epoch
        elif epoch - best == patience:
            return best, epoch
    return best, len(validation_losses) - 1
