# the maximum of two (seconds, name) tuples
def roofline(bytes_moved, operations, bandwidth, peak):
    return max((bytes_moved / bandwidth, "memory"), (operations / peak, "compute"))
