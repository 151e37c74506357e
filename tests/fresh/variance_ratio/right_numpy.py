# numpy arrays, numpy scalar
def variance_ratio(one, two, epsilon):
    keep = epsilon.numpy() > 0
    return one.numpy()[keep].var(axis=0).sum() / two.numpy()[keep].var(axis=0).sum()
