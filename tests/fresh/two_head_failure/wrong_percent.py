# in percent
def two_head_failure():
    return 50 * math.erfc(1)
