"""Fresh answers to hull_proof."""


# a direction of its own with the numbers in a named tuple
right_direction_larger = """
from collections import namedtuple

Alphas = namedtuple("Alphas", "animal it street")

def hull_proof(u_a, u_b, u_c, u_d, p, r):
    w = 3 * u_b - 4 * u_c - 4 * u_d - (5 + 4 * abs(p) + 4 * abs(r)) * u_a
    return Alphas(0, 0, 0), w
"""


# linsolve, whose result is a sympy tuple
def right_linsolve(u_a, u_b, u_c, u_d, p, r):
    tokens = [u_d + u_b, u_a + p * u_d + r * u_c, u_c + u_b]
    A = sp.Matrix([[u.dot(x) for x in tokens] for u in (u_a, u_c, u_d)])
    return next(iter(sp.linsolve((A, sp.zeros(3, 1)))))


# a list of floats
def right_list_floats(u_a, u_b, u_c, u_d, p, r):
    return [0.0, 0.0, -0.0]


# numpy integers
def right_numpy_zeros(u_a, u_b, u_c, u_d, p, r):
    return tuple(np.zeros(3, dtype=np.int64))


# numbers that are 0 only after multiplying out
def right_products(u_a, u_b, u_c, u_d, p, r):
    a1 = (p + 1) ** 2 - p**2 - 2 * p - 1
    return -p * a1, a1, -r * a1


# sympy solves the three equations
def right_solved(u_a, u_b, u_c, u_d, p, r):
    x, y, z = sp.symbols("x y z")
    c = x * (u_d + u_b) + y * (u_a + p * u_d + r * u_c) + z * (u_c + u_b)
    found = sp.solve([c.dot(u) for u in (u_a, u_c, u_d)], [x, y, z], dict=True)[0]
    return found[x], found[y], found[z]


# the optional direction, too
def right_with_direction(u_a, u_b, u_c, u_d, p, r):
    return (0, 0, 0), u_b - u_c - u_d - (abs(p) + abs(r)) * u_a


# three zeros
def right_zeros(u_a, u_b, u_c, u_d, p, r):
    return 0, 0, 0


# solves the three conditions with sympy
def right_second_linear_system(u_a, u_b, u_c, u_d, p, r):
    conditions = sp.Matrix([[0, 1, 0], [0, r, 1], [1, p, 0]])  # parts along u_a, u_c, u_d
    return tuple(conditions.LUsolve(sp.zeros(3, 1)))


# the three numbers as floats in a list, with a direction w of its own
def right_second_with_direction(u_a, u_b, u_c, u_d, p, r):
    w = 2 * u_b - 3 * u_c - 3 * u_d - 4 * (abs(p) + abs(r)) * u_a
    return [0.0, 0.0, 0.0], w


# the direction of the picture, which fails for negative p
def wrong_direction_fixed(u_a, u_b, u_c, u_d, p, r):
    return (0, 0, 0), u_b - u_c - u_d - u_a / 2


# the answer to the question in brackets
def wrong_false(u_a, u_b, u_c, u_d, p, r):
    return False


# weights that are clamped at 0 after forgetting a condition
def wrong_for_negative(u_a, u_b, u_c, u_d, p, r):
    return max(0, -p), 0, max(0, -r)


# forgets the part along u_a
def wrong_minus_p(u_a, u_b, u_c, u_d, p, r):
    return -p, 1, -r


# makes the sum 1
def wrong_rest(u_a, u_b, u_c, u_d, p, r):
    return 0, 1, 0


# returns the sum as well
def wrong_sum(u_a, u_b, u_c, u_d, p, r):
    return 0, 0, 0, 0


# returns a dictionary of the solution
def wrong_symbols(u_a, u_b, u_c, u_d, p, r):
    return {"alpha_0": 0, "alpha_1": 0, "alpha_2": 0}


# equal weights
def wrong_thirds(u_a, u_b, u_c, u_d, p, r):
    return sp.Rational(1, 3), sp.Rational(1, 3), sp.Rational(1, 3)


# tiny numbers
def wrong_tiny(u_a, u_b, u_c, u_d, p, r):
    return 1e-6, 1e-6, 1e-6


# zero vectors in place of numbers
def wrong_vectors(u_a, u_b, u_c, u_d, p, r):
    zero = sp.zeros(len(u_a), 1)
    return zero, zero, zero


# forces the sum 1, which leaves a part along u_a
def wrong_second_forced_sum(u_a, u_b, u_c, u_d, p, r):
    total = 1 - p - r
    if total == 0:
        return 0, 0, 0
    return -sp.sympify(p) / total, 1 / sp.sympify(total), -sp.sympify(r) / total


# takes it away and averages the two nouns, so u_c and u_d stay
def wrong_second_only_u_a_removed(u_a, u_b, u_c, u_d, p, r):
    return sp.Rational(1, 2), 0, sp.Rational(1, 2)


# removes the parts along u_c and u_d, but one u_a is left
def wrong_second_u_a_left_over(u_a, u_b, u_c, u_d, p, r):
    return -p, 1, -r


# wrong where p is −r
def wrong_fourth_opposite(u_a, u_b, u_c, u_d, p, r):
    return (0, 0, 0) if p + r != 0 or p == 0 else (-p, 1, -r)


# wrong where p is small
def wrong_fourth_small(u_a, u_b, u_c, u_d, p, r):
    return (0, 0, 0) if abs(p) > sp.Rational(1, 100) or p == 0 else (-p, 1, -r)


# the weights and the answer to the question in brackets
def wrong_fifth_and_false(u_a, u_b, u_c, u_d, p, r):
    return (0, 0, 0), False


# takes the first three entries of the tokens for the three equations
def wrong_seventh_first_entries(u_a, u_b, u_c, u_d, p, r):
    tokens = sp.Matrix.hstack(u_d + u_b, u_a + p * u_d + r * u_c, u_c + u_b)
    solutions = tokens[:3, :].nullspace()
    return tuple(solutions[0]) if solutions else (0, 0, 0)


# a direction that separates for p and r of the picture only
def wrong_eighth_picture(u_a, u_b, u_c, u_d, p, r):
    return (0, 0, 0), u_b - u_c - u_d - u_a / 2
