# Rounds the time to nine digits after the point.
def roofline(bytes_moved, operations, bandwidth, peak):
    m, c = bytes_moved / bandwidth, operations / peak
    return round(max(m, c), 9), "memory" if m > c else "compute"
