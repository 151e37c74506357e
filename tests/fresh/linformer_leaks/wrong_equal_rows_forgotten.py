# a column of E that varies counts even if all rows of F are equal
def linformer_leaks(E, F):
    return ((F != 0).any(0) | (E != E[0]).any(0)).expand(E.shape[1], -1)
