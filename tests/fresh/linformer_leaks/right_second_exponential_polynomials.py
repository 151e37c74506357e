# writes the output as a quotient of sums of exponentials and multiplies the quotient rule out
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
