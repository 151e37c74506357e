# Says "both" near the ridge.
def roofline(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    bound = "both" if math.isclose(m, c, rel_tol=0.2) else "memory" if m > c else "compute"
    return max(m, c), bound
