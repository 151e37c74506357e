# the values only
def linformer_leaks(E, F):
    return (F != 0).any(0).expand(E.shape[1], -1)
