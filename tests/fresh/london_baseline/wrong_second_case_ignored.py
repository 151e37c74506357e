# compares without upper and lower case
def london_baseline(pairs):
    hits = [place.lower() == "london" for _, place in pairs]
    return sum(hits) / len(hits)
