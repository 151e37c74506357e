"""Fresh answers to layers_reach."""


# boolean broadcasting and any
def right_boolean_any(mask, layers):
    seen = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(layers):
        seen = (mask[:, :, None] & seen[None]).any(dim=1)
    return seen


# whole numbers, clamped at each step
def right_long_clamped(mask, layers):
    reached = mask.long()
    for _ in range(1, layers):
        reached = reached.matmul(mask.long()).clamp(max=1)
    return reached.bool()


# an integer matrix power
def right_matrix_power(mask, layers):
    return torch.linalg.matrix_power(mask.double(), layers) > 0


# recursion, with half of the layers
def right_recursive(mask, layers):
    if layers == 1:
        return mask.clone()
    half = layers_reach(mask, layers // 2).int()
    both = half @ half > 0
    return both if layers % 2 == 0 else (both.int() @ mask.int()) > 0


# breadth-first search from each position
def right_search(mask, layers):
    T = mask.shape[0]
    out = torch.zeros_like(mask)
    sees = [row.nonzero().flatten().tolist() for row in mask]
    for t in range(T):
        front = {t}
        for _ in range(layers):
            front |= {i for s in front for i in sees[s]}
        out[t, list(front)] = True
    return out


# recursion: halves the number of layers; products cut back to 0 and 1 each time
def right_second_repeated_squaring(mask, layers):
    if layers == 1:
        return mask.clone()
    half = layers_reach(mask, layers // 2).double()
    both = half @ half > 0
    if layers % 2:
        both = both.double() @ mask.double() > 0
    return both


# sets of neighbours in plain Python, one union for each layer, stops early when nothing is new
def right_second_sets(mask, layers):
    attends = [{i for i, allowed in enumerate(row) if allowed} for row in mask.tolist()]
    reach = [set(row) for row in attends]
    for _ in range(layers - 1):
        wider = [set().union(*(attends[i] for i in row)) for row in reach]
        if wider == reach:
            break
        reach = wider
    T = len(attends)
    table = torch.zeros(T, T, dtype=torch.bool)
    for t, row in enumerate(reach):
        table[t, list(row)] = True
    return table


# everything that can ever be reached
def wrong_closure(mask, layers):
    reached = mask
    for _ in range(len(mask)):
        reached = (mask.float() @ reached.float()) > 0
    return reached if layers > 1 else mask.clone()


# returns the number of paths
def wrong_counts(mask, layers):
    return torch.linalg.matrix_power(mask.long().double(), layers).long()


# the element-wise power
def wrong_elementwise(mask, layers):
    return mask.float() ** layers > 0


# right table, but mask itself is changed
def wrong_in_place(mask, layers):
    once = mask.float()
    for _ in range(layers - 1):
        mask |= (once @ mask.float()) > 0
    return mask


# one layer too many
def wrong_one_more(mask, layers):
    reached = mask
    for _ in range(layers):
        reached = (mask.float() @ reached.float()) > 0
    return reached


# uint8 counts of paths, which overflow to 0
def wrong_overflow(mask, layers):
    once = reached = mask.to(torch.uint8)
    for _ in range(layers - 1):
        reached = (once[:, :, None] * reached[None]).sum(1, dtype=torch.uint8)
    return reached > 0


# follows one link for each position only, the smallest index
def wrong_single_way(mask, layers):
    reached = mask
    first = mask.float().argmax(dim=1)
    for _ in range(layers - 1):
        reached = mask | reached[first]
    return reached


# squares the table, so paths double at each layer
def wrong_squares(mask, layers):
    reached = mask
    for _ in range(layers - 1):
        reached = (reached.float() @ reached.float()) > 0
    return reached


# transposed at each second layer
def wrong_transposed(mask, layers):
    reached = mask
    for _ in range(layers - 1):
        reached = (mask.float() @ reached.T.float()) > 0
    return reached


# assumes that the mask is causal
def wrong_tril(mask, layers):
    return (torch.linalg.matrix_power(mask.double(), layers) > 0).tril()


# one multiplication too many
def wrong_second_one_layer_more(mask, layers):
    reach = mask.clone()
    for _ in range(layers):
        reach = (reach.float() @ mask.float()) > 0
    return reach


# follows the links backwards: who is reached from t, not what t reaches
def wrong_second_other_direction(mask, layers):
    reach = mask.float()
    for _ in range(layers - 1):
        reach = ((reach @ mask.float()) > 0).float()
    return reach.bool().T


# squares the table in each layer, so the paths double instead of growing by one
def wrong_second_squares_each_time(mask, layers):
    reach = mask.clone()
    for _ in range(layers - 1):
        reach = (reach.float() @ reach.float()) > 0
    return reach


# numbers of paths in float32 without a cut: inf · 0 is nan
def wrong_float_overflow(mask, layers):
    return torch.linalg.matrix_power(mask.float(), layers) > 0


# never more than 50 layers
def wrong_fourth_fifty_layers(mask, layers):
    r = mask
    for _ in range(min(layers, 50) - 1):
        r = (mask.float() @ r.float()) > 0
    return r


# a matrix power of counts in float64
def right_fourth_power_in_double(mask, layers):
    return torch.linalg.matrix_power(mask.double(), layers) > 0


# Average weights in float32: a chain of 64 positions with 40 links each, or 100 layers of weight 1/3, underflow to 0.
def wrong_fourth_underflow(mask, layers):
    weights = mask.float() / mask.float().sum(1, keepdim=True)
    far = torch.eye(len(mask))
    for _ in range(layers):
        far = weights @ far
    return far > 0


# averages, and what is below a millionth counts as 0
def wrong_seventh_small_averages(mask, layers):
    mean = mask.double() / mask.sum(1, keepdim=True)
    return torch.matrix_power(mean, layers) > 1e-6


# Results are kept by size and number of layers: another mask of the same size gets the first one's.
wrong_seventh_kept = '''
known = {}


def layers_reach(mask, layers):
    key = (tuple(mask.shape), layers)
    if key not in known:
        reach = mask.clone()
        for _ in range(layers - 1):
            reach = reach.float() @ mask.float() > 0
        known[key] = reach
    return known[key]
'''
