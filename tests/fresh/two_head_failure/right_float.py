# a float with all digits
def two_head_failure():
    return math.erfc(1) / 2
