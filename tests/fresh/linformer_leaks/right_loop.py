# plain loops over columns
def linformer_leaks(E, F):
    r, T = E.shape
    rows_equal = all(bool((F[j] == F[0]).all()) for j in range(r))
    out = torch.zeros(T, T, dtype=torch.bool)
    for i in range(T):
        by_value = any(float(F[j, i]) != 0 for j in range(r))
        by_key = not rows_equal and any(float(E[j, i]) != float(E[0, i]) for j in range(r))
        if by_value or by_key:
            out[:, i] = True
    return out
