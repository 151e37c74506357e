# works in place, but on copies
def adagrad_step(parameter, gradient, total, learning_rate):
    new_total, new = total.clone(), parameter.clone()
    new_total += gradient**2
    rate = learning_rate / (new_total**0.5 + 1e-10)
    new -= rate * gradient
    return new, new_total
