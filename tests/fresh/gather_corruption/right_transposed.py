# Places along the first axis, transposed at the end, so it is not contiguous.
def gather_corruption(length, start, masked, block_size):
    p = torch.arange(block_size).unsqueeze(-1)
    second = length - masked + 1
    source = p + (masked - 1) * (p > start) + (start - second - masked) * (p > second)
    source = source.masked_fill((p == start) | (p == second), -1)
    return source.masked_fill(p >= length + 2, -2).T
