# numpy: a numpy integer.
def sample_next(logits, temperature, u):
    import numpy as np

    z = logits.numpy()
    if temperature == 0:
        return np.argmax(z)
    p = np.exp((z - z.max()) / temperature)
    beyond = np.cumsum(p / p.sum()) > u
    beyond[-1] = True
    return np.argmax(beyond)
