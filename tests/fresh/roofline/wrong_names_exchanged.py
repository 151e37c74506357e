# The names are exchanged.
def roofline(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return max(m, c), "compute" if m > c else "memory"
