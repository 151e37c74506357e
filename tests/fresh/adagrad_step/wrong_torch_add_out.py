# writes the new total into the given one with out=
def adagrad_step(parameter, gradient, total, learning_rate):
    new = torch.add(total, gradient * gradient, out=total)
    return parameter - learning_rate * gradient / (new.sqrt() + 1e-10), new.clone()
