# the keys only
def linformer_leaks(E, F):
    return ((E != E[0]).any(0) & (F != F[0]).any()).expand(E.shape[1], -1)
