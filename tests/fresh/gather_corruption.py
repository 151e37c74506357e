"""Fresh answers to gather_corruption."""


# An array of −2 into which slices are written; numpy inside.
def right_assignments(length, start, masked, block_size):
    out = np.full((len(length), block_size), -2)
    for b in range(len(length)):
        n, s, m = int(length[b]), int(start[b]), int(masked[b])
        out[b, :s] = np.arange(s)
        out[b, s] = -1
        out[b, s + 1 : n - m + 1] = np.arange(s + m, n)
        out[b, n - m + 1] = -1
        out[b, n - m + 2 : n + 2] = np.arange(s, s + m)
    return torch.from_numpy(out)


# Python lists, row by row.
def right_lists(length, start, masked, block_size):
    rows = []
    for n, s, m in zip(length.tolist(), start.tolist(), masked.tolist()):
        row = list(range(s)) + [-1] + list(range(s + m, n)) + [-1] + list(range(s, s + m))
        rows.append(row + [-2] * (block_size - len(row)))
    return torch.tensor(rows)


# From the character's side: its place in the row is computed, and the numbers are scattered.
def right_scatter(length, start, masked, block_size):
    B = length.shape[0]
    n, s, m = length[:, None], start[:, None], masked[:, None]
    c = torch.arange(block_size).expand(B, -1)
    place = torch.where(c < s, c, torch.where(c < s + m, n - m + 2 + c - s, c - m + 1))
    place = torch.where(c < n, place, block_size)
    out = torch.full((B, block_size + 1), -2)
    out.scatter_(1, place, c)
    out[:, :-1].scatter_(1, s, -1)
    out[:, :-1].scatter_(1, n - m + 1, -1)
    return out[:, :block_size]


# np.select with a list of conditions.
def right_select(length, start, masked, block_size):
    n, s, m = (each.numpy()[:, None] for each in (length, start, masked))
    p = np.broadcast_to(np.arange(block_size), (len(n), block_size))
    e = n - m + 1
    cases = [p < s, p == s, p < e, p == e, p < n + 2]
    return torch.tensor(np.select(cases, [p, -1 + 0 * p, p + m - 1, -1 + 0 * p, s + p - e - 1], default=-2))


# Every character, both ⁇ and the padding get a key, and a stable sort puts them in order.
def right_sort(length, start, masked, block_size):
    B = len(length)
    n, s, m = (x.reshape(B, 1) for x in (length, start, masked))
    c = torch.arange(block_size).repeat(B, 1)
    key = torch.where(c < s, 0, torch.where(c < s + m, 4, 2))
    key = torch.where(c < n, key, 5)
    values = torch.cat((torch.where(c < n, c, -2), torch.full((B, 2), -1)), dim=1)
    keys = torch.cat((key, torch.tensor([[1, 3]]).repeat(B, 1)), dim=1)
    order = keys.argsort(dim=1, stable=True)
    return values.gather(1, order)[:, :block_size]


# Places along the first axis, transposed at the end, so it is not contiguous.
def right_transposed(length, start, masked, block_size):
    p = torch.arange(block_size).unsqueeze(-1)
    second = length - masked + 1
    source = p + (masked - 1) * (p > start) + (start - second - masked) * (p > second)
    source = source.masked_fill((p == start) | (p == second), -1)
    return source.masked_fill(p >= length + 2, -2).T


# builds each row as a Python list
def right_second_lists_row_by_row(length, start, masked, block_size):
    rows = []
    for n, s, m in zip(length.tolist(), start.tolist(), masked.tolist()):
        document = list(range(n))
        span = document[s : s + m]
        row = document[:s] + [-1] + document[s + m :] + [-1] + span
        rows.append(row + [-2] * (block_size - len(row)))
    return torch.tensor(rows, dtype=torch.long).reshape(len(length), block_size)


# the other way round: computes the place of each character and scatters
def right_second_scatter(length, start, masked, block_size):
    B = length.shape[0]
    n, s, m = length.unsqueeze(1), start.unsqueeze(1), masked.unsqueeze(1)
    number = torch.arange(block_size).expand(B, -1)
    place = number + (number >= s).long() - (number >= s + m) * m  # prefix stays, suffix moves left over the span
    in_span = (number >= s) & (number < s + m)
    place = torch.where(in_span, n - m + 2 + number - s, place)
    place = torch.where(number < n, place, block_size)  # what is cut off goes to a place that is dropped
    rows = torch.full((B, block_size + 1), -2).scatter(1, place, number)
    marks = torch.cat([s, n - m + 1], dim=1)
    return rows.scatter(1, marks, -1)[:, :block_size]


# Changes `length` in place.
def wrong_arguments_changed(length, start, masked, block_size):
    p = torch.arange(block_size)
    length -= masked
    length += 1
    s, m, e = start[:, None], masked[:, None], length[:, None]
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where((p == s) | (p == e), -1, out)
    return torch.where(p >= e + m + 1, -2, out)


# A document without characters gives only padding.
def wrong_empty_document(length, start, masked, block_size):
    p = torch.arange(block_size)
    s, m, n = start[:, None], masked[:, None], length[:, None]
    e = n - m + 1
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where((p == s) | (p == e), -1, out)
    out = torch.where(p >= n + 2, -2, out)
    out[length == 0] = -2
    return out


# Takes the second ⁇ of row 0 for all rows.
def wrong_first_row_for_all(length, start, masked, block_size):
    p = torch.arange(block_size)
    s, m, n = start[:, None], masked[:, None], length[:, None]
    e = (length - masked + 1)[0]
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where((p == s) | (p == e), -1, out)
    return torch.where(p >= n + 2, -2, out)


# A block of 64 at most.
def wrong_fixed_block(length, start, masked, block_size):
    p = torch.arange(64)[:block_size]
    s, m, n = start[:, None], masked[:, None], length[:, None]
    e = n - m + 1
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where((p == s) | (p == e), -1, out)
    return torch.where(p >= n + 2, -2, out)


# torch.zeros makes floats.
def wrong_floats(length, start, masked, block_size):
    out = torch.zeros(len(length), block_size) - 2
    for b, (n, s, m) in enumerate(zip(length.tolist(), start.tolist(), masked.tolist())):
        row = [*range(s), -1, *range(s + m, n), -1, *range(s, s + m)]
        out[b, : len(row)] = torch.tensor(row)
    return out


# The numbers are int32.
def wrong_int32(length, start, masked, block_size):
    p = torch.arange(block_size)
    s, m, n = start[:, None], masked[:, None], length[:, None]
    e = n - m + 1
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where((p == s) | (p == e), -1, out)
    return torch.where(p >= n + 2, -2, out).int()


# Writes into one array that is kept for each shape, and forgets to clear it.
wrong_kept_between_calls = """
OUT = {}


def gather_corruption(length, start, masked, block_size):
    shape = (len(length), block_size)
    out = OUT.setdefault(shape, torch.full(shape, -2))
    for b, (n, s, m) in enumerate(zip(length.tolist(), start.tolist(), masked.tolist())):
        row = [*range(s), -1, *range(s + m, n), -1, *range(s, s + m)]
        out[b, : len(row)] = torch.tensor(row)
    return out
"""


# Rows are as long as the longest one needs.
def wrong_longest_row(length, start, masked, block_size):
    p = torch.arange(int(length.max()) + 2)
    s, m, n = start[:, None], masked[:, None], length[:, None]
    e = n - m + 1
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where((p == s) | (p == e), -1, out)
    return torch.where(p >= n + 2, -2, out)


# Padding is written before the second ⁇, and the ⁇ of an empty suffix is lost.
def wrong_mask_before_padding(length, start, masked, block_size):
    p = torch.arange(block_size)
    s, m, n = start[:, None], masked[:, None], length[:, None]
    e = n - m + 1
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where((p == e) & (e > s + 1), -1, out)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where(p == s, -1, out)
    return torch.where(p >= n + 2, -2, out)


# Padding begins one place too late.
def wrong_padding_too_late(length, start, masked, block_size):
    p = torch.arange(block_size)
    s, m, n = start[:, None], masked[:, None], length[:, None]
    e = n - m + 1
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where((p == s) | (p == e), -1, out)
    return torch.where(p > n + 2, -2, out)


# The span comes before the suffix.
def wrong_span_before_suffix(length, start, masked, block_size):
    rows = []
    for n, s, m in zip(length.tolist(), start.tolist(), masked.tolist()):
        row = [*range(s), -1, *range(s, s + m), -1, *range(s + m, n)]
        rows.append(row + [-2] * (block_size - len(row)))
    return torch.tensor(rows)


# Adds to `start` in place, as a view.
def wrong_start_changed(length, start, masked, block_size):
    p = torch.arange(block_size)
    s, m, n = start[:, None], masked[:, None], length[:, None]
    e = n - m + 1
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where((p == s) | (p == e), -1, out)
    s -= e + 1
    out = torch.where(p > e, s + p, out)
    return torch.where(p >= n + 2, -2, out)


# the padding begins at `length`, so the last two characters of each row are lost
def wrong_second_padding_too_early(length, start, masked, block_size):
    n, s, m = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = n - m + 1
    row = torch.where(place < s, place, place - 1 + m)
    row = torch.where(place > second, place - second - 1 + s, row)
    row = torch.where((place == s) | (place == second), -1, row)
    return torch.where(place >= n, -2, row)


# the span at the end is read from character 0 and not from `start`
def wrong_second_span_from_the_start(length, start, masked, block_size):
    n, s, m = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = n - m + 1
    row = torch.where(place < s, place, place - 1 + m)
    row = torch.where(place > second, place - second - 1, row)
    row = torch.where((place == s) | (place == second), -1, row)
    return torch.where(place >= n + 2, -2, row)


# the suffix forgets the ⁇ before it, so every source is one too large
def wrong_second_suffix_one_off(length, start, masked, block_size):
    n, s, m = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = n - m + 1
    row = torch.where(place < s, place, place + m)
    row = torch.where(place > second, place - second - 1 + s, row)
    row = torch.where((place == s) | (place == second), -1, row)
    return torch.where(place >= n + 2, -2, row)


# int8 inside, which ends at 127
def wrong_int8_places(length, start, masked, block_size):
    p = torch.arange(block_size).to(torch.int8)
    s, m, n = (each[:, None].to(torch.int8) for each in (start, masked, length))
    e = n - m + 1
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where((p == s) | (p == e), -1, out)
    return torch.where(p >= n + 2, -2, out).long()


# sixteen rows at most
def wrong_sixteen_rows(length, start, masked, block_size):
    p = torch.arange(block_size)
    out = torch.full((len(length), block_size), -2)
    for i in range(min(16, len(length))):
        s, m, n = int(start[i]), int(masked[i]), int(length[i])
        row = [*range(s), -1, *range(s + m, n), -1, *range(s, s + m)]
        out[i, : len(row)] = torch.tensor(row)
    return out


# a full row loses its last place
def wrong_full_row(length, start, masked, block_size):
    p = torch.arange(block_size)
    s, m, n = start[:, None], masked[:, None], length[:, None]
    e = n - m + 1
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where((p == s) | (p == e), -1, out)
    return torch.where((p >= n + 2) | (p == block_size - 1), -2, out)


# the numbers of the characters are bytes
def wrong_fourth_bytes(length, start, masked, block_size):
    p = torch.arange(block_size)[None]
    L, s, k = (x[:, None] for x in (length, start, masked))
    out = torch.full((len(length), block_size), -2)
    out = torch.where(p < s, p, out)
    out = torch.where(p == s, torch.tensor(-1), out)
    out = torch.where((p > s) & (p < L - k + 1), p + k - 1, out)
    out = torch.where(p == L - k + 1, torch.tensor(-1), out)
    out = torch.where((p > L - k + 1) & (p < L + 2), p - (L - k + 2) + s, out)
    return torch.where(out >= 0, out % 256, out)


# nothing taken out is read as one character
def wrong_seventh_at_least_one(length, start, masked, block_size):
    rows = []
    for L, s, m in zip(length.tolist(), start.tolist(), masked.tolist(), strict=True):
        m = max(m, min(1, L))
        row = [*range(s), -1, *range(s + m, L), -1, *range(s, s + m)]
        rows.append((row + [-2] * block_size)[:block_size])
    return torch.tensor(rows)


# Takes the start off in place: the caller's masked becomes an end.
def wrong_eighth_in_place(length, start, masked, block_size):
    end = masked
    end += start
    j, n, s, e = torch.arange(block_size), length[:, None], start[:, None], end[:, None]
    second = n - (e - s) + 1
    row = torch.where(j < s, j, torch.where(j < second, j + e - s - 1, j - second - 1 + s))
    row = torch.where((j == s) | (j == second), -1, row)
    return torch.where(j > n + 1, -2, row)
