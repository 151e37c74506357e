# shrinks after the step
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    p = parameter - learning_rate * mean / (1 - 0.9**step) / ((square / (1 - 0.999**step)).sqrt() + 1e-8)
    return (1 - learning_rate * weight_decay) * p, mean, square
