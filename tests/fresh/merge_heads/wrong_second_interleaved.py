# the components of the heads alternate
def merge_heads(x):
    return x.permute(0, 2, 3, 1).flatten(start_dim=2)
