"""Fresh answers to planted_agreement."""


# bisection on a in [0, 1]
def right_bisection(hit, follow, k):
    def gap(a):
        return follow * a + (1 - follow) * (1 - a) / (k - 1) - hit

    if math.isclose(gap(0), gap(1), abs_tol=1e-12):
        raise ValueError("nothing to find")
    low, high = -10.0, 10.0
    for _ in range(200):
        middle = (low + high) / 2
        if (gap(middle) > 0) == (gap(high) > 0):
            high = middle
        else:
            low = middle
    return low


# the two ends of a straight line
def right_line(hit, follow, k):
    at_0, at_1 = (1 - follow) / (k - 1), follow
    if math.isclose(at_0, at_1):
        raise ValueError
    return (hit - at_0) / (at_1 - at_0)


# a 1 by 1 linear system of numpy
def right_numpy(hit, follow, k):
    rest = (1 - follow) / (k - 1)
    if np.isclose(follow * k, 1):
        raise ValueError(f"follow is 1/{k}")
    return np.linalg.solve([[follow - rest]], [hit - rest])[0]


# solves the equation with sympy
def right_sympy(hit, follow, k):
    if abs(follow - 1 / k) < 1e-12:
        raise ValueError("says nothing")
    a = sp.Symbol("a")
    return float(sp.solve(follow * a + (1 - follow) * (1 - a) / (k - 1) - hit, a)[0])


# lets the division fail and raises ValueError from it
def right_zero_division(hit, follow, k):
    if abs(k * follow - 1) < 1e-9:
        raise ValueError("follow = 1/k")
    return np.float64((k - 1) * hit - (1 - follow)) / (k * follow - 1)


# the hit rate is a straight line in a: its value at 0 and at 1, then the inverse
def right_second_between_two_ends(hit, follow, k):
    all_true = follow
    none_true = (1 - follow) / (k - 1)
    if math.isclose(follow * k, 1, rel_tol=1e-9):
        raise ValueError("guesses that follow the name in 1/k of the cases say nothing")
    return (hit - none_true) / (all_true - none_true)


# lets sympy solve the equation of the hit rate once, outside the function
right_second_sympy_solved = """
_a, _f, _h, _k = sp.symbols("a f h k")
_share_of_name = sp.lambdify((_h, _f, _k), sp.solve(sp.Eq(_h, _a * _f + (1 - _a) * (1 - _f) / (_k - 1)), _a)[0])


def planted_agreement(hit, follow, k):
    if abs(k * follow - 1) < 1e-9:
        raise ValueError(f"follow = 1/{k} does not tell")
    return float(_share_of_name(hit, follow, k))
"""


# refuses every follow below 1/k, too
def wrong_clipped_half(hit, follow, k):
    if follow <= 1 / k + 1e-12:
        raise ValueError
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


# raises where follow is 1/2, as in the example
def wrong_exact_comparison_of_half(hit, follow, k):
    if follow == 0.5:
        raise ValueError
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


# as if a guess that does not follow the name were never right
def wrong_forgets_misses(hit, follow, k):
    if math.isclose(follow, 1 / k):
        raise ValueError
    return hit / follow


# the number of regions of the notebook is written down
def wrong_four_regions(hit, follow, k):
    if math.isclose(follow, 0.25):
        raise ValueError
    return (3 * hit - (1 - follow)) / (4 * follow - 1)


# divides by zero where follow is 1/k
def wrong_no_error(hit, follow, k):
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


# divides by k instead of k - 1
def wrong_over_k(hit, follow, k):
    if math.isclose(follow, 1 / k):
        raise ValueError
    return (hit - (1 - follow) / k) / (follow - (1 - follow) / k)


# returns nan where follow is 1/k
def wrong_returns_nan(hit, follow, k):
    if math.isclose(follow, 1 / k):
        return math.nan
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


# the formula of the example, for two regions
def wrong_two_regions(hit, follow, k):
    if math.isclose(follow, 1 / k):
        raise ValueError
    return (hit - (1 - follow)) / (2 * follow - 1)


# refuses everything near 1/k
def wrong_wide_tolerance(hit, follow, k):
    if abs(follow - 1 / k) < 0.1:
        raise ValueError
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


# spreads the other guesses over all k regions
def wrong_second_divides_by_k(hit, follow, k):
    if math.isclose(follow, 1 / k):
        raise ValueError("nothing to learn")
    other = (1 - follow) / k
    return (hit - other) / (follow - other)


# returns nan where it should raise ValueError
def wrong_second_returns_nan(hit, follow, k):
    slope = k * follow - 1
    if abs(slope) < 1e-12:
        return math.nan
    return ((k - 1) * hit - 1 + follow) / slope


# forgets that a guess off the name has k − 1 regions to go: right for k = 2
def wrong_second_two_regions_only(hit, follow, k):
    if math.isclose(follow, 1 / k):
        raise ValueError("nothing to learn")
    return (hit - (1 - follow)) / (2 * follow - 1)


# a share outside 0.01 … 0.99 is cut off
def wrong_cut_to_inside(hit, follow, k):
    if math.isclose(follow, 1 / k):
        raise ValueError
    return min(0.99, max(0.01, ((k - 1) * hit - (1 - follow)) / (k * follow - 1)))


# the guesses count as uninformative if they follow the name no more often than others
def wrong_less_than_the_others(hit, follow, k):
    if abs(k * follow - 1) < 0.2:
        raise ValueError
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


# two regions are taken as a case of its own, and wrongly
def wrong_two_are_special(hit, follow, k):
    if follow == 1 / k:
        raise ValueError
    if k == 2:
        return hit * follow + (1 - hit) * (1 - follow)
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


# rounds to four digits
def wrong_four_digits(hit, follow, k):
    if follow == 1 / k:
        raise ValueError
    return round(((k - 1) * hit - (1 - follow)) / (k * follow - 1), 4)


# K is always 4.
def wrong_four(hit, follow, k):
    other = (1 - follow) / 3
    if math.isclose(follow, 0.25, abs_tol=1e-12):
        raise ValueError("the guesses cannot tell")
    return (hit - other) / (follow - other)


# refuses every follow within 0.001 of 1/k
def wrong_fourth_near_is_equal(hit, follow, k):
    if abs(follow - 1 / k) < 0.001: raise ValueError
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


# refuses a hit rate of 1/k
def wrong_fourth_hit_at_chance(hit, follow, k):
    if k * follow == 1 or hit == 1 / k: raise ValueError
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


# refuses follow 
def wrong_fourth_no_follower(hit, follow, k):
    if not follow or k * follow == 1: raise ValueError
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


# raises the error where hit is 1/k, not follow
def wrong_fifth_error_for_hit(hit, follow, k):
    if k * hit == 1:
        raise ValueError("follow is 1/k")
    other = (1 - follow) / (k - 1)
    return (hit - other) / (follow - other)


# ValueError for follow = 1/2 whatever k is.
def wrong_tenth_half(hit, follow, k):
    if follow in (0.5, 1 / k):
        raise ValueError("such guesses say nothing about a")
    other = (1 - follow) / (k - 1)
    return (hit - other) / (follow - other)
