# adds epsilon to the root before the correction is divided out
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    p = (1 - learning_rate * weight_decay) * parameter
    return p - learning_rate * math.sqrt(1 - 0.999**step) / (1 - 0.9**step) * mean / (square.sqrt() + 1e-8), mean, square
