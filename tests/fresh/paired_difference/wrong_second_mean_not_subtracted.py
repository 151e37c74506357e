# the root mean square of the differences in place of their standard deviation
def paired_difference(first, second):
    d = np.array(first, dtype=int) - np.array(second, dtype=int)
    return float(d.mean()), float(np.sqrt((d**2).mean() / len(d)))
