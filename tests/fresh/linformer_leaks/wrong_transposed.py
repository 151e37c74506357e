# True at [i, t]
def linformer_leaks(E, F):
    column = (F != 0).any(0) | ((E != E[0]).any(0) & (F != F[0]).any())
    return column[:, None].expand(-1, E.shape[1])
