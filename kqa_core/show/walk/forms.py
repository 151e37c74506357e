"""The forms of models that the walk knows: where their parts are, and of what kind they are.

- The course's GPT and Llama, and models of `transformers` of the forms of Llama, GPT-2 and BERT, with or
  without a head. A form is recognised by the names of its modules.
- In BERT's form a LayerNorm follows each addition to the residual stream (post-LN); in the others it stands
  before attention and MLP, outside the stream (pre-LN).
- `lines` says where the source of each step is: the module and a part of the line. "@" is layer 0, "^" the
  whole model, with its head.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from torch import Tensor, nn

from kqa_core.errors import UserError
from kqa_core.model.config import LEARNED, ROTARY
from kqa_core.model.gpt import GPT
from kqa_core.model.positions import positions_of

Lines = Mapping[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class Form:
    """The names of the modules. Those of a layer are without the layer's own name."""

    kind: str  # which texts of steps.toml: "gpt", "gpt2", "llama" or "bert"
    embedding: str
    layer: str  # with {} for its number
    norm_1: str
    query: str | None  # None: query, key and value come from one module
    key: str | None
    projection: str
    attention: str  # whose output is added to the stream
    norm_2: str
    hidden: str  # the linear map to the hidden units, or to their gates
    down: str  # the linear map back
    mlp: str  # whose output is added to the stream
    norm: str | None = None  # before the head; None in post-LN
    head: str | None = None  # None: there is none; "": the embedding's matrix is the head
    up: str | None = None  # of a gated MLP
    norm_0: str | None = None  # of the embedding; post-LN alone
    positions: str = LEARNED
    norm_name: str = "LayerNorm"
    unit: str = "token"  # what a token is called
    lines: Lines = field(default_factory=dict)
    prefix: str = ""  # of all names but the head's

    def find(self, model: nn.Module, name: str, layer: int | None = None) -> nn.Module:
        """The module of this name: in a layer, if one is given."""
        return model.get_submodule(self.name(name, layer))

    def name(self, name: str, layer: int | None = None) -> str:
        """The full name of a module of the model."""
        return self.prefix + ("" if layer is None else self.layer.format(layer) + ".") + name

    def layers(self, model: nn.Module) -> int:
        """How many layers the model has."""
        return len(list(model.get_submodule(self.name(self.layer.rpartition(".")[0])).children()))

    def logits(self, model: nn.Module, x: Tensor) -> Tensor:
        """The logits of the next token (…, V) from points of the stream (…, C)."""
        assert self.norm is not None and self.head is not None
        normed = self.find(model, self.norm)(x)
        if not self.head:
            logits: Tensor = normed @ self.find(model, self.embedding).get_parameter("weight").T
        else:
            logits = model.get_submodule(self.head)(normed)
        return logits


GPT_FORM = Form(
    "gpt",
    embedding="token_embedding",
    layer="blocks.{}",
    norm_1="norm_1",
    query="attention.query",
    key="attention.key",
    projection="attention.projection",
    attention="attention",
    norm_2="norm_2",
    hidden="mlp.0",
    down="mlp.2",
    mlp="mlp",
    norm="norm",
    head="head",
    unit="character",
)
HEAD = {"prediction": (("^", "self.lm_head("),), "lens": (("^", "self.lm_head("),)}
FORMS = (
    replace(  # kqa_core.pretrained.llama
        GPT_FORM,
        kind="llama",
        hidden="mlp.gate",
        down="mlp.down",
        head="",
        up="mlp.up",
        positions=ROTARY,
        norm_name="RMSNorm",
        unit="token",
        lines={
            "embedding": (("", "self.token_embedding(tokens)"),),
            "position": (("", "angle = angles("),),
            "norm_1": (("@", "self.norm_1(x)"),),
            "qkv": tuple(("@.attention", part) for part in ("self.query(", "self.key(", "self.value(")),
            "merge": (("@.attention", "self.projection("),),
            "add_1": (("@", "self.attention("),),
            "norm_2": (("@", "self.norm_2(x)"),),
            "mlp": (("@.mlp", "self.down("),),
            "add_2": (("@", "self.mlp("),),
            "norm": (("^", "self.norm("),),
            "prediction": (("^", "F.linear("),),
            "stream": (("@", "self.attention("), ("@", "self.mlp(")),
            "lens": (("^", "F.linear("),),
        },
    ),
    Form(  # transformers: LlamaModel and those built like it
        "llama",
        embedding="embed_tokens",
        layer="layers.{}",
        norm_1="input_layernorm",
        query="self_attn.q_proj",
        key="self_attn.k_proj",
        projection="self_attn.o_proj",
        attention="self_attn",
        norm_2="post_attention_layernorm",
        hidden="mlp.gate_proj",
        down="mlp.down_proj",
        mlp="mlp",
        norm="norm",
        head="lm_head",
        up="mlp.up_proj",
        positions=ROTARY,
        norm_name="RMSNorm",
        lines={
            "embedding": (("", "self.embed_tokens("),),
            "position": (("", "self.rotary_emb("),),
            "norm_1": (("@", "self.input_layernorm("),),
            "qkv": tuple(
                ("@.self_attn", part)
                for part in ("self.q_proj(", "self.k_proj(", "self.v_proj(", "= apply_rotary_pos_emb(")
            ),
            "merge": (("@.self_attn", "self.o_proj("),),
            "add_1": (("@", "residual + hidden_states"),),
            "norm_2": (("@", "self.post_attention_layernorm("),),
            "mlp": (("@.mlp", "self.down_proj("),),
            "add_2": (("@", "self.mlp("), ("@", "residual + hidden_states")),
            "norm": (("", "self.norm("),),
            "stream": (("@", "residual + hidden_states"),),
            **HEAD,
        },
    ),
    Form(  # transformers: GPT2Model
        "gpt2",
        embedding="wte",
        layer="h.{}",
        norm_1="ln_1",
        query=None,
        key=None,
        projection="attn.c_proj",
        attention="attn",
        norm_2="ln_2",
        hidden="mlp.c_fc",
        down="mlp.c_proj",
        mlp="mlp",
        norm="ln_f",
        head="lm_head",
        lines={
            "embedding": (("", "self.wte("),),
            "position": (("", "self.wpe("),),
            "norm_1": (("@", "self.ln_1("),),
            "qkv": (("@.attn", "self.c_attn(hidden_states)"),),
            "merge": (("@.attn", "self.c_proj("),),
            "add_1": (("@", "attn_output + residual"),),
            "norm_2": (("@", "self.ln_2("),),
            "mlp": tuple(("@.mlp", part) for part in ("self.c_fc(", "self.act(", "self.c_proj(")),
            "add_2": (("@", "residual + feed_forward"),),
            "norm": (("", "self.ln_f("),),
            "stream": (("@", "attn_output + residual"), ("@", "residual + feed_forward")),
            **HEAD,
        },
    ),
    Form(  # transformers: BertModel, RobertaModel
        "bert",
        embedding="embeddings.word_embeddings",
        layer="encoder.layer.{}",
        norm_1="attention.output.LayerNorm",
        query="attention.self.query",
        key="attention.self.key",
        projection="attention.output.dense",
        attention="attention.output.dense",
        norm_2="output.LayerNorm",
        hidden="intermediate.dense",
        down="output.dense",
        mlp="output.dense",
        norm_0="embeddings.LayerNorm",
        lines={
            "embedding": (("embeddings", "self.word_embeddings("),),
            "position": (("embeddings", "embeddings + position_embeddings"),),
            "norm_0": (("embeddings", "self.LayerNorm("),),
            "qkv": tuple(("@.attention.self", part) for part in ("self.query(", "self.key(", "self.value(")),
            "merge": (("@.attention.output", "self.dense("),),
            "add_1": (("@.attention.output", "+ input_tensor"),),
            "norm_1": (("@.attention.output", "self.LayerNorm("),),
            "mlp": (
                ("@.intermediate", "self.dense("),
                ("@.intermediate", "self.intermediate_act_fn("),
                ("@.output", "self.dense("),
            ),
            "add_2": (("@.output", "+ input_tensor"),),
            "norm_2": (("@.output", "self.LayerNorm("),),
            "stream": (("@.attention.output", "+ input_tensor"), ("@.output", "+ input_tensor")),
        },
    ),
)


def form_of(model: nn.Module) -> Form:
    """The form of a model. Raises UserError for one that is of none."""
    if isinstance(model, GPT):
        return replace(GPT_FORM, positions=positions_of(model.config))
    names = {name for name, _ in model.named_modules()}
    for form in FORMS:
        for name in names:
            prefix, found, rest = name.rpartition(form.embedding)
            if not found or rest or (prefix and not prefix.endswith(".")):
                continue
            form_here = replace(form, prefix=prefix)
            if all(form_here.name(part, 0) in names for part in _parts(form)):
                if form.head and form.head not in names:
                    form_here = replace(form_here, head=None)
                return form_here
    raise UserError(
        f"{type(model).__name__}: a model of the form of Llama, GPT-2 or BERT was expected, or a GPT of"
        " kqa_core.model: `explore` shows the attention of others"
    )


def _parts(form: Form) -> list[str]:
    """The names in a layer that a model of this form must have."""
    parts: list[Any] = [form.norm_1, form.query, form.key, form.projection, form.attention, form.norm_2]
    return [part for part in [*parts, form.hidden, form.down, form.up] if part is not None]
