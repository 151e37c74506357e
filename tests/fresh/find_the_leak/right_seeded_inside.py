# Seeds torch first, so that the probe gives the same answer in each run.
def find_the_leak(forward, x):
    torch.manual_seed(0)
    T = x.size(1)
    reference = forward(x)
    worst = torch.zeros((), dtype=torch.float64)
    for cut in range(T - 1):
        for scale in (0.5, 3.0):
            y = x.clone()
            y[:, cut + 1 :] = scale * torch.randn_like(y[:, cut + 1 :])
            worst = torch.maximum(worst, (forward(y) - reference)[:, : cut + 1].abs().max())
    return bool(worst > 0)
