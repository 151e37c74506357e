# sorts words inside each sentence, then groups with itertools; Fraction at the end
from fractions import Fraction
from itertools import groupby


def bag_ceiling(sentences, labels):
    pairs = sorted((" ".join(sorted(s.split(" "))), int(y)) for s, y in zip(sentences, labels))
    good = 0
    for _, group in groupby(pairs, key=lambda pair: pair[0]):
        ys = [y for _, y in group]
        good += max(ys.count(0), ys.count(1))
    return Fraction(good, len(pairs))
