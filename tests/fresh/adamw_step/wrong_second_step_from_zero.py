# corrects with step + 1, as if the first step had the number 0
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    t = step + 1
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    shrunk = (1 - learning_rate * weight_decay) * parameter
    return shrunk - learning_rate * (mean / (1 - 0.9**t)) / ((square / (1 - 0.999**t)).sqrt() + 1e-8), mean, square
