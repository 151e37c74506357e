# the mean over all places
def masked_mean(hidden, mask):
    return hidden.mean(dim=1)
