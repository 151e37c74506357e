"""Fresh answers to linformer_leaks."""


# differences of neighbouring rows
def right_diff(E, F):
    seen = (F != 0).sum(0) > 0
    if E.shape[0] > 1 and E.diff(dim=0).ne(0).any() and F.diff(dim=0).ne(0).any():
        seen = seen | E.diff(dim=0).ne(0).any(dim=0)
    return seen.repeat(E.shape[1], 1)


# plain loops over columns
def right_loop(E, F):
    r, T = E.shape
    rows_equal = all(bool((F[j] == F[0]).all()) for j in range(r))
    out = torch.zeros(T, T, dtype=torch.bool)
    for i in range(T):
        by_value = any(float(F[j, i]) != 0 for j in range(r))
        by_key = not rows_equal and any(float(E[j, i]) != float(E[0, i]) for j in range(r))
        if by_value or by_key:
            out[:, i] = True
    return out


# largest minus smallest entry of each column, expanded
def right_max_min(E, F):
    varies = lambda M: M.amax(0) != M.amin(0)
    column = F.ne(0).any(0) | (varies(E) & varies(F).any())
    return column.expand(len(column), -1)


# numpy, and back to torch at the end
right_numpy = """
import numpy as np


def linformer_leaks(E, F):
    e, f = E.detach().cpu().numpy(), F.detach().cpu().numpy()
    keys = (np.ptp(e, axis=0) != 0) & np.any(f != f[:1])
    return torch.from_numpy(np.tile(np.any(f != 0, axis=0) | keys, (e.shape[1], 1)))
"""


# sets of numbers in lists
def right_sets(E, F):
    T, keys_matter = E.shape[1], len({tuple(row) for row in F.tolist()}) > 1
    row = [set(f) != {0.0} or (keys_matter and len(set(e)) > 1) for e, f in zip(E.T.tolist(), F.T.tolist())]
    return torch.tensor([row] * T)


# exact fractions: the derivative of a softmax average is a sum over pairs of different rows of E
right_second_exact_pairs = '''
from fractions import Fraction


def linformer_leaks(E, F):
    r, T = E.shape
    rows = [tuple(Fraction(value) for value in row) for row in E.double().tolist()]
    columns = [[Fraction(value) for value in column] for column in F.double().T.tolist()]

    def moves(i, u):
        """Whether a softmax average of u, with logits E c for any c, changes with c_i."""
        terms = {}
        for g in range(r):
            for h in range(g):
                term = (rows[g][i] - rows[h][i]) * (u[g] - u[h])
                if term:
                    exponent = tuple(a + b for a, b in zip(rows[g], rows[h]))
                    terms[exponent] = terms.get(exponent, 0) + term
        return any(terms.values())

    def enters(u):
        """Whether u has a part in the average at all: rows with equal weights may cancel."""
        sums = {}
        for row, number in zip(rows, u):
            sums[row] = sums.get(row, 0) + number
        return any(sums.values())

    depends = [enters(columns[i]) or any(moves(i, u) for u in columns) for i in range(T)]
    return torch.tensor(depends).repeat(T, 1)
'''


# writes the output as a quotient of sums of exponentials and multiplies the quotient rule out
right_second_exponential_polynomials = """
from collections import Counter
from fractions import Fraction


def linformer_leaks(E, F):
    exact = lambda matrix: [[Fraction(number) for number in row] for row in matrix.tolist()]  # noqa: E731
    e, f = exact(E), exact(F)
    T = len(e[0])
    below = Counter(map(tuple, e))  # exponent → how often: the denominator

    def product(left, right):
        result = Counter()
        for a, x in left.items():
            for b, y in right.items():
                result[tuple(s + t for s, t in zip(a, b))] += x * y
        return result

    def derivative(terms, i):
        return {exponent: factor * exponent[i] for exponent, factor in terms.items()}

    answer = torch.zeros(T, T, dtype=torch.bool)
    for i in range(T):
        of_value = Counter()
        for exponent, row in zip(map(tuple, e), f):
            of_value[exponent] += row[i]
        if any(of_value.values()):
            answer[:, i] = True
            continue
        if len({row[i] for row in e}) == 1 or len(set(map(tuple, f))) == 1:
            continue
        for column in zip(*f):
            above = Counter()
            for exponent, number in zip(map(tuple, e), column):
                above[exponent] += number
            left, right = product(derivative(above, i), below), product(above, derivative(below, i))
            if any(left[x] != right[x] for x in {*left, *right}):
                answer[:, i] = True
                break
    return answer
"""


# any entry of E or F that is not 0
def wrong_any_entry(E, F):
    return ((E != 0) | (F != 0)).any(0).expand(E.shape[1], -1)


# with a triangle, as if there were a mask
def wrong_causal(E, F):
    column = (F != 0).any(0) | ((E != E[0]).any(0) & (F != F[0]).any())
    return column.expand(E.shape[1], -1).tril()


# a small entry counts as zero
def wrong_close(E, F):
    column = (F.abs() > 1e-6).any(0) | ((E != E[0]).any(0) & (F != F[0]).any())
    return column.expand(E.shape[1], -1)


# asks whether F varies in this column, and not anywhere
def wrong_column_of_f_varies(E, F):
    column = (F != 0).any(0) | ((E != E[0]).any(0) & (F != F[0]).any(0))
    return column.expand(E.shape[1], -1)


# a column of E that varies counts even if all rows of F are equal
def wrong_equal_rows_forgotten(E, F):
    return ((F != 0).any(0) | (E != E[0]).any(0)).expand(E.shape[1], -1)


# the values only
def wrong_f_only(E, F):
    return (F != 0).any(0).expand(E.shape[1], -1)


# compares the first two rows only
def wrong_first_two_rows(E, F):
    column = (F != 0).any(0)
    if len(E) > 1:
        column = column | ((E[0] != E[1]) & (F[0] != F[1]).any())
    return column.expand(E.shape[1], -1)


# the keys only
def wrong_keys_only(E, F):
    return ((E != E[0]).any(0) & (F != F[0]).any()).expand(E.shape[1], -1)


# decides by the rank of E
def wrong_rank(E, F):
    column = (F != 0).any(0) | (torch.linalg.matrix_rank(E) > 1) & (E != 0).any(0)
    return column.expand(E.shape[1], -1)


# a column whose entries cancel counts as zero
def wrong_sum(E, F):
    column = (F.sum(0) != 0) | ((E != E[0]).any(0) & (F != F[0]).any())
    return column.expand(E.shape[1], -1)


# True at [i, t]
def wrong_transposed(E, F):
    column = (F != 0).any(0) | ((E != E[0]).any(0) & (F != F[0]).any())
    return column[:, None].expand(-1, E.shape[1])


# marks only earlier positions, as if the output could not see later ones
def wrong_second_causal_triangle(E, F):
    T = E.shape[1]
    moves = ((E != E[:1]).any(dim=0) & bool((F != F[:1]).any())) | (F != 0).any(dim=0)
    return moves.expand(T, T).tril()


# counts any column of E that is not zero, although a constant one changes nothing
def wrong_second_column_not_zero(E, F):
    T = E.shape[1]
    used = (E != 0).any(dim=0) | (F != 0).any(dim=0)
    return used.repeat(T, 1)


# compares with a tolerance, so tiny entries count as zero
def wrong_second_small_is_zero(E, F):
    T = E.shape[1]
    by_value = F.abs().amax(dim=0) > 1e-8
    by_key = (E.amax(dim=0) - E.amin(dim=0) > 1e-8) & bool((F.amax(dim=0) - F.amin(dim=0) > 1e-8).any())
    return (by_value | by_key)[None, :].repeat(T, 1)


# centres by the mean: rounding makes a constant column differ from its mean
def wrong_mean(E, F):
    T = E.shape[1]
    return ((F != 0).any(0) | ((E - E.mean(0) != 0).any(0) & (F != F[:1]).any())).expand(T, T).clone()


# of F only the first two rows are compared; the third one differs
def wrong_first_two_rows_of_F(E, F):
    T = E.shape[1]
    other = min(1, len(E) - 1)
    row = (F != 0).any(0) | ((E != E[:1]).any(0) & (F[0] != F[other]).any())
    return row.expand(T, T).clone()


# only the first four mixed rows are looked at
def wrong_fourth_four_rows(E, F):
    r, T = E.shape
    by_v = (F[:4] != 0).any(0)
    by_k = (E[:4] != E[:1]).any(0) & bool((F[:4] != F[:1]).any())
    return (by_v | by_k).expand(T, T).clone()


# the rank of F in place of rows that differ
def wrong_fifth_rank_of_F(E, F):
    keys = (E != E[:1]).any(dim=0) & (torch.linalg.matrix_rank(F) > 1)
    return ((F != 0).any(dim=0) | keys).expand(E.shape[1], -1).clone()


# Constant by size: the column (5, -5) of E counts as constant.
def wrong_seventh_abs_constant(E, F):
    reads = (F != 0).any(0) | ((E.abs() != E[:1].abs()).any(0) & (F != F[:1]).any())
    return reads.expand(E.shape[1], -1).clone()


# The rows of F are compared sorted: (1, 2) and (2, 1) count as equal.
def wrong_seventh_sorted_rows(E, F):
    rows = F.sort(dim=1).values
    reads = (F != 0).any(0) | ((E != E[:1]).any(0) & (rows != rows[:1]).any())
    return reads.expand(E.shape[1], -1).clone()


# Constant if equal to the column's mean: the rounded mean of three times 0.1 is not 0.1.
def wrong_seventh_mean(E, F):
    reads = (F != 0).any(0) | ((E != E.sum(dim=0) / len(E)).any(0) & (F != F[:1]).any())
    return reads.expand(E.shape[1], -1).clone()


# Sizes first: sum of squares, and the variance by E[x^2] - E[x]^2, which is not exactly 0 for constant columns.
def wrong_seventh_variance_formula(E, F):
    spread = (E**2).mean(0) - E.mean(0) ** 2
    reads = (F.abs().sum(0) > 0) | ((spread.abs() > 0) & (F != F[:1]).any())
    return reads.expand(E.shape[1], -1).clone()
