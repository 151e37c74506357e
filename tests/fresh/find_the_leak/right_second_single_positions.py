# changes one later position of one row at a time, in several ways
def find_the_leak(forward, x):
    B, T, d = x.shape
    kept = x.detach().clone()

    def run(rows):
        with torch.no_grad():
            return forward(rows).detach().clone()

    base = run(kept.clone())
    rng = np.random.default_rng(5)
    for b in range(B):
        for later in range(1, T):
            trials = [-kept[b, later], kept[b, later] + 1.0, kept[b, later] * 50.0]
            trials += [torch.from_numpy(rng.normal(size=d) * scale) for scale in (1, 1, 1, 1, 30, 30)]
            for trial in trials:
                other = kept.clone()
                other[b, later] = trial
                if (run(other)[:, :later] != base[:, :later]).any():
                    return True
    return False
