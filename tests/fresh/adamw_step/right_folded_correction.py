# the two corrections folded into one rate, and epsilon scaled with them
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    b = math.sqrt(1 - 0.999**step)
    rate = learning_rate * b / (1 - 0.9**step)
    return parameter - learning_rate * weight_decay * parameter - rate * mean / (square.sqrt() + 1e-8 * b), mean, square
