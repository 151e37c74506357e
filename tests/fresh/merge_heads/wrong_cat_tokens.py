# The heads one below the other.
def merge_heads(x):
    return torch.cat(x.unbind(1), dim=1)
