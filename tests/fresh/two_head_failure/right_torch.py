# a torch number in float64
def two_head_failure():
    return torch.distributions.Normal(torch.tensor(1.0, dtype=torch.float64), math.sqrt(0.5)).cdf(torch.tensor(0.0, dtype=torch.float64))
