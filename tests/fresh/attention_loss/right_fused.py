# torch's fused attention with scale 1, and mse_loss
import torch.nn.functional as F

def attention_loss(X, Y, W_Q, W_K, W_V):
    C = F.scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, scale=1.0)
    return F.mse_loss(C[:, : Y.shape[1]], Y, reduction="sum") / Y[..., 0].numel()
