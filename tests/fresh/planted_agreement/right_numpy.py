# a 1 by 1 linear system of numpy
def planted_agreement(hit, follow, k):
    rest = (1 - follow) / (k - 1)
    if np.isclose(follow * k, 1):
        raise ValueError(f"follow is 1/{k}")
    return np.linalg.solve([[follow - rest]], [hit - rest])[0]
