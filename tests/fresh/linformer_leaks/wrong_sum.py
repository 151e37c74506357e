# a column whose entries cancel counts as zero
def linformer_leaks(E, F):
    column = (F.sum(0) != 0) | ((E != E[0]).any(0) & (F != F[0]).any())
    return column.expand(E.shape[1], -1)
