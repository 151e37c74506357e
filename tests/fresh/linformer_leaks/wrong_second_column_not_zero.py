# counts any column of E that is not zero, although a constant one changes nothing
def linformer_leaks(E, F):
    T = E.shape[1]
    used = (E != 0).any(dim=0) | (F != 0).any(dim=0)
    return used.repeat(T, 1)
