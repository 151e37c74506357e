# erfc of 1
def two_head_failure():
    return sp.erfc(1) / 2
