# collects the places and lets list.count do the work
def london_baseline(pairs):
    _, places = zip(*pairs)
    return places.count("London") / len(places)
