# looks at each prefix anew: slow but plain
def early_stopping(validation_losses, patience):
    for last in range(len(validation_losses)):
        seen = [math.inf if math.isnan(x) else x for x in validation_losses[: last + 1]]
        kept = seen.index(min(seen))
        if last - kept >= patience:
            break
    return kept, last
