# sets of numbers in lists
def linformer_leaks(E, F):
    T, keys_matter = E.shape[1], len({tuple(row) for row in F.tolist()}) > 1
    row = [set(f) != {0.0} or (keys_matter and len(set(e)) > 1) for e, f in zip(E.T.tolist(), F.T.tolist())]
    return torch.tensor([row] * T)
