# adds both times as if nothing happened at the same time
def roofline(bytes_moved, operations, bandwidth, peak):
    move, compute = bytes_moved / bandwidth, operations / peak
    return move + compute, "memory" if move > compute else "compute"
