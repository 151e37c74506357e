# epsilon 1e-8 instead of 1e-10
def adagrad_step(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-8), total
