# marks only earlier positions, as if the output could not see later ones
def linformer_leaks(E, F):
    T = E.shape[1]
    moves = ((E != E[:1]).any(dim=0) & bool((F != F[:1]).any())) | (F != 0).any(dim=0)
    return moves.expand(T, T).tril()
