# 0.999 for the mean and 0.9 for the square
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.999 * mean + 0.001 * gradient, 0.9 * square + 0.1 * gradient**2
    p = (1 - learning_rate * weight_decay) * parameter
    return p - learning_rate * mean / (1 - 0.999**step) / ((square / (1 - 0.9**step)).sqrt() + 1e-8), mean, square
