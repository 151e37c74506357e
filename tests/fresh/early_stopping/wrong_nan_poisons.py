# min with nan: once nan is the best, nothing improves
def early_stopping(validation_losses, patience):
    best, kept = validation_losses[0], 0
    for e, loss in enumerate(validation_losses[1:], 1):
        if not loss >= best:
            best, kept = loss, e
        elif e - kept >= patience:
            return kept, e
    return kept, len(validation_losses) - 1
