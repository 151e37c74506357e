# From the last head to the first.
def one_big_projection(small):
    return torch.cat(tuple(small.flip(0)), dim=1)
