"""Fresh answers to permutation_p."""


# A sum over a generator.
def right_generator(fits, orders):
    n = fits.shape[0]
    real = sum(fits[i][i].item() for i in range(n))
    hits = sum(1 for r in orders if sum(fits[i][r[i]].item() for i in range(n)) >= real)
    return (hits + 1) / (orders.shape[0] + 1)


# gather along the answers.
def right_gather(fits, orders):
    table = fits.int().unsqueeze(0).expand(len(orders), -1, -1)
    dealt = table.gather(2, orders.unsqueeze(-1)).sum((1, 2))
    return (1 + (dealt >= fits.int().trace()).sum().item()) / (1 + dealt.numel())


# The flat table.
def right_flat(fits, orders):
    N = len(fits)
    flat = fits.reshape(-1).float()
    dealt = flat[torch.arange(N) * N + orders].sum(-1)
    own = flat[:: N + 1].sum()
    return torch.mean((torch.cat((own.view(1), dealt)) >= own).double())


# einsum with one-hot orders.
def right_einsum(fits, orders):
    hot = F.one_hot(orders, len(fits)).float()
    dealt = torch.einsum("rij,ij->r", hot, fits.float()).round()
    own = fits.diagonal().sum().float()
    return (1.0 + float((dealt >= own).sum())) / (1.0 + float(len(dealt)))


# Without the real order.
def wrong_without_the_real_one(fits, orders):
    n = torch.arange(len(fits))
    return ((fits[n, orders].sum(-1) >= fits.diagonal().sum()).sum() / len(orders)).item()


# > in place of ≥.
def wrong_strict(fits, orders):
    n = torch.arange(len(fits))
    return (1 + (fits[n, orders].sum(-1) > fits.diagonal().sum()).sum().item()) / (1 + len(orders))


# The transposed table.
def wrong_transposed(fits, orders):
    n = torch.arange(len(fits))
    return (1 + (fits.T[n, orders].sum(-1) >= fits.diagonal().sum()).sum().item()) / (1 + len(orders))


# Compares with the sum of the table.
def wrong_sum_of_table(fits, orders):
    n = torch.arange(len(fits))
    return (1 + (fits[n, orders].sum(-1) >= fits.sum() / len(fits)).sum().item()) / (1 + len(orders))


# Draws its own orders.
def wrong_own_orders(fits, orders):
    n = torch.arange(len(fits))
    mine = torch.stack([torch.randperm(len(fits)) for _ in range(len(orders))])
    return (1 + (fits[n, mine].sum(-1) >= fits.diagonal().sum()).sum().item()) / (1 + len(orders))


# A list of the numbers.
def wrong_numbers(fits, orders):
    n = torch.arange(len(fits))
    return fits[n, orders].sum(-1).tolist()


# The smaller tail.
def wrong_smaller_tail(fits, orders):
    n = torch.arange(len(fits))
    p = (1 + (fits[n, orders].sum(-1) >= fits.diagonal().sum()).sum().item()) / (1 + len(orders))
    return min(p, 1 - p)


# The real order is one row more.
def right_columns(fits, orders):
    scores = [fits[:, order].diagonal().sum() for order in [torch.arange(len(fits)), *orders]]
    return statistics.fmean(bool(score >= scores[0]) for score in scores)


# A product with one-hot orders.
def right_one_hot(fits, orders):
    P = F.one_hot(orders, len(fits)).double()
    counts = torch.einsum("rij,ij->r", P, fits.double())
    return float((counts >= fits.double().diagonal().sum() - 0.5).double().sum() + 1) / (orders.size(0) + 1)


# More than 255 fits do not go into a uint8.
def wrong_uint8(fits, orders):
    c = fits[torch.arange(len(fits)), orders].to(torch.uint8).sum(1, dtype=torch.uint8)
    return (1 + int((c >= fits.diagonal().to(torch.uint8).sum(dtype=torch.uint8)).sum())) / (1 + len(orders))


# An order that is the real one by chance is left out.
def wrong_without_identity(fits, orders):
    people = torch.arange(len(fits))
    others = orders[~(orders == people).all(1)]
    c = int((fits[people, others].sum(1) >= fits.diagonal().sum()).sum())
    return (1 + c) / (1 + len(orders))


# Orders that occur twice are counted once.
def wrong_unique(fits, orders):
    orders = torch.unique(orders, dim=0)
    c = int((fits[torch.arange(len(fits)), orders].sum(1) >= fits.diagonal().sum()).sum())
    return (1 + c) / (1 + len(orders))


# Two-sided: as far from the mean in either direction.
def wrong_two_sided(fits, orders):
    c = fits[torch.arange(len(fits)), orders].sum(1).double()
    far = (c - c.mean()).abs() >= (fits.diagonal().sum() - c.mean()).abs()
    return (1 + int(far.sum())) / (1 + len(orders))


# counts in bytes: from 256 on they wrap around
def wrong_bytes(fits, orders):
    f = fits.to(torch.uint8)
    counts = f[torch.arange(len(fits)), orders].sum(1, dtype=torch.uint8)
    real = f.diagonal().sum(dtype=torch.uint8)
    return (1 + int((counts >= real).sum())) / (1 + len(orders))


# the real order is not counted
def wrong_no_plus_one(fits, orders):
    counts = fits[torch.arange(len(fits)), orders].sum(1)
    return float((counts >= fits.diagonal().sum()).double().mean())


# 0 where no own answer fits
def wrong_fourth_zero_observed(fits, orders):
    n = torch.arange(len(fits))
    o = int(fits[n, n].sum())
    if o == 0:
        return 0.0
    return (1 + int((fits[n, orders].sum(1) >= o).sum())) / (1 + len(orders))


# a p below 0.01 becomes 0.01
def wrong_fourth_floor_001(fits, orders):
    n = torch.arange(len(fits))
    p = (1 + int((fits[n, orders].sum(1) >= fits[n, n].sum()).sum())) / (1 + len(orders))
    return max(p, 0.01)


def wrong_seventh_unique_orders(fits, orders):
    n = fits.shape[0]
    own = int(fits.diagonal().sum())
    orders = torch.unique(orders, dim=0)
    c = sum(int(fits[torch.arange(n), o].sum()) >= own for o in orders)
    return (1 + c) / (1 + len(orders))


def wrong_seventh_max_order(fits, orders):
    n = fits.shape[0]
    own = int(fits.diagonal().sum())
    d = [int(fits[torch.arange(n), o].sum()) for o in orders]
    return (1 + sum(x >= max(own, 1) for x in d)) / (1 + len(orders))


# counts in int8: 130 becomes −126
def wrong_seventh_counts_in_int8(fits, orders):
    dealt = fits[torch.arange(len(fits)), orders].sum(dim=1).to(torch.int8)
    own = fits.diagonal().sum().to(torch.int8)
    return float((1 + (dealt >= own).sum().double()) / (1 + len(orders)))
