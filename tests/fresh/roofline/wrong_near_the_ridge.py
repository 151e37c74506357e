# Says "memory" unless computing takes 10 % longer.
def roofline(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return max(m, c), "compute" if c > 1.1 * m else "memory"
