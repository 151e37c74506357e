# Heads in reverse order.
def merge_heads(x):
    return torch.cat([x[:, j] for j in reversed(range(x.shape[1]))], dim=-1)
