# head 0 must beat key b with its logit beta
def two_head_failure():
    return sp.Rational(1, 2)
