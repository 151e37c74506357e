# A permutation test with 2,000 random signs.
def is_it_a_difference(first, second):
    gaps = np.array(first) - np.array(second)
    signs = np.random.choice([-1, 1], size=(2000, len(gaps)))
    return bool(np.mean(abs((signs * gaps).mean(1)) >= abs(gaps.mean()) - 1e-12) < 0.05)
