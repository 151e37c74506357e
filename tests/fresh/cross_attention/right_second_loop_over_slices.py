# a loop over heads with pieces of the four matrices, the results added up
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    pieces = zip(w_q.chunk(n_head, 1), w_k.chunk(n_head, 1), w_v.chunk(n_head, 1), w_o.chunk(n_head, 0))

    def head(a, b, c, o):
        scores = torch.matmul(x @ a, (memory @ b).mT) / math.sqrt(a.shape[1])
        scores = scores - scores.amax(dim=-1, keepdim=True).detach()
        powers = scores.exp()
        return powers / powers.sum(dim=-1, keepdim=True) @ (memory @ c) @ o

    return sum(head(*piece) for piece in pieces)
