# Adds the times, as if one waited for the other.
def roofline(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return m + c, "memory" if m > c else "compute"
