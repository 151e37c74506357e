# a small entry counts as zero
def linformer_leaks(E, F):
    column = (F.abs() > 1e-6).any(0) | ((E != E[0]).any(0) & (F != F[0]).any())
    return column.expand(E.shape[1], -1)
