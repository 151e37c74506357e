# lets the division fail and raises ValueError from it
def planted_agreement(hit, follow, k):
    if abs(k * follow - 1) < 1e-9:
        raise ValueError("follow = 1/k")
    return np.float64((k - 1) * hit - (1 - follow)) / (k * follow - 1)
