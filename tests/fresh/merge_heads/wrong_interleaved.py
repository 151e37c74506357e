# Component before head.
def merge_heads(x):
    return x.permute(0, 2, 3, 1).flatten(2)
