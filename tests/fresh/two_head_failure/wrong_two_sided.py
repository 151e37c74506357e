# both sides
def two_head_failure():
    return sp.erfc(1)
