# the other way round: computes the place of each character and scatters
def gather_corruption(length, start, masked, block_size):
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
