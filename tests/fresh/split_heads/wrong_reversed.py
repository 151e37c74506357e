# Heads in reverse order.
def split_heads(x, n_head):
    return torch.stack(x.chunk(n_head, dim=-1)[::-1], dim=1)
