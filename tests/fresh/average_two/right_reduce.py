# functools.reduce and a lambda
from functools import reduce

average_two = lambda keys, a, b, beta: reduce(lambda x, y: x + y, (beta * keys[i] for i in (a, b)))
