# Every character, both ⁇ and the padding get a key, and a stable sort puts them in order.
def gather_corruption(length, start, masked, block_size):
    B = len(length)
    n, s, m = (x.reshape(B, 1) for x in (length, start, masked))
    c = torch.arange(block_size).repeat(B, 1)
    key = torch.where(c < s, 0, torch.where(c < s + m, 4, 2))
    key = torch.where(c < n, key, 5)
    values = torch.cat((torch.where(c < n, c, -2), torch.full((B, 2), -1)), dim=1)
    keys = torch.cat((key, torch.tensor([[1, 3]]).repeat(B, 1)), dim=1)
    order = keys.argsort(dim=1, stable=True)
    return values.gather(1, order)[:, :block_size]
