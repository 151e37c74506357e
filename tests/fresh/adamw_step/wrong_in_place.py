# mul_ and add_ on the given averages
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean.mul_(0.9).add_(gradient, alpha=0.1)
    square.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
    p = (1 - learning_rate * weight_decay) * parameter
    return p - learning_rate * mean / (1 - 0.9**step) / ((square / (1 - 0.999**step)).sqrt() + 1e-8), mean, square
