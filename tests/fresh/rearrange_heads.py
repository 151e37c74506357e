"""Fresh answers to rearrange_heads."""


# Chooses from the list of all orders.
right_all_orders = """
import itertools


def rearrange_heads(heads, how):
    n = heads.shape[1]
    if how == "shuffle":
        order = random.choice(list(itertools.permutations(range(n))))
    else:
        order = [*range(-1, n - 1)]
    return heads[:, list(order)]
"""


# Swaps by hand, each with one of the places not yet done.
def right_fisher_yates(heads, how):
    n = heads.shape[1]
    order = [(i - 1) % n for i in range(n)]
    if how == "shuffle":
        for i in range(n - 1, 0, -1):
            j = int(torch.randint(0, i + 1, ()))
            order[i], order[j] = order[j], order[i]
    return heads[:, order, :, :]


# Heads to the front, reordered, and back: a view with other strides.
def right_not_contiguous(heads, how):
    front = heads.transpose(0, 1)
    n = len(front)
    picks = random.sample(range(n), k=n) if how == "shuffle" else [n - 1] + list(range(n - 1))
    return front[picks].transpose(0, 1)


# An order from numpy's global generator.
def right_numpy_order(heads, how):
    n = heads.shape[1]
    order = np.random.permutation(n) if how == "shuffle" else np.roll(np.arange(n), 1)
    return heads[:, torch.from_numpy(order)]


# The heads themselves in numpy; the statement does not speak of gradients.
def right_numpy_tensor(heads, how):
    a = heads.detach().numpy()
    if how == "shift":
        return torch.tensor(np.roll(a, 1, axis=1))
    return torch.tensor(a[:, np.random.permutation(a.shape[1])])


# A product with a permutation matrix.
def right_permutation_matrix(heads, how):
    n = heads.shape[1]
    eye = torch.eye(n, dtype=heads.dtype)
    P = eye.roll(1, 0) if how == "shift" else eye[torch.randperm(n)]
    return torch.einsum("ij,bjtd->bitd", P, heads)


# Python's random.shuffle on a list of heads, stacked again.
def right_python_shuffle(heads, how):
    each = list(heads.unbind(1))
    if how == "shift":
        each.insert(0, each.pop())
    else:
        random.shuffle(each)
    return torch.stack(each, dim=1)


# Sorting random numbers gives a random order.
def right_random_keys(heads, how):
    match how:
        case "shift":
            return torch.cat([heads[:, -1:], heads[:, :-1]], dim=1)
        case "shuffle":
            return heads.index_select(1, torch.rand(heads.size(1)).argsort())


# an index array: shifted by modular arithmetic, shuffled by numpy's global generator
def right_second_numpy_order(heads, how):
    n = heads.shape[1]
    order = (np.arange(n) - 1) % n
    if how == "shuffle":
        np.random.shuffle(order)
    return heads.index_select(1, torch.as_tensor(order, device=heads.device))


# unbinds the heads and stacks them in the order of a list
def right_second_stack_with_sample(heads, how):
    each = list(heads.unbind(dim=1))
    if how == "shift":
        each.insert(0, each.pop())
    else:
        each = random.sample(each, k=len(each))
    return torch.stack(each, dim=1)


# The shift is written into the caller's tensor.
def wrong_heads_changed(heads, how):
    if how == "shift":
        last = heads[:, -1].clone()
        heads[:, 1:] = heads[:, :-1].clone()
        heads[:, 0] = last
        return heads
    return heads[:, torch.randperm(heads.shape[1])]


# Swaps each place with any place, so some orders are likelier than others.
def wrong_naive_swaps(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return heads.roll(1, dims=1)
    order = list(range(n))
    for i in range(n):
        j = random.randrange(n)
        order[i], order[j] = order[j], order[i]
    return heads[:, order]


# Draws again if nothing has moved.
def wrong_never_the_old_order(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return heads.roll(1, dims=1)
    order = list(range(n))
    while n > 1 and order == list(range(n)):
        random.shuffle(order)
    return heads[:, order]


# Sattolo's swaps: no head ever stays in its place.
def wrong_one_cycle(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return heads.roll(1, dims=1)
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = random.randrange(i)
        order[i], order[j] = order[j], order[i]
    return heads[:, order]


# A shuffle that only turns the heads around by a random step.
def wrong_only_turned(heads, how):
    n = heads.shape[1]
    return heads.roll(1 if how == "shift" else random.randrange(n), dims=1)


# Each row of the batch has its own order.
def wrong_order_for_each_row(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    return torch.stack([row[torch.randperm(len(row))] for row in heads])


# Draws once for each number of heads and keeps the order.
wrong_order_kept_by_size = """
ORDER = {}


def rearrange_heads(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return heads.roll(1, dims=1)
    if n not in ORDER:
        ORDER[n] = torch.randperm(n)
    return heads[:, ORDER[n]]
"""


# Goes through all orders one after the other: nothing is drawn.
wrong_orders_in_turn = """
import itertools

COUNT = itertools.count()


def rearrange_heads(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return heads.roll(1, dims=1)
    orders = list(itertools.permutations(range(n)))
    return heads[:, list(orders[next(COUNT) * 7 % len(orders)])]
"""


# A fresh generator of numpy, not a global one.
def wrong_own_generator(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    return heads[:, np.random.default_rng().permutation(heads.shape[1])]


# Seeds the global generator from the clock at every call.
wrong_seeds_from_clock = """
import time


def rearrange_heads(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    torch.manual_seed(time.time_ns() % 2**31)
    return heads[:, torch.randperm(heads.shape[1])]
"""


# The shuffle is written into the caller's tensor.
def wrong_shuffle_in_place(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    heads[:] = heads[:, torch.randperm(heads.shape[1])]
    return heads


# random.shuffle on a tensor: swapped views overwrite each other.
def wrong_shuffles_the_tensor(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    out = heads.transpose(0, 1).clone()
    random.shuffle(out)
    return out.transpose(0, 1)


# The shift is written down for three heads.
def wrong_three_heads_only(heads, how):
    if how == "shift":
        return heads[:, [2, 0, 1]]
    return heads[:, torch.randperm(heads.shape[1])]


# Each head moves to the place before.
def wrong_to_the_left(heads, how):
    if how == "shift":
        return heads.roll(-1, dims=1)
    return heads[:, torch.randperm(heads.shape[1])]


# a naive shuffle that swaps with any place: the orders are not equally likely
def wrong_second_naive_swaps(heads, how):
    n = heads.shape[1]
    order = list(range(n))
    if how == "shift":
        order = order[-1:] + order[:-1]
    else:
        for i in range(n):
            j = random.randrange(n)
            order[i], order[j] = order[j], order[i]
    return heads[:, order].clone()


# draws another order for every row of the batch
def wrong_second_order_per_row(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    return torch.stack([row[torch.randperm(len(row))] for row in heads])


# the shift goes the other way: the first head to the last place
def wrong_second_shift_backwards(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return torch.cat([heads[:, 1:], heads[:, :1]], dim=1)
    return heads[:, torch.randperm(n)]


# "Return a new tensor": one head comes back as the same tensor
def wrong_alias_for_one_head(heads, how):
    if heads.shape[1] == 1:
        return heads
    if how == "shift":
        return heads.roll(1, 1)
    return heads[:, torch.randperm(heads.shape[1])]


# "do not seed it"
def wrong_seeds(heads, how):
    if how == "shift":
        return heads.roll(1, 1)
    torch.manual_seed(random.randrange(10**9))
    return heads[:, torch.randperm(heads.shape[1])]


# "in a random order": for more than four heads the last one stays
def wrong_last_stays(heads, how):
    h = heads.shape[1]
    if how == "shift":
        return heads.roll(1, 1)
    return heads[:, torch.cat((torch.randperm(h - 1), torch.tensor([h - 1])))] if h > 4 else heads[:, torch.randperm(h)]


# "all orders are equally likely": two heads always change places
def wrong_two_heads_swap(heads, how):
    h = heads.shape[1]
    if how == "shift" or h == 2:
        return heads.roll(1, 1)
    return heads[:, torch.randperm(h)]


# "do not seed it": numpy
def wrong_numpy_seed(heads, how):
    if how == "shift":
        return heads.roll(1, 1)
    np.random.seed(random.randrange(2**31))
    return heads[:, np.random.permutation(heads.shape[1])]


# Never the order of the call before.
wrong_not_the_last_one = """
_last = []


def rearrange_heads(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    order = torch.randperm(heads.shape[1])
    while heads.shape[1] > 1 and _last and torch.equal(order, _last[-1]):
        order = torch.randperm(heads.shape[1])
    _last[:] = [order]
    return heads[:, order]
"""


# more than four heads are only turned around
def wrong_fourth_rotations_beyond_4(heads, how):
    n = heads.shape[1]
    if how == "shift": return heads.roll(1, 1)
    return heads[:, torch.randperm(n)] if n <= 4 else heads.roll(random.randrange(n), 1)
