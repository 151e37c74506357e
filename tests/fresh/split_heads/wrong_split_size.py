# split takes a size, not a number of parts.
def split_heads(x, n_head):
    return torch.stack(x.split(n_head, dim=-1), dim=1)
