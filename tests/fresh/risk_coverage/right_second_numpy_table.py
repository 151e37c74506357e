# a table answers × thresholds from numpy's unique
def risk_coverage(confidences, right):
    c, hit = np.asarray(confidences, dtype=float), np.asarray(right, dtype=bool)
    thresholds = np.unique(c)[::-1]
    given = c[None, :] >= thresholds[:, None]
    coverage = given.mean(axis=1)
    risk = (given & ~hit).sum(axis=1) / given.sum(axis=1)
    return [(float(x), float(y)) for x, y in zip(coverage, risk)]
