# a variance of 1
def two_head_failure():
    return math.erfc(1 / math.sqrt(2)) / 2
