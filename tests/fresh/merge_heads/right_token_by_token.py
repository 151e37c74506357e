# One token at a time.
def merge_heads(x):
    return torch.stack([x[:, :, t].reshape(len(x), -1) for t in range(x.shape[2])], dim=1)
