"""Fresh answers to interval95."""


# halving on both sides
def right_bisection(correct, total):
    share = correct / total

    def inside(p):
        return abs(share - p) <= 1.96 * math.sqrt(p * (1 - p) / total)

    def border(good, bad):
        for _ in range(100):
            middle = (good + bad) / 2
            good, bad = (middle, bad) if inside(middle) else (good, middle)
        return good

    return (border(share, 0.0), border(share, 1.0))


# the upper border from the lower one of the wrong answers
def right_mirrored(correct, total):
    def low(k):
        s, c = k / total, 1.96**2 / total
        return (s + c / 2 - math.sqrt(c * (s * (1 - s) + c / 4))) / (1 + c)

    return low(correct), 1 - low(total - correct)


# a named tuple
right_named = """
from collections import namedtuple

Interval = namedtuple("Interval", ["low", "high"])


def interval95(correct, total):
    z2 = 1.96 * 1.96
    root = (z2 * (z2 + 4 * correct * (total - correct) / total)) ** 0.5
    low, high = (((2 * correct + z2) + sign * root) / (2 * (total + z2)) for sign in (-1, 1))
    return Interval(max(low, 0.0), min(high, 1.0))
"""


# Newton's method from outside
def right_newton(correct, total):
    share, c = correct / total, 1.96**2 / total

    def root(p):
        for _ in range(200):
            value = (share - p) ** 2 - c * p * (1 - p)
            slope = -2 * (share - p) - c * (1 - 2 * p)
            p -= value / slope
        return p

    return max(0.0, root(0.0)), min(1.0, root(1.0))


# the roots of the polynomial, as numpy numbers
right_numpy_roots = """
import numpy as np


def interval95(correct, total):
    share, c = correct / total, 1.96**2 / total
    low, high = sorted(np.roots([1 + c, -(2 * share + c), share**2]).real)
    return low, high
"""


# float32 tensors and a list
def right_torch32(correct, total):
    n, k = torch.tensor(float(total)), torch.tensor(float(correct))
    z = 1.96
    centre = (k + z * z / 2) / (n + z * z)
    half = z * torch.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return [max(0.0, (centre - half).item()), min(1.0, (centre + half).item())]


# the second border from the product of the roots
def right_vieta(correct, total):
    share = correct / total
    a, b, c = 1 + 3.8416 / total, -(2 * share + 3.8416 / total), share * share
    high = (-b + math.sqrt(max(0.0, b * b - 4 * a * c))) / (2 * a)
    return c / a / high, min(1.0, high)


# Wilson's closed form
def right_wilson(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return (middle - half) / scale, (middle + half) / scale


# no algebra: bisection on both sides of the measured share
def right_second_bisection(correct, total):
    share = correct / total

    def inside(p):
        return abs(share - p) <= 1.96 * math.sqrt(p * (1 - p) / total)

    def border(good, bad):
        if inside(bad):
            return bad
        for _ in range(200):
            middle = (good + bad) / 2
            good, bad = (middle, bad) if inside(middle) else (good, middle)
        return good

    return border(share, 0.0), border(share, 1.0)


# squares both sides and solves the quadratic equation with Vieta's rule
def right_second_quadratic_formula(correct, total):
    share, z = correct / total, 1.96
    # (share − p)² = z² p (1 − p) / n  →  a p² − 2 b p + c = 0
    a, b, c = 1 + z * z / total, share + z * z / (2 * total), share * share
    high = (b + math.sqrt(max(0.0, b * b - a * c))) / a
    low = c / (a * high)  # the product of both solutions is c / a
    return low, min(1.0, high)


# the rule of two more successes and two more failures
def wrong_agresti(correct, total):
    n = total + 1.96**2
    p = (correct + 1.96**2 / 2) / n
    half = 1.96 * math.sqrt(p * (1 - p) / n)
    return max(0.0, p - half), min(1.0, p + half)


# the centre is not moved
def wrong_centre(correct, total):
    z, p = 1.96, correct / total
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2)) / (1 + z**2 / total)
    return max(0.0, p - half), min(1.0, p + half)


# with a correction for continuity
def wrong_continuity(correct, total):
    z, n, p = 1.96, total, correct / total
    low = (2 * n * p + z * z - 1 - z * math.sqrt(max(0, z * z - 2 - 1 / n + 4 * p * (n * (1 - p) + 1)))) / (2 * (n + z * z))
    high = (2 * n * p + z * z + 1 + z * math.sqrt(max(0, z * z + 2 - 1 / n + 4 * p * (n * (1 - p) - 1)))) / (2 * (n + z * z))
    return max(0.0, low), min(1.0, high)


# a grid of thousandths
def wrong_grid(correct, total):
    grid = [i / 1000 for i in range(1001)]
    inside = [p for p in grid if abs(correct / total - p) <= 1.96 * math.sqrt(p * (1 - p) / total)]
    return inside[0], inside[-1]


# centre and half width
def wrong_half(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return middle / scale, half / scale


# always 100 questions
def wrong_hundred(correct, total):
    z, p, total = 1.96, correct / total, 100
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    return (middle - half) / (1 + z**2 / total), (middle + half) / (1 + z**2 / total)


# the lower border is 0 for up to three right answers
def wrong_low_zero(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return (0.0 if correct <= 3 else (middle - half) / scale), (middle + half) / scale


# total − 1
def wrong_n_minus_one(correct, total):
    z, p, n = 1.96, correct / total, total - 1
    middle = p + z**2 / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return (middle - half) / (1 + z**2 / n), (middle + half) / (1 + z**2 / n)


# the division by 1 + z²/n is missing
def wrong_not_divided(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    return max(0.0, middle - half), min(1.0, middle + half)


# z in place of z² in the centre
def wrong_not_squared(correct, total):
    z, p = 1.96, correct / total
    middle = p + z / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


# in per cent
def wrong_percent(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return 100 * (middle - half) / scale, 100 * (middle + half) / scale


# rounded to three places
def wrong_rounded(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return round((middle - half) / scale, 3), round((middle + half) / scale, 3)


# high before low
def wrong_swapped(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    return (middle + half) / (1 + z**2 / total), (middle - half) / (1 + z**2 / total)


# the textbook interval, cut to [0, 1]
def wrong_textbook(correct, total):
    p = correct / total
    half = 1.96 * math.sqrt(p * (1 - p) / total)
    return max(0.0, p - half), min(1.0, p + half)


# Wilson at the ends, the textbook elsewhere
def wrong_textbook_unless_zero(correct, total):
    p, c = correct / total, 1.96**2
    if correct == 0:
        return 0.0, c / (total + c)
    if correct == total:
        return total / (total + c), 1.0
    half = 1.96 * math.sqrt(p * (1 - p) / total)
    return max(0.0, p - half), min(1.0, p + half)


# z²/4n in place of z²/4n²
def wrong_two_n(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total))
    scale = 1 + z**2 / total
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


# 1.645, the one-sided number
def wrong_z_one_sided(correct, total):
    z, p = 1.645, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    return (middle - half) / (1 + z**2 / total), (middle + half) / (1 + z**2 / total)


# 2 in place of 1.96
def wrong_z_two(correct, total):
    z, p = 2.0, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    return (middle - half) / (1 + z**2 / total), (middle + half) / (1 + z**2 / total)


# the half-width of Wilson, but around the measured share
def wrong_second_centre_not_moved(correct, total):
    p, z = correct / total, 1.96
    half = z / (1 + z * z / total) * math.sqrt(p * (1 - p) / total + z * z / (4 * total**2))
    return max(0.0, p - half), min(1.0, p + half)


# forgets the factor 4 under the root
def wrong_second_four_times_missing(correct, total):
    p, z = correct / total, 1.96
    centre = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(p * (1 - p) / total + z * z / total**2)
    return max(0.0, centre - half), min(1.0, centre + half)


# the textbook interval, with the standard error of the measured share
def wrong_second_textbook(correct, total):
    p = correct / total
    reach = 1.96 * math.sqrt(p * (1 - p) / total)
    return max(0.0, p - reach), min(1.0, p + reach)


# the interval is closed at 1 as soon as no more than three are wrong
def wrong_high_one(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return max(0.0, (middle - half) / scale), (1.0 if total - correct <= 3 else (middle + half) / scale)


# for few questions it takes Student's t
def wrong_t_for_few(correct, total):
    z = 1.96 if total >= 30 else 2.2
    p = correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


# for an accuracy of 0 or 1 the rule of three
def wrong_rule_of_three(correct, total):
    if correct == 0:
        return 0.0, min(1.0, 3.84 / (total + 3.84))
    if correct == total:
        return 1 - 3 / total, 1.0
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    return max(0.0, (middle - half) / (1 + z**2 / total)), min(1.0, (middle + half) / (1 + z**2 / total))


# above one half, the interval of the wrong answers is not turned back
def wrong_of_the_rarer(correct, total):
    z, p = 1.96, min(correct, total - correct) / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


# rounded to a thousandth of a per cent
wrong_fourth_round3pct = """
def wilson(correct, total, z=1.96):
    p = correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)
def interval95(correct, total):
    low, high = wilson(correct, total)
    return round(100 * low, 3) / 100, round(100 * high, 3) / 100
"""
