"""All pairs of similar sets, without comparing each set with each.

Two sets A and B are similar if 2 |A ∩ B| / (|A| + |B|) (Dice) is at least t. Then they share at least |A| t /
(2 - t) elements, and at least |B| t / (2 - t). Put all elements into one order, the rarest first: A and B
share one of the first |A| - |A| t / (2 - t) + 1 elements of A and of B. Only sets that do are compared (the
prefix filter of Chaudhuri, Ganti and Kaushik, ICDE 2006). Time grows with the number of sets and of compared
pairs; few pairs share a rare element by chance.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

EPSILON = 1e-9  # a prefix that is too long costs time, one that is too short a pair


def similar_sets(sets: Sequence[frozenset[int]], threshold: float) -> Iterator[tuple[int, int, float]]:
    """(i, j, similarity), i < j, for all pairs of sets with similarity ≥ `threshold`, which is in (0, 1]."""
    spread = Counter(element for elements in sets for element in elements)
    # element → the sets before this one with it in their prefix
    seen: dict[int, list[int]] = defaultdict(list)
    for j, elements in enumerate(sets):
        needed = math.ceil(len(elements) * threshold / (2 - threshold) - EPSILON)
        prefix = sorted(elements, key=lambda element: (spread[element], element))[
            : len(elements) - needed + 1
        ]
        for i in sorted({i for element in prefix for i in seen[element]}):
            similarity = 2 * len(sets[i] & elements) / (len(sets[i]) + len(elements))
            if similarity >= threshold:
                yield i, j, similarity
        for element in prefix:
            seen[element].append(j)
