# Compares with the H200's ridge, whatever the processor.
def roofline(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return max(m, c), "compute" if operations > 206 * bytes_moved else "memory"
