# Column by column: what the heads do with the identity.
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def one_big_projection(small):
    identity = torch.eye(small.shape[1], dtype=small.dtype)
    return merge_heads((identity @ small)[None])[0]
