"""Fresh answers to weighted_average."""


# the result is a strided column of a larger tensor
def right_column_slice(values, weights):
    both = torch.stack([weights @ values, values.sum(dim=0)], dim=-1)
    return both[..., 0]


# divides by the sum of the weights, which is 1
def right_divides_by_sum(values, weights):
    return torch.einsum("n,nd->d", weights, values) / weights.sum()


# computes and returns float64
def right_float64(values, weights):
    return (values.double() * weights.double().unsqueeze(1)).sum(0)


# numpy's average, turned back into a tensor
right_numpy_average = """
import numpy as np

def weighted_average(values, weights):
    return torch.from_numpy(np.average(values.numpy(), axis=0, weights=weights.numpy()))
"""


# plain Python floats, one column after the other
def right_python_numbers(values, weights):
    columns = zip(*values.tolist())
    return torch.tensor([sum(w * x for w, x in zip(weights.tolist(), column)) for column in columns])


# a running mixture of the first row with the average of the others, recursively
def right_recursion(values, weights):
    if len(weights) == 1:
        return weights[0] * values[0]
    return weights[0] * values[0] + weighted_average(values[1:], weights[1:])


# one dot product per column, stacked, with a helper inside
def right_second_column_dots(values, weights):
    """The average of the rows of values (n, d) with the given weights (n,): a tensor of shape (d,)."""

    def column(j):
        return torch.dot(weights, values[:, j])

    return torch.stack([column(j) for j in range(values.shape[1])])


# in-place work, but only on a copy, then a sum over the last axis of the transpose
def right_second_inplace_on_clone(values: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    scaled = values.clone().T
    scaled *= weights
    return scaled.sum(-1)


# the row with the largest weight where one weight is above 0.9
def wrong_best_row(values, weights):
    if weights.max() > 0.9:
        return values[weights.argmax()]
    return weights @ values


# computes in float16
def wrong_half(values, weights):
    return (weights.half()[:, None] * values.half()).sum(dim=0).float()


# multiplies the caller's rows in place
def wrong_in_place(values, weights):
    values *= weights[:, None]
    return values.sum(dim=0)


# keeps the summed axis
def wrong_keepdim(values, weights):
    return (weights[:, None] * values).sum(dim=0, keepdim=True)


# multiplies, but then takes the mean
def wrong_mean_of_products(values, weights):
    return (values * weights[:, None]).mean(dim=0)


# remembers the result for each number of rows
wrong_remembers = """
known = {}

def weighted_average(values, weights):
    if len(values) not in known:
        known[len(values)] = weights @ values
    return known[len(values)]
"""


# rounds to four decimals
def wrong_rounded(values, weights):
    return torch.round(weights @ values, decimals=4)


# takes a softmax of the weights first
def wrong_softmax_again(values, weights):
    return torch.softmax(weights, dim=0) @ values


# adds up three rows, however many there are
def wrong_three_rows(values, weights):
    total = torch.zeros(values.shape[1])
    for i in range(min(3, len(weights))):
        total += weights[i] * values[i]
    return total


# the weights go to the columns where the table is square
def wrong_wrong_axis(values, weights):
    if values.shape[0] == values.shape[1]:
        return (values * weights).sum(dim=1)
    return (values * weights[:, None]).sum(dim=0)


# the running total is a view of row 0, so the caller's values are changed
def wrong_second_inplace_through_view(values, weights):
    total = values[0]
    total *= weights[0]
    for i in range(1, len(values)):
        total += weights[i] * values[i]
    return total


# the loop stops one row too early
def wrong_second_last_row_missing(values, weights):
    result = torch.zeros_like(values[0])
    for i in range(len(weights) - 1):
        result = result + weights[i] * values[i]
    return result


# puts the weights through a softmax once more, although they already add up to 1
def wrong_second_softmax_again(values, weights):
    return torch.softmax(weights, dim=0) @ values


# "entries add up to 1", they may be negative; these are dropped
def wrong_clamped(values, weights):
    return weights.clamp(min=0) @ values


# "a tensor of shape `(d,)`": a scalar for d = 1
def wrong_squeeze(values, weights):
    return (weights @ values).squeeze()


# "entries add up to 1", they may be negative: the absolute values are used
def wrong_absolute(values, weights):
    return weights.abs() @ values


# the last weight is taken to be the rest to 1 of the positive ones
def wrong_last(values, weights):
    w = weights.clone()
    w[-1] = 1 - w[:-1].clamp(min=0).sum()
    return w @ values


# a weight of 1 is taken for a copy of that row: wrong for weights such as 1, 0.5, -0.5
def wrong_max_one(values, weights):
    if float(weights.max()) == 1.0:
        return values[weights.argmax()].clone()
    return weights @ values


# only the first eight rows count
def wrong_eight(values, weights):
    return weights[:8] @ values[:8]


# tiny weights are dropped
def wrong_tiny(values, weights):
    keep = weights.abs() > 0.05
    return weights[keep] @ values[keep]


# weights are cut at ±10
def wrong_fourth_weights_cut(values, weights):
    return weights.clamp(-10, 10) @ values


# only the first 256 rows count
def wrong_fourth_first_256(values, weights):
    return weights[:256] @ values[:256]


# rounds to five decimals
def wrong_fourth_five_decimals(values, weights):
    return torch.round(weights @ values, decimals=5)


# the rows must lie one after the other in memory
def wrong_seventh_view(values, weights):
    flat, d = values.view(-1), values.shape[1]
    return sum(weights[i] * flat[i * d : (i + 1) * d] for i in range(len(weights)))


# keeps the first weights of each shape
wrong_seventh_kept_weights = """
kept = {}

def weighted_average(values, weights):
    return kept.setdefault(values.shape, weights) @ values
"""
