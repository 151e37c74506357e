# the rounded number
def two_head_failure():
    return 0.0786
