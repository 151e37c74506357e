# adds the decay to the gradient, as Adam with L2 does
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    g = gradient + weight_decay * parameter
    mean = 0.9 * mean + 0.1 * g
    square = 0.999 * square + 0.001 * g * g
    m, v = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    return parameter - learning_rate * m / (v.sqrt() + 1e-8), mean, square
