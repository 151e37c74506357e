# numpy's argmax chooses from an array of names, so the name is a numpy string.
def roofline(bytes_moved, operations, bandwidth, peak):
    times = np.array([bytes_moved, operations]) / np.array([bandwidth, peak])
    names = np.array(["memory", "compute"])
    return times.max(), names[times.argmax()]
