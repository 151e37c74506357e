"""Fresh answers to MyGPT, written from the statement."""


# as the statement lists the parts
class right_in_order(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, config.d_model))
        self.blocks = nn.ModuleList([block(config) for i in range(config.n_layer)])
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)

    def forward(self, tokens):
        B, T = tokens.shape
        x = self.token_embedding(tokens)
        x = x + self.position_embedding[:T]
        for b in self.blocks:
            x = b(x)
        x = self.norm(x)
        return self.head(x)


# positions by index, logits by einsum
class right_by_index(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        V, L, d = config.vocab_size, config.block_size, config.d_model
        self.position_embedding = nn.Parameter(torch.zeros((L, d)))
        self.token_embedding, self.head = nn.Embedding(V, d), nn.Linear(d, V, bias=False)
        self.norm, self.blocks = nn.LayerNorm(d), nn.ModuleList(map(block, [config] * config.n_layer))

    def forward(self, tokens):
        t = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.token_embedding.weight[tokens] + self.position_embedding[t]
        for i in range(len(self.blocks)):
            x = self.blocks[i](x)
        return torch.einsum("btd,vd->btv", self.norm(x), self.head.weight)


# everything after the embeddings is one Sequential that is made when it runs
class right_chain(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.blocks = nn.ModuleList()
        self.blocks.extend(block(config) for _ in range(config.n_layer))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d), requires_grad=True)

    def forward(self, tokens):
        return nn.Sequential(*self.blocks, self.norm, self.head)(
            self.token_embedding(tokens) + self.position_embedding[: tokens.size(-1)]
        )


# functools.reduce over the blocks
right_reduce = '''
from functools import reduce


class MyGPT(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, config.d_model))
        self.blocks = nn.Sequential(*[block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(config.d_model, eps=1e-05)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)

    def forward(self, tokens):
        start = self.token_embedding(tokens) + self.position_embedding[None, : tokens.shape[1], :]
        return self.head(self.norm(reduce(lambda x, layer: layer(x), self.blocks, start)))
'''


# the list is a function's default, so all models share the blocks
class wrong_shared_default(nn.Module):
    def __init__(self, config, block, made={}):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        key = (config.n_layer, d, config.n_head, str(block))
        self.blocks = made.setdefault(key, nn.ModuleList([block(config) for _ in range(config.n_layer)]))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x))


# returns the loss, too
class wrong_pair(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.ModuleList([block(config) for _ in range(config.n_layer)])
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens, targets=None):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x)), None


# the last position only
class wrong_last_position(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.ModuleList([block(config) for _ in range(config.n_layer)])
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x[:, -1]))


# the embedding is scaled by the root of d, as in 2017
class wrong_scaled_embedding(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.scale = d**0.5
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.ModuleList([block(config) for _ in range(config.n_layer)])
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.scale * self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x))


# the norm is used in every round of the loop
class wrong_norm_in_the_loop(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.ModuleList([block(config) for _ in range(config.n_layer)])
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        for b in self.blocks:
            x = self.norm(b(x))
        return self.head(x)


# padding: token 0 has an embedding that is not trained
class wrong_padding_index(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d, padding_idx=0)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.ModuleList([block(config) for _ in range(config.n_layer)])
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x))


# positions of the whole block, so only full rows fit
class wrong_full_rows_only(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.ModuleList([block(config) for _ in range(config.n_layer)])
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x))


# The last LayerNorm has another epsilon.
class wrong_fourth_last_epsilon(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.ModuleList([block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(d, eps=1e-6)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        for each in self.blocks:
            x = each(x)
        return self.head(self.norm(x))


# Four blocks, whatever the config says.
class wrong_fifth_four_blocks(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.ModuleList([block(config) for _ in range(4)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        for each in self.blocks:
            x = each(x)
        return self.head(self.norm(x))


# Token 0 is taken for padding.
class wrong_seventh_zero_is_padding(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.ModuleList(block(config) for _ in range(config.n_layer))
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        x = x * (tokens != 0)[..., None]
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))
