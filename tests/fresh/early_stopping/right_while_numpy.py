# numpy array and a while loop; numpy integers are returned
def early_stopping(validation_losses, patience):
    losses = np.array(validation_losses, dtype=float)
    losses[np.isnan(losses)] = np.inf
    best = e = np.int64(0)
    while e + 1 < len(losses) and e - best < patience:
        e += 1
        if losses[e] < losses[best]:
            best = e
    return best, e
