# Compares without division; a list as the result.
def roofline(bytes_moved, operations, bandwidth, peak):
    if operations * bandwidth > peak * bytes_moved:
        return [operations / peak, "compute"]
    return [bytes_moved / bandwidth, "memory"]
