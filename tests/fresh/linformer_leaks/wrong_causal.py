# with a triangle, as if there were a mask
def linformer_leaks(E, F):
    column = (F != 0).any(0) | ((E != E[0]).any(0) & (F != F[0]).any())
    return column.expand(E.shape[1], -1).tril()
