"""The shipped encoder's tokenizer: WordPiece (Wu et al. 2016) over the words of the reviews.

Every word of the reviews is one token, and so is every letter. An unknown word is split into letters: "pie" →
p ##i ##e.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

from kqa_core.encoder.hugging_face import need
from kqa_core.encoder.review_grammar import vocabulary

BOS, PAD, EOS, UNKNOWN, MASK = "<s>", "<pad>", "</s>", "<unk>", "<mask>"
SPECIAL = (BOS, PAD, EOS, UNKNOWN, MASK)  # in RoBERTa's order
LETTERS = string.ascii_lowercase + string.digits


def make_tokenizer(texts: Sequence[str], max_length: int) -> Any:
    """A `transformers` tokenizer for the words of `texts`: lower case, "<s> … </s>" around a sentence."""
    tokenizers, transformers = need("tokenizers"), need("transformers")
    tokens = [*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS), *string.punctuation]
    ids = {token: index for index, token in enumerate(dict.fromkeys([*tokens, *vocabulary(texts)]))}
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordPiece(vocab=ids, unk_token=UNKNOWN, max_input_chars_per_word=40)
    )
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single=f"{BOS} $A {EOS}",
        pair=f"{BOS} $A {EOS} $B {EOS}",
        special_tokens=[(BOS, ids[BOS]), (EOS, ids[EOS])],
    )
    tokenizer.decoder = tokenizers.decoders.WordPiece()
    named = {"bos_token": BOS, "cls_token": BOS, "pad_token": PAD, "eos_token": EOS, "sep_token": EOS}
    named |= {"unk_token": UNKNOWN, "mask_token": MASK}
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=max_length, **named
    )
