# The matrices as a list, side by side.
def one_big_projection(small):
    return torch.cat([each for each in small], dim=1)
