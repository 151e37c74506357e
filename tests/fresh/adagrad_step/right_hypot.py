# root of the sum of squares by hypot
def adagrad_step(parameter, gradient, total, learning_rate):
    root = torch.hypot(total.sqrt(), gradient)
    return [parameter - learning_rate * (gradient / (root + 1e-10)), total + gradient.pow(2)]
