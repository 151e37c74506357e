# An array of −2 into which slices are written; numpy inside.
def gather_corruption(length, start, masked, block_size):
    out = np.full((len(length), block_size), -2)
    for b in range(len(length)):
        n, s, m = int(length[b]), int(start[b]), int(masked[b])
        out[b, :s] = np.arange(s)
        out[b, s] = -1
        out[b, s + 1 : n - m + 1] = np.arange(s + m, n)
        out[b, n - m + 1] = -1
        out[b, n - m + 2 : n + 2] = np.arange(s, s + m)
    return torch.from_numpy(out)
