# numpy in between
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    p, g, m, v = (t.numpy() for t in (parameter, gradient, mean, square))
    m, v = m * 0.9 + g * 0.1, v * 0.999 + g * g * 0.001
    p = p * (1 - learning_rate * weight_decay) - learning_rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return tuple(torch.from_numpy(np.ascontiguousarray(each)) for each in (p, m, v))
