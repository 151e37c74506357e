# counted in a simulation
def two_head_failure():
    torch.manual_seed(0)
    epsilon = 1 + math.sqrt(0.5) * torch.randn(1_000_000)
    return float((epsilon < 0).double().mean())
