# numpy arrays of floats
def paired_difference(first, second):
    d = np.array(first, float) - np.array(second, float)
    return d.mean(), d.std() / np.sqrt(len(d))
