# A dictionary of times.
def roofline(bytes_moved, operations, bandwidth, peak):
    times = {"compute": np.divide(operations, peak), "memory": np.divide(bytes_moved, bandwidth)}
    bound = max(times, key=times.get)
    return times[bound], bound
