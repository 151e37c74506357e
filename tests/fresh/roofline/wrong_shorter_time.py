# The shorter of the two times.
def roofline(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return min(m, c), "memory" if m > c else "compute"
