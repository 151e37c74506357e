# One below the other.
def one_big_projection(small):
    return torch.cat(tuple(small), dim=0)
