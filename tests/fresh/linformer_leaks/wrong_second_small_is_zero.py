# compares with a tolerance, so tiny entries count as zero
def linformer_leaks(E, F):
    T = E.shape[1]
    by_value = F.abs().amax(dim=0) > 1e-8
    by_key = (E.amax(dim=0) - E.amin(dim=0) > 1e-8) & bool((F.amax(dim=0) - F.amin(dim=0) > 1e-8).any())
    return (by_value | by_key)[None, :].repeat(T, 1)
