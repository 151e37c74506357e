# selects the real tokens of each row with a boolean index and stacks the means
def masked_mean(hidden, mask):
    return torch.stack([row[real == 1].mean(dim=0) for row, real in zip(hidden, mask)])
