# float32 on the way
def exposures(law, start, stop, epochs):
    L, m = torch.tensor(list(law)).T
    p = torch.tensor(list(law.values()))
    good = (torch.minimum(torch.tensor(start), L - m) - (stop - m).clamp(min=0) + 1).clamp(min=0)
    return (epochs * (p * good / (L - m + 1)).sum()).item()
