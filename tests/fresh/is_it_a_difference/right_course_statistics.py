# Calls the course's own paired test.
def is_it_a_difference(first, second):
    from kqa_core.stats import paired

    return paired(first, second) < 0.05
