"""Fresh answers to MyAttention, written from the statement; some call the functions of the notebook."""

functions = '''
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


'''

# with the functions of Parts 1 and 2
right_own_functions = (
    functions
    + '''class MyAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_head = config.n_head
        self.query = nn.Linear(config.d_model, config.d_model)
        self.key = nn.Linear(config.d_model, config.d_model)
        self.value = nn.Linear(config.d_model, config.d_model)
        self.projection = nn.Linear(config.d_model, config.d_model)

    def forward(self, x):
        q, k, v = (split_heads(layer(x), self.n_head) for layer in (self.query, self.key, self.value))
        scores = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
        return self.projection(merge_heads(torch.softmax(scores, dim=-1) @ v))
'''
)

# the mask is a plain function of the scores
right_triu_of_scores = '''
class Base(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.query = nn.Linear(d, d, bias=True)
        self.key = nn.Linear(d, d, bias=True)
        self.value = nn.Linear(d, d, bias=True)
        self.projection = nn.Linear(d, d, bias=True)


class MyAttention(Base):
    def __init__(self, config):
        super().__init__(config.d_model)
        self.heads, self.width = config.n_head, config.d_model // config.n_head

    def forward(self, x):
        rows, length, _ = x.shape
        shape = rows, length, self.heads, self.width
        q = self.query(x).reshape(shape).permute(0, 2, 1, 3)
        k = self.key(x).reshape(shape).permute(0, 2, 3, 1)
        v = self.value(x).reshape(shape).permute(0, 2, 1, 3)
        s = torch.matmul(q, k) / self.width**0.5
        s = s + torch.triu(torch.ones_like(s) * float("-inf"), diagonal=1)
        return self.projection((s.softmax(dim=3) @ v).permute(0, 2, 1, 3).reshape(rows, length, -1))
'''


# the library's own layer
right_subclass_of_the_library = '''
from kqa_core.model.attention import CausalSelfAttention


class MyAttention(CausalSelfAttention):
    pass
'''


# heads are folded into the batch
class right_heads_in_the_batch(nn.Module):
    def __init__(self, config):
        super().__init__()
        size = config.d_model
        self.n = config.n_head
        self.query, self.key, self.value, self.projection = [nn.Linear(size, size) for _ in range(4)]

    def fold(self, y):
        return torch.cat(y.chunk(self.n, dim=-1), dim=0)  # (n·B, T, d_k)

    def forward(self, x):
        q, k, v = self.fold(self.query(x)), self.fold(self.key(x)), self.fold(self.value(x))
        allowed = torch.ones(x.size(1), x.size(1), device=x.device).tril() == 1
        w = (torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.size(-1))).masked_fill(~allowed, -math.inf)
        out = torch.bmm(w.softmax(-1), v)
        return self.projection(torch.cat(out.chunk(self.n, dim=0), dim=-1))


# a mask of integers, compared
class right_compared_positions(nn.Module):
    def __init__(self, config):
        nn.Module.__init__(self)
        self.cfg = config
        for part in "query key value projection".split():
            self.add_module(part, nn.Linear(config.d_model, config.d_model))

    def forward(self, x):
        T, h = x.shape[-2], self.cfg.n_head
        t = torch.arange(T).to(x.device)
        q, k, v = [getattr(self, part)(x).unflatten(-1, (h, -1)) for part in ("query", "key", "value")]
        s = torch.einsum("bihd,bjhd->bhij", q, k).div(math.sqrt(self.cfg.d_model // h))
        a = torch.softmax(torch.where(t[None] > t[:, None], torch.tensor(-torch.inf).to(s), s), -1)
        return self.projection(torch.einsum("bhij,bjhd->bihd", a, v).reshape(x.shape))


# the parts are made anew in each call
class wrong_new_layers_in_forward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.h = config.n_head
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        d = x.shape[-1]
        value = nn.Linear(d, d).to(x)
        q, k, v = (p(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for p in (self.query, self.key, value))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.projection(y.transpose(1, 2).flatten(2))


# torch's own layer inside, whose weights have other names
class wrong_torchs_layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = nn.MultiheadAttention(config.d_model, config.n_head, batch_first=True)

    def forward(self, x):
        T = x.shape[1]
        future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        return self.layer(x, x, x, attn_mask=future, need_weights=False)[0]


# attention to earlier positions only, without the own one
class wrong_without_the_own_position(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.h = config.n_head
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (p(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for p in (self.query, self.key, self.value))
        s = q @ k.mT / math.sqrt(q.shape[-1])
        past = torch.ones_like(s).tril(-1)
        past[..., 0, 0] = 1
        a = s.masked_fill(past == 0, -math.inf).softmax(-1)
        return self.projection((a @ v).transpose(1, 2).flatten(2))


# a mask of -10
class wrong_small_mask_value(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.h = config.n_head
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (p(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for p in (self.query, self.key, self.value))
        s = q @ k.mT / math.sqrt(q.shape[-1])
        a = s.masked_fill(torch.ones_like(s).triu(1) == 1, -10.0).softmax(-1)
        return self.projection((a @ v).transpose(1, 2).flatten(2))


# a function, not a class
def wrong_function(config):
    def forward(x):
        return x

    return forward


# the mask is an attribute, which stays on the CPU
class wrong_mask_on_the_cpu(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.h = config.n_head
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))
        self.future = torch.ones(config.block_size, config.block_size).triu(1).bool()

    def forward(self, x):
        q, k, v = (p(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for p in (self.query, self.key, self.value))
        T = x.shape[1]
        s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(self.future[:T, :T], -math.inf)
        return self.projection((s.softmax(-1) @ v).transpose(1, 2).flatten(2))


# softmax over the queries
class wrong_softmax_over_queries(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.h = config.n_head
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (p(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for p in (self.query, self.key, self.value))
        s = q @ k.mT / math.sqrt(q.shape[-1])
        a = s.masked_fill(torch.ones_like(s).triu(1) == 1, -math.inf).softmax(-2)
        return self.projection((a @ v).transpose(1, 2).flatten(2))


# the output is always float32
class wrong_float32_output(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.h = config.n_head
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (p(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for p in (self.query, self.key, self.value))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.projection(y.transpose(1, 2).flatten(2)).float()


# −100 in place of minus infinity
wrong_minus_hundred = """
class MyAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.n_head = config.n_head
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (layer(x).view(B, T, self.n_head, -1).transpose(1, 2) for layer in (self.query, self.key, self.value))
        s = q @ k.mT / math.sqrt(q.shape[-1])
        s = s.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), -100.0)
        return self.projection((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, d))
"""


# exponentials without a shift
wrong_overflow = """
class MyAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.n_head = config.n_head
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (f(x).view(B, T, self.n_head, -1).transpose(1, 2) for f in (self.query, self.key, self.value))
        e = (q @ k.mT / math.sqrt(d // self.n_head)).exp().tril()
        return self.projection((e / e.sum(-1, keepdim=True) @ v).transpose(1, 2).reshape(B, T, d))
"""


# The number of heads is kept for all objects of the class: the last config wins.
wrong_class_heads = """
class MyAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        MyAttention.n_head = config.n_head
        self.query = nn.Linear(d, d)
        self.key = nn.Linear(d, d)
        self.value = nn.Linear(d, d)
        self.projection = nn.Linear(d, d)

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (f(x).view(B, T, self.n_head, d // self.n_head).transpose(1, 2) for f in (self.query, self.key, self.value))
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.n_head)
        mask = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
        a = torch.softmax(s.masked_fill(~mask, -math.inf), dim=-1)
        return self.projection((a @ v).transpose(1, 2).reshape(B, T, d))
"""


# Scores are cut at 500.
class wrong_fourth_cut(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_head, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (
            layer(x).unflatten(-1, (self.n_head, -1)).transpose(1, 2) for layer in (self.query, self.key, self.value)
        )
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        future = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
        weights = scores.clamp(-500, 500).masked_fill(future, -math.inf).softmax(-1)
        return self.projection((weights @ v).transpose(1, 2).flatten(2))


# Exponentials without a maximum.
class wrong_fourth_plain_exponentials(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_head, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (
            layer(x).unflatten(-1, (self.n_head, -1)).transpose(1, 2) for layer in (self.query, self.key, self.value)
        )
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        past = torch.ones(scores.shape[-2:], dtype=x.dtype, device=x.device).tril()
        powers = scores.exp() * past
        return self.projection((powers @ v / powers.sum(-1, keepdim=True)).transpose(1, 2).flatten(2))


# −10⁹ is not below every score.
class wrong_fifth_billion(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_head, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (
            layer(x).unflatten(-1, (self.n_head, -1)).transpose(1, 2) for layer in (self.query, self.key, self.value)
        )
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        future = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
        weights = scores.masked_fill(future, -1e9).softmax(-1)
        return self.projection((weights @ v).transpose(1, 2).flatten(2))


# The keys of the last shape are kept.
class wrong_seventh_kept_keys(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.shape, self.n_head, d = None, config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        if self.shape != x.shape:
            self.shape, self.kept = x.shape, self.key(x)
        parts = (self.query(x), self.kept, self.value(x))
        q, k, v = (y.unflatten(-1, (self.n_head, -1)).transpose(1, 2) for y in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.projection(y.transpose(1, 2).flatten(2))
