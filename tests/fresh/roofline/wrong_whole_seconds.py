# Divides with //.
def roofline(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved // bandwidth, operations // peak
    return max(m, c), "memory" if m > c else "compute"
