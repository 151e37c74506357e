# a Module made for the call; the mask by comparing indices
class Head(torch.nn.Module):
    def forward(self, x, A, b1, B, b2, V):
        i = torch.arange(x.size(1), device=x.device)
        logits = (torch.maximum(x @ A + b1, x.new_zeros(())) @ B + b2)[:, :, : x.size(1)]
        logits = torch.where(i[None, :] <= i[:, None], logits, torch.full_like(logits, -torch.inf))
        return torch.nn.Softmax(-1)(logits).matmul(x.matmul(V))


def synthesizer_attention(x, A, b1, B, b2, V):
    return Head()(x, A, b1, B, b2, V)
