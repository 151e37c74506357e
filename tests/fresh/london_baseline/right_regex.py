# a whole match of a regular expression
def london_baseline(pairs):
    return sum(bool(re.fullmatch("London", place)) for question, place in pairs) / len(pairs)
