# Divided by the number of heads.
def one_big_projection(small):
    return torch.cat(tuple(small), dim=-1) / len(small)
