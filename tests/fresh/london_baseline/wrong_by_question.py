# a dictionary by question loses questions that are asked twice
def london_baseline(pairs):
    places = dict(pairs)
    return sum(place == "London" for place in places.values()) / len(places)
