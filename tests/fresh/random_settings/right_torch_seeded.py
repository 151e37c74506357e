# torch with a seed from rng; log in base 2
def random_settings(count, low, high, batch_sizes, rng):
    g = torch.Generator().manual_seed(rng.randrange(2**40))
    a, b = math.log2(low), math.log2(high)
    rates = torch.exp2(a + (b - a) * torch.rand(count, generator=g, dtype=torch.float64)).tolist()
    which = torch.randint(len(batch_sizes), (count,), generator=g).tolist()
    return [{"learning_rate": r, "batch_size": batch_sizes[w]} for r, w in zip(rates, which)]
