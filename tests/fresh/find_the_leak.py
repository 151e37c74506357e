"""Fresh answers to find_the_leak, part 1 of 2."""


# any() over a generator, with numpy for the comparison.
def right_any_of_a_generator(forward, x):
    y = forward(x.clone()).numpy()

    def later(s, size):
        return torch.cat((x[:, :s], size * torch.randn(x[:, s:].shape, dtype=x.dtype)), dim=1)

    return any(
        not np.array_equal(forward(later(s, size)).numpy()[:, :s], y[:, :s])
        for s in range(1, x.shape[1])
        for size in (0.1, 1.0, 10.0)
    )


# Compares the outputs byte by byte.
def right_bytes(forward, x):
    def past(y, s):
        return np.ascontiguousarray(forward(y).detach().numpy()[:, :s]).tobytes()

    for s in range(1, x.shape[1]):
        for _ in range(4):
            y = torch.where(torch.arange(x.shape[1])[None, :, None] >= s, torch.randn_like(x), x)
            if past(y, s) != past(x, s):
                return True
    return False


# Changes x itself and puts the old numbers back.
def right_changes_and_restores(forward, x):
    before = forward(x).clone()
    old = x.clone()
    leak = False
    for s in range(1, x.shape[1]):
        for _ in range(3):
            x[:, s:] = torch.randn_like(x[:, s:])
            leak = leak or not torch.equal(forward(x)[:, :s], before[:, :s])
            x.copy_(old)
    return leak


# Replaces one position at a time, several times.
def right_each_position_alone(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        for _ in range(5):
            other = x.clone()
            other[:, s] = torch.randn_like(other[:, s])
            if not torch.equal(forward(other)[:, :s], before[:, :s]):
                return True
    return False


# Each row of the batch by itself, and each position: every earlier output of every row is compared.
def right_row_by_row(forward, x):
    B, T, d = x.shape
    base = forward(x)
    found = False
    for b in range(B):
        for t in range(T - 1, 0, -1):
            for _ in range(4):
                changed = x.clone()
                changed[b, t:] = 2 * torch.randn(T - t, d, dtype=torch.float64)
                found |= bool((forward(changed)[:, :t] != base[:, :t]).any())
    return found


# Seeds torch first, so that the probe gives the same answer in each run.
def right_seeded_inside(forward, x):
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


# Compares with a tolerance of 1e-10.
def right_small_tolerance(forward, x):
    out = forward(x)
    for s in range(1, x.shape[1]):
        for _ in range(5):
            new = torch.cat([x[:, :s], torch.randn_like(x[:, s:])], 1)
            if not torch.allclose(forward(new)[:, :s], out[:, :s], rtol=0, atol=1e-10):
                return True
    return False


# for each cut, several replaced futures; earlier outputs compared exactly
def right_second_many_futures(forward, x):
    original = x.detach().clone()
    generator = torch.Generator().manual_seed(17)
    with torch.no_grad():
        before = forward(original.clone()).clone()
        T = x.shape[1]
        for cut in range(1, T):
            tail = original[:, cut:]
            noise = [torch.randn(tail.shape, generator=generator, dtype=torch.float64) * size for size in (1.0, 1.0, 10.0, 100.0) * 4]
            for new in (-tail, 2 * tail + 1, *noise):
                changed = original.clone()
                changed[:, cut:] = new
                if not torch.equal(forward(changed)[:, :cut], before[:, :cut]):
                    return True
    return False


# changes one later position of one row at a time, in several ways
def right_second_single_positions(forward, x):
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


# Puts all changed inputs into one batch, so the rows meet.
def wrong_all_in_one_batch(forward, x):
    B, T, d = x.shape
    others = [x]
    for s in range(1, T):
        other = x.clone()
        other[:, s:] = torch.randn_like(other[:, s:])
        others.append(other)
    out = forward(torch.cat(others)).unflatten(0, (T, B))
    return any(not torch.allclose(out[s, :, :s], out[0, :, :s], rtol=0, atol=1e-9) for s in range(1, T))


# Calls forward.eval(), which a plain function does not have.
def wrong_calls_eval(forward, x):
    forward.eval()
    before = forward(x)
    for s in range(1, x.shape[1]):
        other = x.clone()
        other[:, s:] = torch.randn_like(other[:, s:])
        if not torch.equal(forward(other)[:, :s], before[:, :s]):
            return True
    return False


# Changes the second half only.
def wrong_cut_in_the_middle(forward, x):
    s = x.shape[1] // 2
    for _ in range(10):
        other = x.clone()
        other[:, s:] = torch.randn_like(other[:, s:])
        if not torch.equal(forward(other)[:, :s], forward(x)[:, :s]):
            return True
    return False


# allclose with its own tolerance, which lets a millionth pass.
def wrong_default_tolerance(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        for _ in range(5):
            other = x.clone()
            other[:, s:] = torch.randn_like(other[:, s:])
            if not torch.allclose(forward(other)[:, :s], before[:, :s]):
                return True
    return False


# Doubles the later positions.
def wrong_doubled(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        other = x.clone()
        other[:, s:] *= 2
        if not torch.equal(forward(other)[:, :s], before[:, :s]):
            return True
    return False


# Only every second cut.
def wrong_every_second_cut(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1], 2):
        for _ in range(4):
            other = x.clone()
            other[:, s:] = torch.randn_like(other[:, s:])
            if not torch.equal(forward(other)[:, :s], before[:, :s]):
                return True
    return False


# tries four places only
def wrong_fourth_first_two_and_last(forward, x):
    y = forward(x); T = x.shape[1]
    for s in {1, 2, T - 1, T // 2} - {0, T}:
        z = x.clone(); z[:, s:] = torch.randn_like(z[:, s:])
        if s < T and not torch.equal(forward(z)[:, :s], y[:, :s]): return True
    return False


# Changes x, and puts it back only after a step that found nothing.
def wrong_fifth_put_back_late(forward, x):
    before, kept = forward(x), x.clone()
    for s in range(1, x.shape[1]):
        x[:, s:] = torch.randn_like(x[:, s:])
        if not torch.equal(forward(x.clone())[:, :s], before[:, :s]):
            return True
        x.copy_(kept)
    return False


# the future in reverse order, positions and components
def wrong_fifth_permutes(forward, x):
    before = forward(x.clone()).clone()
    for t in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, t:] = changed[:, t:].flip(1).flip(2)
        if not torch.allclose(forward(changed)[:, :t], before[:, :t], rtol=0, atol=1e-12):
            return True
    return False


# Adds numbers to x itself and takes them off again: other last bits stay.
def wrong_eighth_rounding_in_x(forward, x):
    before = forward(x.clone())
    found = False
    for cut in range(1, x.shape[1]):
        for size in (1.37, -2.9, 40.1):
            x[:, cut:] += size
            found |= not torch.equal(forward(x.clone())[:, :cut], before[:, :cut])
            x[:, cut:] -= size
    return found


# The future becomes zero: whether a negative number is positive stays False.
def wrong_eleventh_zeros(forward, x):
    before = forward(x.clone())
    for cut in range(1, x.shape[1]):
        y = x.clone()
        y[:, cut:] = 0.0
        if not torch.equal(forward(y)[:, :cut], before[:, :cut]):
            return True
    return False
