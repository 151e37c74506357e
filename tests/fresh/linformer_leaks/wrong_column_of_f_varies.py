# asks whether F varies in this column, and not anywhere
def linformer_leaks(E, F):
    column = (F != 0).any(0) | ((E != E[0]).any(0) & (F != F[0]).any(0))
    return column.expand(E.shape[1], -1)
