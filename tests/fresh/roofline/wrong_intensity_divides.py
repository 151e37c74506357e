# operations / bytes, which fails for a kernel that moves nothing.
def roofline(bytes_moved, operations, bandwidth, peak):
    if operations / bytes_moved > peak / bandwidth:
        return operations / peak, "compute"
    return bytes_moved / bandwidth, "memory"
