# eight digits
def two_head_failure():
    return 0.07864960
