"""Wrong answers to find_the_leak: probes that change too little, compare too little, or do something else.

Each is a right answer with one mistake, written out as a student would submit it.
"""

from __future__ import annotations

import torch


def last_only(forward, x):
    """You change only the last position. A function may read a later position that is
    not the last. Try every s. (A lambda reads s when it is called: after a loop, the last one.)
    """
    changed = x.clone()
    changed[:, -1] = torch.randn_like(changed[:, -1])
    return not torch.equal(forward(changed)[:, :-1], forward(x)[:, :-1])


def first_output_only(forward, x):
    """You compare only the first output. A function may leak at later positions only.
    Compare everything before the change, for every s. (A return in a loop may end it after one s.)
    """
    changed = x.clone()
    changed[:, 1:] = torch.randn_like(changed[:, 1:])
    return not torch.equal(forward(changed)[:, 0], forward(x)[:, 0])


def first_row_changed(forward, x):
    """You change or compare only the first row of the batch, so a leak inside another row is not found.
    Change all rows, and compare all.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[0, s:] = torch.randn_like(changed[0, s:])
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return True
    return False


def first_row_compared(forward, x):
    """You change or compare only the first row of the batch, so a leak inside another row is not found.
    Change all rows, and compare all.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[0, :s], before[0, :s]):
            return True
    return False


def one_component_changed(forward, x):
    """You change only one component of the later vectors.
    A function may read another one. Change all components.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:, min(2, x.shape[2] - 1)] = torch.randn(len(x), x.shape[1] - s, dtype=x.dtype)
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return True
    return False


def one_component_compared(forward, x):
    """You compare only one component of the outputs.
    The future may reach another one. Compare all components.
    """
    before, c = forward(x), min(2, x.shape[2] - 1)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, :s, c], before[:, :s, c]):
            return True
    return False


def one_added(forward, x):
    """You add the same number to all components of the future. A LayerNorm subtracts it again, so a leak
    behind one is not found. Use new random numbers.
    """
    before = forward(x)
    added = [torch.cat((x[:, :s], x[:, s:] + 1), dim=1) for s in range(1, x.shape[1])]
    return any(not torch.equal(forward(each)[:, :s], before[:, :s]) for s, each in enumerate(added, 1))


def doubled(forward, x):
    """You multiply the future by a positive number. A sign or a direction does not depend on it, so a
    function that reads only these is not found. Use new random numbers.
    """
    before = forward(x)
    doubles = [torch.cat((x[:, :s], 2 * x[:, s:]), dim=1) for s in range(1, x.shape[1])]
    return any(not torch.equal(forward(each)[:, :s], before[:, :s]) for s, each in enumerate(doubles, 1))


def gradient_of_the_sum(forward, x):
    """You use gradients, or change the inputs very little. A function that uses only the sign of a later
    number is not found so. Change the later inputs to new random numbers, and compare outputs.
    """
    x = x.clone().requires_grad_()
    for t in range(x.shape[1]):
        (gradient,) = torch.autograd.grad(forward(x)[:, t].sum(), x)
        if gradient[:, t + 1 :].abs().sum() > 0:
            return True
    return False


def in_the_middle(forward, x):
    """You split the row only in the middle, so a leak between two neighbours in one half
    is not found. Try every s.
    """
    s = (x.shape[1] + 1) // 2
    changed = x.clone()
    changed[:, s:] = torch.randn_like(changed[:, s:])
    return not torch.equal(forward(changed)[:, :s], forward(x)[:, :s])


def coarse(forward, x):
    """Your probe lets small changes pass: a leak of one part in a million is not found, and training can use
    it. Your tolerance is too large (1e-5 by default in allclose),
    or you average the changes. In float64,
    1e-9 is enough.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.allclose(forward(changed)[:, :s], before[:, :s]):
            return True
    return False


def signs_turned(forward, x):
    """You only change the signs of the future, or the order of its numbers. A norm depends on neither, so a
    function that divides by the norm of the row is not found. Use new random numbers.
    """
    before = forward(x)
    negatives = [torch.cat((x[:, :s], -x[:, s:]), dim=1) for s in range(1, x.shape[1])]
    return any(not torch.equal(forward(each)[:, :s], before[:, :s]) for s, each in enumerate(negatives, 1))


def turned_round(forward, x):
    """You only reorder the future. A mean or a norm over the row keeps (nearly) its value then.
    Use new random numbers.
    """
    before = forward(x)
    turned = [torch.cat((x[:, :s], x[:, s:].flip(1)), dim=1) for s in range(1, x.shape[1])]
    return any((forward(each) - before)[:, :s].abs().max() > 1e-9 for s, each in enumerate(turned, 1))


def next_only(forward, x):
    """You change position t + 1 only and look at t, so a function that reads t + 2 is not found.
    Change everything from s on.
    """
    before = forward(x)
    for t in range(x.shape[1] - 1):
        changed = x.clone()
        changed[:, t + 1] = torch.randn_like(changed[:, t + 1])
        if not torch.equal(forward(changed)[:, t], before[:, t]):
            return True
    return False


def own_row_only(forward, x):
    """You change one row of the batch and look at that row. The future can also come from later positions of
    another row. Change all rows, and compare all.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[0, s:] = torch.randn_like(changed[0, s:])
        if not torch.equal(forward(changed)[0, :s], before[0, :s]):
            return True
    return False


def rows_must_not_mix(forward, x):
    """You report every function that reads another row of the batch. The same position or an earlier one of
    another row is not the future.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return True
    changed = x.clone()
    changed[0] = torch.randn_like(changed[0])
    return not torch.equal(forward(changed)[1:], before[1:])


def poison(forward, x):
    """You write nan into the future. A masked weight is 0,
    but 0 · nan is nan, so correct attention seems to leak. Use numbers.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = float("nan")
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return True
    return False


def with_the_changed_one(forward, x):
    """You also compare position s, which you changed yourself, so its output changes.
    Compare only what is before it.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, : s + 1], before[:, : s + 1]):
            return True
    return False


def whole_output(forward, x):
    """You compare whole outputs, and after the change they may differ. If you change the input from s on,
    compare what is before s.
    """
    before = forward(x)
    changes = [torch.cat((x[:, :s], torch.randn_like(x[:, s:])), dim=1) for s in range(1, x.shape[1])]
    return not all(torch.equal(forward(changed), before) for changed in changes)


def in_place(forward, x):
    """You change x itself, so earlier positions are changed, too: one change adds to the next, and
    one that is taken back leaves other last bits. Change x.clone().
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        x[:, s:] = torch.randn_like(x[:, s:])
        if not torch.equal(forward(x)[:, :s], before[:, :s]):
            return True
    return False


def copy_unused(forward, x):
    """Your probe never finds a leak. Change x.clone() and not x, call the function on it, and compare the two
    outputs where their inputs are still equal.
    """
    for s in range(1, x.shape[1]):
        changed = x
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, :s], forward(x)[:, :s]):
            return True
    return False


def innocent(forward, x):
    """Your answer is inverted: return True if the function does read the future."""
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return False
    return True


def the_past(forward, x):
    """You change the past and look at what comes after it. That is what attention is for. Change the input
    from s on, and compare what is before s.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, :s] = torch.randn_like(changed[:, :s])
        if not torch.equal(forward(changed)[:, s:], before[:, s:]):
            return True
    return False


def only_upwards(forward, x):
    """You look for outputs that become larger, and a leak may make them smaller.
    Compare absolute values, or bit for bit.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        other = torch.cat((x[:, :s], torch.zeros_like(x[:, s:])), dim=1)
        if (forward(other) - before)[:, :s].max() > 1e-9:
            return True
    return False


def as_many_cuts_as_components(forward, x):
    """You try as many places as x has components. Change the input after every position: range over
    `x.shape[1]`.
    """
    before = forward(x)
    for s in range(1, x.shape[2]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return True
    return False


def shorter_inputs(forward, x):
    """You call the function with inputs of other lengths. What it computes may depend on the length, although
    it reads no later position. Keep the shape of x, and change its numbers.
    """
    whole = forward(x)
    return any(
        not torch.allclose(forward(x[:, :s]), whole[:, :s], rtol=0, atol=1e-9) for s in range(1, x.shape[1])
    )


def each_row_alone(forward, x):
    """You give the function one row of the batch at a time. A row may read later positions of other rows:
    keep the shape of x.
    """
    for row in x.split(1):
        before = forward(row)
        for s in range(1, row.shape[1]):
            changed = row.clone()
            changed[:, s:] = torch.randn_like(changed[:, s:])
            if not torch.equal(forward(changed)[:, :s], before[:, :s]):
                return True
    return False


REJECTED = (
    *(
        last_only,
        first_output_only,
        in_the_middle,
        coarse,
        signs_turned,
        turned_round,
        next_only,
        own_row_only,
    ),
    *(whole_output, in_place),
    *(rows_must_not_mix, poison, with_the_changed_one, copy_unused, innocent, the_past),
    *(first_row_changed, one_added, doubled, gradient_of_the_sum, only_upwards, as_many_cuts_as_components),
    *(shorter_inputs, each_row_alone, first_row_compared, one_component_changed, one_component_compared),
)
