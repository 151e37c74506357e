# takes a standard deviation of 1
def two_head_failure():
    return (1 + math.erf((0 - 1) / math.sqrt(2))) / 2
