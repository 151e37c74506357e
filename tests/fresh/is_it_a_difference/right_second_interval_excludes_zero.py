# builds the 95 % interval with numpy and looks whether 0 is outside
def is_it_a_difference(first, second, level=0.05):
    g = np.subtract(first, second)
    middle = g.mean()
    reach = t_quantile(1 - level / 2, g.size - 1) * g.std(ddof=1) / np.sqrt(g.size)
    low, high = middle - reach, middle + reach
    if low <= 0 <= high:
        return False
    return True
