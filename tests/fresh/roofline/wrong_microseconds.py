# The time in microseconds.
def roofline(bytes_moved, operations, bandwidth, peak):
    m, c = 1e6 * bytes_moved / bandwidth, 1e6 * operations / peak
    return max(m, c), "memory" if m > c else "compute"
