# the heads side by side
def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)
