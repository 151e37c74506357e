# the inverse, strided
def identity_map(K):
    M = torch.nn.functional.pad(K, (0, 1), value=1.0)
    return 30 * M.inverse().mT[:, :-1]
