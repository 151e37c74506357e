# compares the first two rows only
def linformer_leaks(E, F):
    column = (F != 0).any(0)
    if len(E) > 1:
        column = column | ((E[0] != E[1]) & (F[0] != F[1]).any())
    return column.expand(E.shape[1], -1)
