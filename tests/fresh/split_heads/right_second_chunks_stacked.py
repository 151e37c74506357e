# equal pieces of the last axis, stacked as a new axis
def split_heads(x, n_head):
    pieces = torch.chunk(x, n_head, dim=-1)
    return torch.stack(pieces, dim=1)
