# counts the real tokens and takes that many from the start of the row
def masked_mean(hidden, mask):
    lengths = mask.sum(dim=1).tolist()
    return torch.stack([row[:n].mean(dim=0) for row, n in zip(hidden, lengths)])
