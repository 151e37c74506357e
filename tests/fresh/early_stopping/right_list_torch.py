# torch.cummin-free version with a list as the pair and torch integers
def early_stopping(validation_losses, patience):
    t = torch.tensor(validation_losses, dtype=torch.float64).nan_to_num(nan=math.inf)
    since = 0
    best = torch.tensor(0)
    for e in range(1, len(t)):
        improved = bool(t[e] < t[best])
        best, since = (torch.tensor(e), 0) if improved else (best, since + 1)
        if since >= patience:
            return [best, torch.tensor(e)]
    return [best, torch.tensor(len(t) - 1)]
