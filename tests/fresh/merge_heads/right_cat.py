# The heads side by side.
def merge_heads(x):
    return torch.cat(x.unbind(1), dim=-1)
