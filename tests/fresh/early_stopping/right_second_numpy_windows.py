# running minima with numpy, nan replaced by infinity; first epoch whose window has no record
def early_stopping(validation_losses, patience):
    losses = np.array(validation_losses, dtype=float)
    losses[np.isnan(losses)] = np.inf
    lowest = np.minimum.accumulate(losses)
    record = np.ones(len(losses), dtype=bool)
    record[1:] = losses[1:] < lowest[:-1]
    last = len(losses) - 1
    for epoch in range(patience, len(losses)):
        if not record[epoch - patience + 1 : epoch + 1].any():
            last = epoch
            break
    kept = int(np.flatnonzero(record[: last + 1])[-1])
    return kept, last
