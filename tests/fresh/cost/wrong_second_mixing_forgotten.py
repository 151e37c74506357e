# the mixing of keys and values is not counted in the Linformer
def cost(T, d_k, r, k):
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (2 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }
