# keeps the best of the whole list
def early_stopping(validation_losses, patience):
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
