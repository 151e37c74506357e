# weights first
def cost(T, d_k, r, k):
    return {
        "attention": (T * T, 2 * T * T * d_k),
        "synthesizer": (T * T, 2 * T * T * d_k),
        "linformer": (T * r, 4 * T * r * d_k),
        "bigbird": (T * k, 2 * T * k * d_k),
    }
