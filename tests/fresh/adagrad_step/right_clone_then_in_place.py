# clones first, then works in place; a named tuple
from collections import namedtuple

After = namedtuple("After", "parameter total")


def adagrad_step(parameter, gradient, total, learning_rate):
    after = After(parameter.clone(), total.clone())
    after.total.add_(gradient**2)
    after.parameter.sub_(learning_rate * gradient / after.total.sqrt().add_(1e-10))
    return after
