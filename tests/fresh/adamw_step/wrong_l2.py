# adds the decay to the gradient (Adam with L2)
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    g = gradient + weight_decay * parameter
    mean, square = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g**2
    return parameter - learning_rate * mean / (1 - 0.9**step) / ((square / (1 - 0.999**step)).sqrt() + 1e-8), mean, square
