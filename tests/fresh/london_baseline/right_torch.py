# a float32 mean, left a tensor of no dimension
def london_baseline(pairs):
    return torch.tensor([place == "London" for _, place in pairs]).float().mean()
