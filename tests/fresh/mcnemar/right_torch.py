# torch tensors for the counts and a zero-dimensional float64 tensor for p
def mcnemar(first, second):
    f, s = torch.tensor(first, dtype=torch.bool), torch.tensor(second, dtype=torch.bool)
    b, c = int((f > s).sum()), int((f < s).sum())
    n = b + c
    p = torch.tensor([math.comb(n, i) / 2**n for i in range(min(b, c) + 1)], dtype=torch.float64).sum() * 2
    return b, c, float(p.clamp(max=1))
