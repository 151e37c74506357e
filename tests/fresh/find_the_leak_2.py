"""Fresh answers to find_the_leak, part 2 of 2."""


# Compares the first channel of the outputs.
def wrong_first_channel(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        for _ in range(5):
            other = x.clone()
            other[:, s:] = torch.randn_like(other[:, s:])
            if not torch.equal(forward(other)[:, :s, 0], before[:, :s, 0]):
                return True
    return False


# Only asks the gradient, which is 0 for signs.
def wrong_jacobian(forward, x):
    J = torch.autograd.functional.jacobian(forward, x)
    B, T, d = x.shape
    for t in range(T):
        if J[:, t, :, :, t + 1 :].abs().sum() > 0:
            return True
    return False


# Changes the last position only.
def wrong_last_position_only(forward, x):
    other = x.clone()
    other[:, -1] = torch.randn_like(other[:, -1])
    return not torch.equal(forward(other)[:, :-1], forward(x)[:, :-1])


# Turns the signs of the later positions round.
def wrong_negated(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        other = x.clone()
        other[:, s:] = -other[:, s:]
        if not torch.equal(forward(other)[:, :s], before[:, :s]):
            return True
    return False


# Compares position s - 1 with a change at s only.
def wrong_next_position_only(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        other = x.clone()
        other[:, s] = torch.randn_like(other[:, s])
        if not torch.equal(forward(other)[:, s - 1], before[:, s - 1]):
            return True
    return False


# Changes only channel 0 of the later positions.
def wrong_one_channel_changed(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        for _ in range(5):
            other = x.clone()
            other[:, s:, 0] = torch.randn_like(other[:, s:, 0])
            if not torch.equal(forward(other)[:, :s], before[:, :s]):
                return True
    return False


# Tries a single random cut.
def wrong_one_random_cut(forward, x):
    s = random.randrange(1, max(2, x.shape[1]))
    other = x.clone()
    other[:, s:] = torch.randn_like(other[:, s:])
    return not torch.equal(forward(other)[:, :s], forward(x)[:, :s])


# Changes a row and compares this row only.
def wrong_same_row_only(forward, x):
    before = forward(x)
    for b in range(x.shape[0]):
        for s in range(1, x.shape[1]):
            other = x.clone()
            other[b, s:] = torch.randn_like(other[b, s:])
            if not torch.equal(forward(other)[b, :s], before[b, :s]):
                return True
    return False


# Adds 1 to the later positions.
def wrong_shifted_by_one(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        other = x.clone()
        other[:, s:] += 1
        if not torch.equal(forward(other)[:, :s], before[:, :s]):
            return True
    return False


# Only puts the later positions into another order.
def wrong_shuffled_future(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        for _ in range(5):
            order = torch.cat((torch.arange(s), s + torch.randperm(x.shape[1] - s)))
            if not torch.equal(forward(x[:, order])[:, :s], before[:, :s]):
                return True
    return False


# Changes the later inputs by 1e-6 only, so signs stay.
def wrong_tiny_change(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        other = x.clone()
        other[:, s:] += 1e-6 * torch.randn_like(other[:, s:])
        if not torch.equal(forward(other)[:, :s], before[:, :s]):
            return True
    return False


# Right verdicts, but the caller's x has other numbers afterwards.
def wrong_x_stays_changed(forward, x):
    old = x.clone()
    before = forward(x).clone()
    for s in range(1, x.shape[1]):
        for _ in range(4):
            x[:, :] = old
            x[:, s:] = torch.randn_like(x[:, s:])
            if not torch.equal(forward(x.clone())[:, :s], before[:, :s]):
                return True
    return False


# changes the last position only, so a leak from the middle is missed
def wrong_second_last_position_only(forward, x):
    before = forward(x.clone())
    for factor in (-1.0, 0.0, 2.0, -30.0):
        changed = x.clone()
        changed[:, -1] = changed[:, -1] * factor + torch.randn_like(changed[:, -1])
        if not torch.equal(forward(changed)[:, :-1], before[:, :-1]):
            return True
    return False


# changes the future and looks at the outputs in row 0 only
def wrong_second_only_first_row(forward, x):
    before = forward(x.clone())
    for cut in range(1, x.shape[1]):
        for _ in range(8):
            changed = x.clone()
            changed[0, cut:] = torch.randn_like(changed[0, cut:]) * 3
            if not torch.equal(forward(changed)[0, :cut], before[0, :cut]):
                return True
    return False


# compares with allclose, whose default tolerance hides small leaks
def wrong_second_tolerance(forward, x):
    before = forward(x.clone())
    for cut in range(1, x.shape[1]):
        for _ in range(8):
            changed = x.clone()
            changed[:, cut:] = torch.randn_like(changed[:, cut:]) * 3
            if not torch.allclose(forward(changed)[:, :cut], before[:, :cut]):
                return True
    return False


# Gives each row of the batch to forward alone, so a leak from one row to another is not there.
def wrong_each_row_alone(forward, x):
    for row in x.split(1):
        before = forward(row)
        for s in range(1, row.shape[1]):
            for _ in range(4):
                other = row.clone()
                other[:, s:] = torch.randn_like(other[:, s:])
                if not torch.equal(forward(other)[:, :s], before[:, :s]):
                    return True
    return False


# Leaves the future out: forward gets shorter inputs.
def wrong_shorter_inputs(forward, x):
    whole = forward(x)
    for s in range(1, x.shape[1]):
        if (forward(x[:, :s]) - whole[:, :s]).abs().max() > 1e-9:
            return True
    return False


# x and the changed copy are two halves of one batch.
def wrong_two_in_one_batch(forward, x):
    B, T, d = x.shape
    for s in range(1, T):
        for _ in range(3):
            other = x.clone()
            other[:, s:] = torch.randn(B, T - s, d, dtype=x.dtype)
            first, second = forward(torch.cat([x, other])).chunk(2)
            if not torch.allclose(first[:, :s], second[:, :s], rtol=0, atol=1e-10):
                return True
    return False


# Compares sums of the outputs: changes can cancel.
def wrong_sum_compare(forward, x):
    before = forward(x.clone()).clone()
    for t in range(1, x.shape[1]):
        y = x.clone()
        y[:, t:] = -3 * y[:, t:] + 1
        if forward(y)[:, :t].sum() != before[:, :t].sum():
            return True
    return False
