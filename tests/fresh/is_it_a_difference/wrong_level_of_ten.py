# The 0.95 quantile.
def is_it_a_difference(first, second):
    gaps = np.array(first) - np.array(second)
    t = gaps.mean() / gaps.std(ddof=1) * np.sqrt(len(gaps))
    return bool(abs(t) > t_quantile(0.95, len(gaps) - 1))
