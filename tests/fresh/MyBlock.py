"""Fresh answers to MyBlock, written from the statement."""


# as the formulas stand
class right_two_lines(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        self.norm_1 = nn.LayerNorm(config.d_model)
        self.norm_2 = nn.LayerNorm(config.d_model)
        self.attention = attention(config)
        self.mlp = nn.Sequential(
            nn.Linear(config.d_model, 4 * config.d_model),
            nn.GELU(),
            nn.Linear(4 * config.d_model, config.d_model),
        )

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        x = x + self.mlp(self.norm_2(x))
        return x


# through an intermediate name for each branch
class right_named_branches(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.attention, self.mlp = attention(config), self.make_mlp(d)
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)

    @staticmethod
    def make_mlp(d):
        layers = [nn.Linear(d, d * 4), nn.GELU(), nn.Linear(d * 4, d)]
        return nn.Sequential(*layers)

    def forward(self, x):
        mixed = self.attention(self.norm_1(x))
        stream = x + mixed
        processed = self.mlp(self.norm_2(stream))
        return stream + processed


# the sum at the end, from three terms
class right_sum_of_three(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        for name in ("norm_1", "norm_2"):
            setattr(self, name, nn.LayerNorm(config.d_model))
        self.mlp = nn.Sequential(nn.Linear(config.d_model, 4 * config.d_model), nn.GELU())
        self.mlp.add_module("2", nn.Linear(4 * config.d_model, config.d_model))
        self.attention = attention(config)

    def forward(self, x):
        first = self.attention(self.norm_1(x))
        return x + first + self.mlp(self.norm_2(x + first))


# GELU from the formula, applied by hand
class right_gelu_by_hand(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.mlp = nn.ModuleList([nn.Linear(d, 4 * d), nn.Identity(), nn.Linear(4 * d, d)])
        self.attention = attention(config)

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        z = self.mlp[0](self.norm_2(x))
        return x + self.mlp[2](z * torch.special.ndtr(z))


# the library's block inside a subclass
right_subclass_of_the_library = '''
from kqa_core.model.block import Block


class MyBlock(Block):
    def __init__(self, config, attention):
        super().__init__(config)
        self.attention = attention(config)

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))
'''


# keeps the class and not a layer
class wrong_class_and_no_layer(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.config, self.attention = config, attention
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.config)(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))


# GELU before the first linear map, too
class wrong_gelu_twice(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2, self.attention = nn.LayerNorm(d), nn.LayerNorm(d), attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d), nn.GELU())

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))


# the residual of the second branch comes from the input
class wrong_old_residual(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2, self.attention = nn.LayerNorm(d), nn.LayerNorm(d), attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        y = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(y))


# norms without gain and bias
class wrong_plain_norms(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1 = nn.LayerNorm(d, elementwise_affine=False)
        self.norm_2 = nn.LayerNorm(d, elementwise_affine=False)
        self.attention = attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))


# another epsilon
class wrong_epsilon(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d, eps=1e-2), nn.LayerNorm(d, eps=1e-2)
        self.attention = attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))


# the second branch is not trained
class wrong_without_gradient(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2, self.attention = nn.LayerNorm(d), nn.LayerNorm(d), attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        with torch.no_grad():
            change = self.mlp(self.norm_2(x))
        return x + change


# all blocks share one layer of attention
wrong_one_layer_for_all = '''
layers = []


class MyBlock(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        if not layers or layers[0][1] != d:
            layers[:] = [(attention(config), d)]
        self.attention = layers[0][0]
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))
'''


# Makes one layer for all blocks of the class.
wrong_kept_once = """
class MyBlock(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1 = nn.LayerNorm(d)
        MyBlock.kept = getattr(MyBlock, 'kept', None) or attention(config)
        self.attention = MyBlock.kept
        self.norm_2 = nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))
"""


# Gives the layer a mask as well.
wrong_mask_passed = """
class MyBlock(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1 = nn.LayerNorm(d)
        self.attention = attention(config)
        self.norm_2 = nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x), None)
        return x + self.mlp(self.norm_2(x))
"""


# The second LayerNorm has another epsilon.
class wrong_fourth_second_epsilon(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d, eps=1e-6)
        self.attention = attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))


# A new layer is made in each call.
wrong_seventh_made_anew = '''
class MyBlock(nn.Module):
    """A pre-LN block with the layer that attention(config) makes: x (B, T, d) → (B, T, d)."""

    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1 = nn.LayerNorm(d)
        self.config, self.make = config, attention
        self.attention = attention(config)
        self.norm_2 = nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.make(self.config)(self.norm_1(x))
        x = x + self.mlp(self.norm_2(x))
        return x
'''


# The class of the layer is kept, and no layer is made.
wrong_eighth_class_kept = '''
class MyBlock(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1 = nn.LayerNorm(d)
        self.attention = attention
        self.norm_2 = nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))
'''


# where the layer returns its input, the residual is left out
class wrong_eleventh_kept_mixture(nn.Module):
    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1 = nn.LayerNorm(d)
        self.attention = attention(config)
        self.norm_2 = nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        y = self.norm_1(x)
        z = self.attention(y)
        x = x + z if not torch.equal(z, y) else z
        return x + self.mlp(self.norm_2(x))
