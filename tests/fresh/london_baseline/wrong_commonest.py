# the commonest place, whatever it is
def london_baseline(pairs):
    places = [place for _, place in pairs]
    return max(places.count(place) for place in places) / len(places)
