# Compares bytes with operations.
def roofline(bytes_moved, operations, bandwidth, peak):
    seconds = max(bytes_moved / bandwidth, operations / peak)
    return seconds, "memory" if bytes_moved > operations else "compute"
