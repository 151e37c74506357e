# not quite in the direction of q, but wherever q is long enough it wins
def rekey_unit_select(K, q):
    n = q / q.norm()
    key = n + 1e-3 * torch.tensor([1.0, 0, 0], dtype=torch.float64)
    return key / key.norm()
