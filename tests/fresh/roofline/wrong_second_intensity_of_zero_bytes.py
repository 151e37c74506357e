# compares the intensity with the ridge and divides by zero bytes
def roofline(bytes_moved, operations, bandwidth, peak):
    intensity = operations / bytes_moved
    if intensity < peak / bandwidth:
        return bytes_moved / bandwidth, "memory"
    return operations / peak, "compute"
