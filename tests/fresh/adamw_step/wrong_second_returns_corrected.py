# returns the corrected averages in place of m and v
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean = (0.9 * mean + 0.1 * gradient) / (1 - 0.9**step)
    square = (0.999 * square + 0.001 * gradient**2) / (1 - 0.999**step)
    shrunk = (1 - learning_rate * weight_decay) * parameter
    return shrunk - learning_rate * mean / (square.sqrt() + 1e-8), mean, square
