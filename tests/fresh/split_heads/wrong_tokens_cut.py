# The tokens are cut, not the components.
def split_heads(x, n_head):
    return torch.stack(x.chunk(n_head, dim=1), dim=1)
