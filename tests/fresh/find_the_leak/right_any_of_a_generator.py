# any() over a generator, with numpy for the comparison.
def find_the_leak(forward, x):
    y = forward(x.clone()).numpy()

    def later(s, size):
        return torch.cat((x[:, :s], size * torch.randn(x[:, s:].shape, dtype=x.dtype)), dim=1)

    return any(
        not np.array_equal(forward(later(s, size)).numpy()[:, :s], y[:, :s])
        for s in range(1, x.shape[1])
        for size in (0.1, 1.0, 10.0)
    )
