# counts all places
from collections import Counter


def london_baseline(pairs):
    places = Counter(place for _, place in pairs)
    return places["London"] / places.total()
