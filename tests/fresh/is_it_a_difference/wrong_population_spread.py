# np.std divides by n.
def is_it_a_difference(first, second):
    gaps = np.array(first) - np.array(second)
    t = gaps.mean() / gaps.std() * np.sqrt(len(gaps))
    return bool(abs(t) > t_quantile(0.975, len(gaps) - 1))
