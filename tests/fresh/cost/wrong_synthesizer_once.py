# the Synthesizer's logits are thought to be free
def cost(T, d_k, r, k):
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (T * T * d_k, T * T),
        "linformer": (4 * T * r * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }
