# torch tensors, in float32.
def is_it_a_difference(first, second):
    gaps = torch.tensor(first) - torch.tensor(second)
    n = len(gaps)
    t = gaps.mean() / gaps.std() * n**0.5
    return (t.abs() > t_quantile(0.975, n - 1)).item()
