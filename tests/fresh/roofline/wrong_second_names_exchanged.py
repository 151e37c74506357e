# the right time with the names exchanged above and below the ridge
def roofline(bytes_moved, operations, bandwidth, peak):
    move, compute = bytes_moved / bandwidth, operations / peak
    return max(move, compute), "compute" if move > compute else "memory"
