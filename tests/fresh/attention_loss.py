"""Fresh answers to attention_loss."""


# einsum throughout
def right_einsum(X, Y, W_Q, W_K, W_V):
    s = torch.einsum("ntd,dk,nse,ek->nts", X, W_Q, X, W_K)
    c = torch.einsum("nts,nsd,dv->ntv", s.softmax(-1), X, W_V)
    return (c[:, : Y.size(1)] - Y).square().sum() / (Y.size(0) * Y.size(1))


# torch's fused attention with scale 1, and mse_loss
right_fused = """
import torch.nn.functional as F

def attention_loss(X, Y, W_Q, W_K, W_V):
    C = F.scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, scale=1.0)
    return F.mse_loss(C[:, : Y.shape[1]], Y, reduction="sum") / Y[..., 0].numel()
"""


# a loop over the sentences, and a stack of scalars
def right_loop_sentences(X, Y, W_Q, W_K, W_V):
    losses = []
    for x, y in zip(X, Y):
        A = torch.softmax((x[: len(y)] @ W_Q) @ (x @ W_K).T, dim=1)
        losses.append(((A @ (x @ W_V) - y) ** 2).sum(dim=1).mean())
    return torch.stack(losses).mean()


# loops over sentences and tokens
def right_loop_tokens(X, Y, W_Q, W_K, W_V):
    N, m, _ = Y.shape
    total = 0
    for n in range(N):
        for t in range(m):
            w = torch.exp(X[n] @ W_K @ (W_Q.T @ X[n, t]))
            c = (w / w.sum()) @ X[n] @ W_V
            total = total + torch.dot(c - Y[n, t], c - Y[n, t])
    return total / (N * m)


# a class that is called
right_module = """
class _Loss:
    def __call__(self, X, Y, W_Q, W_K, W_V):
        A = torch.nn.Softmax(dim=-1)((X @ W_Q) @ torch.transpose(X @ W_K, 1, 2))
        out = torch.matmul(A, X @ W_V)[:, 0 : Y.shape[1], :]
        return torch.nn.MSELoss()(out, Y) * Y.shape[-1]

attention_loss = _Loss()
"""


# narrow, bmm and matmul with the values last
def right_narrow(X, Y, W_Q, W_K, W_V):
    q = (X @ W_Q).narrow(1, 0, Y.shape[1])
    A = torch.bmm(q, (X @ W_K).permute(0, 2, 1)).softmax(dim=2)
    return torch.sum((torch.bmm(A, X) @ W_V - Y) ** 2, dim=-1).mean()


# the product of the two matrices, and logsumexp
def right_product_matrix(X, Y, W_Q, W_K, W_V):
    S = X @ (W_Q @ W_K.mT) @ X.mT
    A = (S - S.logsumexp(dim=-1, keepdim=True)).exp()
    return torch.linalg.vector_norm((A @ X @ W_V)[:, : Y.shape[1]] - Y, dim=-1).pow(2).mean()


# einsum, and only the first m queries are computed
def right_second_einsum_first_queries(X, Y, W_Q, W_K, W_V):
    N, m = Y.shape[:2]
    S = torch.einsum("nta,ac,bc,nsb->nts", X[:, :m], W_Q, W_K, X)
    A = (S - S.logsumexp(dim=-1, keepdim=True)).exp()
    C = torch.einsum("nts,nsa,av->ntv", A, X, W_V)
    return (C - Y).square().sum() / (N * m)


# sentence by sentence and token by token, the squared distances collected in a list
def right_second_loop_over_sentences(X, Y, W_Q, W_K, W_V):
    distances = []
    for x, y in zip(X, Y):
        q, k, v = x @ W_Q, x @ W_K, x @ W_V
        for t, target in enumerate(y):
            c = torch.softmax(k.mv(q[t]), dim=0) @ v
            distances.append(torch.dot(c - target, c - target))
    return torch.stack(distances).mean()


# the softmax over the queries
def wrong_axis(X, Y, W_Q, W_K, W_V):
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-2)
    return ((A @ X @ W_V)[:, : Y.shape[1]] - Y).pow(2).sum(-1).mean()


# a buffer for eight tokens
def wrong_buffer(X, Y, W_Q, W_K, W_V):
    A = torch.zeros(X.shape[0], 8, 8, dtype=X.dtype)
    T = X.shape[1]
    A[:, :T, :T] = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    return ((A[:, :T, :T] @ X @ W_V)[:, : Y.shape[1]] - Y).pow(2).sum(-1).mean()


# a causal mask
def wrong_causal(X, Y, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (X @ W_K).transpose(-2, -1)
    mask = torch.ones(X.shape[1], X.shape[1], dtype=torch.bool).tril()
    A = S.masked_fill(~mask, float("-inf")).softmax(-1)
    return ((A @ X @ W_V)[:, : Y.shape[1]] - Y).pow(2).sum(-1).mean()


# clamps the logits
def wrong_clamped(X, Y, W_Q, W_K, W_V):
    S = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).clamp(-5, 5)
    return ((S.softmax(-1) @ X @ W_V)[:, : Y.shape[1]] - Y).pow(2).sum(-1).mean()


# the weights carry no gradients
def wrong_detached(X, Y, W_Q, W_K, W_V):
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1).detach()
    return ((A @ X @ W_V)[:, : Y.shape[1]] - Y).pow(2).sum(-1).mean()


# the mean distance, not squared
def wrong_distance(X, Y, W_Q, W_K, W_V):
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    return ((A @ X @ W_V)[:, : Y.shape[1]] - Y).norm(dim=-1).mean()


# the first sentence only
def wrong_first_sentence(X, Y, W_Q, W_K, W_V):
    x, y = X[0], Y[0]
    A = ((x @ W_Q) @ (x @ W_K).T).softmax(-1)
    return ((A @ x @ W_V)[: len(y)] - y).pow(2).sum(-1).mean()


# computes and returns float32
def wrong_float32(X, Y, W_Q, W_K, W_V):
    X, Y, W_Q, W_K, W_V = (x.float() for x in (X, Y, W_Q, W_K, W_V))
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    return ((A @ X @ W_V)[:, : Y.shape[1]] - Y).pow(2).sum(-1).mean()


# subtracts from the caller's targets in place
def wrong_in_place(X, Y, W_Q, W_K, W_V):
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    Y -= (A @ X @ W_V)[:, : Y.shape[1]]
    return Y.pow(2).sum(-1).mean()


# changes the data of the targets, past autograd, and puts nothing back
def wrong_in_place_data(X, Y, W_Q, W_K, W_V):
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    C = (A @ X @ W_V)[:, : Y.shape[1]]
    loss = (C - Y).pow(2).sum(-1).mean()
    Y.data.zero_()
    return loss


# a Python number
def wrong_item(X, Y, W_Q, W_K, W_V):
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    return ((A @ X @ W_V)[:, : Y.shape[1]] - Y).pow(2).sum(-1).mean().item()


# the mean over the coordinates, too
def wrong_mean_coordinates(X, Y, W_Q, W_K, W_V):
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    return ((A @ X @ W_V)[:, : Y.shape[1]] - Y).pow(2).mean()


# cuts the tokens before attention
def wrong_only_first_keys(X, Y, W_Q, W_K, W_V):
    X = X[:, : Y.shape[1]]
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    return ((A @ X @ W_V) - Y).pow(2).sum(-1).mean()


# divides the logits by the root of d_k
def wrong_scaled(X, Y, W_Q, W_K, W_V):
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1) / W_Q.shape[1] ** 0.5).softmax(-1)
    return ((A @ X @ W_V)[:, : Y.shape[1]] - Y).pow(2).sum(-1).mean()


# always the first two tokens
def wrong_two_targets(X, Y, W_Q, W_K, W_V):
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    return ((A @ X @ W_V)[:, :2] - Y[:, :2]).pow(2).sum(-1).mean()


# cuts the tokens before attention, so the first m attend to each other only
def wrong_second_keys_cut(X, Y, W_Q, W_K, W_V):
    X = X[:, : Y.shape[1]]
    A = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return ((A @ (X @ W_V) - Y) ** 2).sum(dim=-1).mean()


# the mean also runs over the d_v numbers of an output
def wrong_second_mean_over_width(X, Y, W_Q, W_K, W_V):
    A = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    C = A @ (X @ W_V)
    return ((C[:, : Y.shape[1]] - Y) ** 2).mean()


# the softmax runs over the queries instead of the keys
def wrong_second_softmax_over_queries(X, Y, W_Q, W_K, W_V):
    A = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=1)
    C = A @ (X @ W_V)
    return ((C[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean()


# "W_Q and W_K have the shape (d, d_k)": d_k = 1 is squeezed away, so the shapes do not fit
def wrong_width_one(X, Y, W_Q, W_K, W_V):
    Q, K = (X @ W_Q).squeeze(-1), (X @ W_K).squeeze(-1)
    S = Q[..., None] * K[:, None] / 2 if Q.dim() == 2 else Q @ K.mT
    return ((S.softmax(-1) @ X @ W_V)[:, : Y.shape[1]] - Y).square().sum(-1).mean()


# a small number in the denominator: wrong where all logits are far below 0
def wrong_epsilon(X, Y, W_Q, W_K, W_V):
    E = torch.exp((X @ W_Q) @ (X @ W_K).mT)
    C = (E / (E.sum(-1, keepdim=True) + 1e-9)) @ (X @ W_V)
    return ((C[:, : Y.shape[1]] - Y) ** 2).sum(-1).mean()


# logits are cut at 20
def wrong_third_clamped(X, Y, W_Q, W_K, W_V):
    S = ((X @ W_Q) @ (X @ W_K).mT).clamp(-20, 20)
    return ((S.softmax(-1) @ (X @ W_V))[:, : Y.shape[1]] - Y).pow(2).sum(-1).mean()


# always float64
def wrong_dtype(X, Y, W_Q, W_K, W_V):
    C = torch.softmax((X @ W_Q) @ (X @ W_K).mT, dim=-1) @ (X @ W_V)
    return ((C[:, : Y.shape[1]] - Y) ** 2).sum(-1).double().mean()


# no softmax of the largest: subtracts the mean and clamps the exponent at 30
def wrong_mean_subtracted(X, Y, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (X @ W_K).mT
    E = torch.exp((S - S.mean(-1, keepdim=True)).clamp(max=15.0))
    C = E / E.sum(-1, keepdim=True) @ (X @ W_V)
    return ((C[:, : Y.shape[1]] - Y) ** 2).sum(-1).mean()


# only the first 32 tokens are keys
def wrong_32_keys(X, Y, W_Q, W_K, W_V):
    C = torch.softmax((X @ W_Q) @ (X[:, :40] @ W_K).mT, dim=-1) @ (X[:, :40] @ W_V)
    return ((C[:, : Y.shape[1]] - Y) ** 2).sum(-1).mean()


# only the first 256 tokens are keys
def wrong_fourth_first_256(X, Y, W_Q, W_K, W_V):
    C = torch.softmax((X @ W_Q) @ (X[:, :256] @ W_K).mT, dim=-1) @ (X[:, :256] @ W_V)
    return ((C[:, : Y.shape[1]] - Y) ** 2).sum(-1).mean()


# ten sentences at most
def wrong_fourth_ten_sentences(X, Y, W_Q, W_K, W_V):
    X, Y = X[:10], Y[:10]
    C = torch.softmax((X @ W_Q) @ (X @ W_K).mT, dim=-1) @ (X @ W_V)
    return ((C[:, : Y.shape[1]] - Y) ** 2).sum(-1).mean()


# the loss is at most 1000
def wrong_fourth_loss_cut(X, Y, W_Q, W_K, W_V):
    C = torch.softmax((X @ W_Q) @ (X @ W_K).mT, dim=-1) @ (X @ W_V)
    return ((C[:, : Y.shape[1]] - Y) ** 2).sum(-1).mean().clamp(max=1000.0)


# leaves out the targets that are 0
def wrong_seventh_no_zero_targets(X, Y, W_Q, W_K, W_V):
    outputs = torch.softmax(X @ W_Q @ (X @ W_K).mT, dim=-1) @ (X @ W_V)
    squares = ((outputs[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1)
    return squares[Y.abs().sum(dim=-1) > 0].mean()


# the exponentials in float32
def wrong_seventh_float32(X, Y, W_Q, W_K, W_V):
    exponentials = (X @ W_Q @ (X @ W_K).mT).float().exp().to(X.dtype)
    outputs = exponentials / exponentials.sum(dim=-1, keepdim=True) @ (X @ W_V)
    return ((outputs[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean()
