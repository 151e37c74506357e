# compares without dividing and names the limit by cases
def roofline(bytes_moved, operations, bandwidth, peak):
    memory_bound = operations * bandwidth < bytes_moved * peak
    if memory_bound:
        return bytes_moved / bandwidth, "memory"
    seconds = operations / peak
    return seconds, "compute"
