# Takes care of differences that are all equal.
def is_it_a_difference(first, second):
    gaps = np.array(first) - np.array(second)
    error = gaps.std(ddof=1) / math.sqrt(len(gaps))
    if error == 0:
        return bool(gaps[0] != 0)
    return bool(abs(gaps.mean()) / error > t_quantile(0.975, len(gaps) - 1))
