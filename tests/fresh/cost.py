"""Fresh answers to cost."""


# counts by really multiplying small shapes: a loop over products, lists as pairs
def right_counted(T, d_k, r, k):
    names = {"attention": [(T, d_k, T), (T, T, d_k)], "synthesizer": [(T, d_k, T), (T, T, d_k)]}
    names["linformer"] = [(r, T, d_k)] * 2 + [(T, d_k, r), (T, r, d_k)]
    names["bigbird"] = [(1, d_k, k)] * T + [(1, k, d_k)] * T
    weights = {"attention": T**2, "synthesizer": T**2, "linformer": T * r, "bigbird": T * k}
    return {name: [sum(a * b * c for a, b, c in shapes), weights[name]] for name, shapes in names.items()}


# a fifth key besides the four
def right_extra_key(T, d_k, r, k):
    found = {
        "attention": (2 * T**2 * d_k, T**2),
        "linformer": (4 * r * T * d_k, r * T),
        "bigbird": (2 * k * T * d_k, k * T),
        "perceiver": (0, 0),
    }
    found["synthesizer"] = found["attention"]
    return found


# named tuples and floats
right_named_tuples = """
from typing import NamedTuple


class Cost(NamedTuple):
    multiplications: float
    weights: float


def cost(T, d_k, r, k):
    def pair(columns, extra=0.0):
        return Cost(2.0 * T * columns * d_k + extra, float(T * columns))

    return {"attention": pair(T), "synthesizer": pair(T), "linformer": pair(r, 2 * r * T * d_k), "bigbird": pair(k)}
"""


# math.prod of shapes
def right_products(T, d_k, r, k):
    def products(*shapes):
        return sum(math.prod(shape) for shape in shapes)

    square = products((T, d_k, T), (T, T, d_k)), T * T
    thin = products((r, T, d_k), (r, T, d_k), (T, d_k, r), (T, r, d_k)), T * r
    return dict(attention=square, synthesizer=square, linformer=thin, bigbird=(2 * T * k * d_k, T * k))


# torch integers
def right_torch_integers(T, d_k, r, k):
    columns = torch.tensor([T, T, r, k])
    products = torch.tensor([2, 2, 4, 2]) * T * d_k * columns
    return {n: (int(p), int(T * c)) for n, p, c in zip(("attention", "synthesizer", "linformer", "bigbird"), products, columns)}


# a small class that notes the size of every product and every softmax
right_second_counted_products = """
class Counted:
    def __init__(self):
        self.multiplications = self.weights = 0

    def product(self, a, b, c):
        self.multiplications += a * b * c
        return self

    def softmax(self, rows, columns):
        self.weights += rows * columns
        return self

    def pair(self):
        return self.multiplications, self.weights


def cost(T, d_k, r, k):
    result = {}
    for name, keys in (("attention", T), ("synthesizer", T), ("linformer", r), ("bigbird", k)):
        count = Counted()
        if name == "linformer":
            count.product(r, T, d_k).product(r, T, d_k)  # E K and F V
        result[name] = count.product(T, d_k, keys).softmax(T, keys).product(T, keys, d_k).pair()
    return result
"""


# closed formulas in a dict call, factored in another way
def right_second_dict_call(T: int, d_k: int, r: int, k: int) -> dict[str, tuple[int, int]]:
    row = 2 * d_k  # multiplications for one weight: one logit and one share of the average
    square = T**2
    pair = (row * square, square)
    return dict(attention=pair, synthesizer=pair, bigbird=(row * T * k, T * k), linformer=(row * r * (T + T), r * T))


# BigBird's second product is forgotten
def wrong_bigbird_once(T, d_k, r, k):
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (T * k * d_k, T * k),
    }


# the weights of BigBird are counted as a whole square
def wrong_bigbird_weights(T, d_k, r, k):
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * T),
    }


# weights first
def wrong_exchanged_pair(T, d_k, r, k):
    return {
        "attention": (T * T, 2 * T * T * d_k),
        "synthesizer": (T * T, 2 * T * T * d_k),
        "linformer": (T * r, 4 * T * r * d_k),
        "bigbird": (T * k, 2 * T * k * d_k),
    }


# the Synthesizer's hidden vectors are counted too
def wrong_hidden_counted(T, d_k, r, k):
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k + T * d_k * d_k, T * T),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


# k is capped by T
def wrong_k_capped(T, d_k, r, k):
    k = min(k, T // 2)
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


# the weights of the Linformer include E and F
def wrong_linformer_weights(T, d_k, r, k):
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (4 * T * r * d_k, 3 * T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


# the mixing of the Linformer is not counted
def wrong_linformer_without_mixing(T, d_k, r, k):
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (2 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


# only the keys are mixed
def wrong_mixing_once(T, d_k, r, k):
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (3 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


# the Synthesizer's logits are thought to be free
def wrong_synthesizer_once(T, d_k, r, k):
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (T * T * d_k, T * T),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


# half of the square, because of the mask
def wrong_triangle(T, d_k, r, k):
    half = T * (T + 1) // 2
    return {
        "attention": (2 * half * d_k, half),
        "synthesizer": (2 * half * d_k, half),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


# counts a multiplication and an addition for each entry, twice as many
def wrong_second_additions_counted(T, d_k, r, k):
    return {
        "attention": (4 * T * T * d_k, T * T),
        "synthesizer": (4 * T * T * d_k, T * T),
        "linformer": (8 * T * r * d_k, T * r),
        "bigbird": (4 * T * k * d_k, T * k),
    }


# counts only the entries that the causal mask leaves
def wrong_second_causal_half(T, d_k, r, k):
    half = T * (T + 1) // 2
    return {
        "attention": (2 * half * d_k, half),
        "synthesizer": (2 * half * d_k, half),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


# the mixing of keys and values is not counted in the Linformer
def wrong_second_mixing_forgotten(T, d_k, r, k):
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (2 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


# the Linformer never mixes more rows than there are positions
def wrong_r_capped(T, d_k, r, k):
    r = min(r, 2 * T + 1)
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


# sizes are rounded up to a multiple of two
def wrong_even_lengths(T, d_k, r, k):
    T = T + T % 2
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


# BigBird's first k queries have fewer keys
def wrong_short_first_rows(T, d_k, r, k):
    pairs = sum(min(t + 1, k) if k > 1 else 1 for t in range(T))
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * pairs * d_k, pairs),
    }
