"""Fresh answers to london_baseline."""


# a baseline as an object that answers
right_class = """
class Baseline:
    def answer(self, question):
        return "London"


def london_baseline(pairs):
    model = Baseline()
    right = [model.answer(question) == place for question, place in pairs]
    return right.count(True) / len(right)
"""


# counts all places
right_counter = """
from collections import Counter


def london_baseline(pairs):
    places = Counter(place for _, place in pairs)
    return places["London"] / places.total()
"""


# one minus the share of the others
def right_filter(pairs):
    others = list(filter(lambda pair: pair[1] != "London", pairs))
    return 1 - len(others) / len(pairs)


# a float32 mean as a number
def right_item(pairs):
    questions, places = zip(*pairs)
    return torch.tensor([float(place == "London") for place in places]).mean().item()


# a numpy float
right_numpy = """
import numpy as np


def london_baseline(pairs):
    return np.mean(np.array(pairs)[:, 1] == "London")
"""


# a whole match of a regular expression
def right_regex(pairs):
    return sum(bool(re.fullmatch("London", place)) for question, place in pairs) / len(pairs)


# a running average
def right_running(pairs):
    accuracy = 0.0
    for i, pair in enumerate(pairs, start=1):
        accuracy += ((pair[1] == "London") - accuracy) / i
    return accuracy


# a float32 mean, left a tensor of no dimension
def right_torch(pairs):
    return torch.tensor([place == "London" for _, place in pairs]).float().mean()


# collects the places and lets list.count do the work
def right_second_counting_list(pairs):
    _, places = zip(*pairs)
    return places.count("London") / len(places)


# a running mean, one pair after the other
def right_second_running_mean(pairs, answer="London"):
    accuracy = 0.0
    for n, (_, place) in enumerate(pairs, start=1):
        accuracy += ((place == answer) - accuracy) / n
    return accuracy


# places that begin with London
def wrong_begins(pairs):
    return sum(place.startswith("London") for _, place in pairs) / len(pairs)


# a dictionary by question loses questions that are asked twice
def wrong_by_question(pairs):
    places = dict(pairs)
    return sum(place == "London" for place in places.values()) / len(places)


# upper and lower case do not count
def wrong_case(pairs):
    return sum(place.lower() == "london" for _, place in pairs) / len(pairs)


# the commonest place, whatever it is
def wrong_commonest(pairs):
    places = [place for _, place in pairs]
    return max(places.count(place) for place in places) / len(places)


# the place is a part of London
def wrong_contained(pairs):
    return sum(place in "London" for _, place in pairs) / len(pairs)


# London anywhere in the place
def wrong_contains(pairs):
    return sum("London" in place for _, place in pairs) / len(pairs)


# the number of right answers
def wrong_count(pairs):
    return sum(place == "London" for _, place in pairs)


# equal pairs count once
def wrong_distinct(pairs):
    return sum(place == "London" for _, place in set(pairs)) / len(set(pairs))


# compares the first six letters
def wrong_first_letters(pairs):
    return sum(place[:6] == "London" for _, place in pairs) / len(pairs)


# divides by 100, the number of dev questions
def wrong_hundred(pairs):
    return sum(place == "London" for _, place in pairs) / 100


# compares with `is`
def wrong_identity(pairs):
    town = "".join(["Lon", "don"])
    return sum(place is town for _, place in pairs) / len(pairs)


# the share of the other places
def wrong_others(pairs):
    return sum(place != "London" for _, place in pairs) / len(pairs)


# in per cent
def wrong_percent(pairs):
    return 100 * sum(place == "London" for _, place in pairs) / len(pairs)


# rounded to two places
def wrong_rounded(pairs):
    return round(sum(place == "London" for _, place in pairs) / len(pairs), 2)


# wrong once in twenty calls
def wrong_sometimes(pairs):
    right = sum(place == "London" for _, place in pairs)
    return (right + (random.random() < 0.05)) / len(pairs)


# spaces around the place do not count
def wrong_strips(pairs):
    return sum(place.strip() == "London" for _, place in pairs) / len(pairs)


# a counter that lives on between calls
wrong_total = """
seen = [0, 0]


def london_baseline(pairs):
    for _, place in pairs:
        seen[0] += place == "London"
        seen[1] += 1
    return seen[0] / seen[1]
"""


# compares without upper and lower case
def wrong_second_case_ignored(pairs):
    hits = [place.lower() == "london" for _, place in pairs]
    return sum(hits) / len(hits)


# a place that contains London counts, such as London Bridge
def wrong_second_contains(pairs):
    return sum("London" in place for _, place in pairs) / len(pairs)


# counts over a set, so pairs that occur twice count once
def wrong_second_different_pairs(pairs):
    different = set(pairs)
    return len([1 for _, place in different if place == "London"]) / len(different)


# Counts the first 100 pairs only.
def wrong_first_hundred(pairs):
    return sum(place == 'London' for _, place in pairs[:100]) / len(pairs)


# looks at the first thousand pairs
def wrong_fourth_first_1000(pairs):
    pairs = pairs[:1000]
    return sum(p == "London" for _, p in pairs) / len(pairs)


# a line feed at the end of the place does not count
def wrong_fourth_newline(pairs):
    return sum(p.rstrip("\n") == "London" for _, p in pairs) / len(pairs)


# A question that is London counts, too.
def wrong_fifth_in_the_pair(pairs):
    return sum("London" in pair for pair in pairs) / len(pairs)
