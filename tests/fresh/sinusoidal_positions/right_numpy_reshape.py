# Built in numpy and converted at the end.
def sinusoidal_positions(T, d):
    angle = np.arange(T)[:, np.newaxis] * np.power(10000.0, -2 * np.arange(d // 2) / d)
    return torch.from_numpy(np.dstack([np.sin(angle), np.cos(angle)]).reshape(T, d))
