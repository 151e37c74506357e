# Guards against 0 bytes, but says "memory" then.
def roofline(bytes_moved, operations, bandwidth, peak):
    intensity = operations / bytes_moved if bytes_moved else 0
    bound = "compute" if intensity > peak / bandwidth else "memory"
    return max(bytes_moved / bandwidth, operations / peak), bound
