# decides by the rank of E
def linformer_leaks(E, F):
    column = (F != 0).any(0) | (torch.linalg.matrix_rank(E) > 1) & (E != 0).any(0)
    return column.expand(E.shape[1], -1)
