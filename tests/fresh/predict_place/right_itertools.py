# takewhile after dropwhile
from itertools import dropwhile, takewhile


def predict_place(generated):
    rest = list(dropwhile(lambda c: c != "⁇", generated))[1:]
    return "".join(takewhile(lambda c: c != "⁇", rest))
