# math.prod of shapes
def cost(T, d_k, r, k):
    def products(*shapes):
        return sum(math.prod(shape) for shape in shapes)

    square = products((T, d_k, T), (T, T, d_k)), T * T
    thin = products((r, T, d_k), (r, T, d_k), (T, d_k, r), (T, r, d_k)), T * r
    return dict(attention=square, synthesizer=square, linformer=thin, bigbird=(2 * T * k * d_k, T * k))
