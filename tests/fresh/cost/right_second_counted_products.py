# a small class that notes the size of every product and every softmax
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
