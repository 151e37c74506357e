# differences of neighbouring rows
def linformer_leaks(E, F):
    seen = (F != 0).sum(0) > 0
    if E.shape[0] > 1 and E.diff(dim=0).ne(0).any() and F.diff(dim=0).ne(0).any():
        seen = seen | E.diff(dim=0).ne(0).any(dim=0)
    return seen.repeat(E.shape[1], 1)
