"""Fresh answers to encoder_decoder_shapes, part 2 of 2."""


# The weights have no head axis.
def wrong_no_heads(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }


# The memory is split into heads.
def wrong_one_axis_too_many(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, h, n, d // h),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }


# Logits of the last position, as when it writes.
def wrong_one_logit(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, vocab_size),
    }


# The decoder's output has the length of the source.
def wrong_output_of_source_length(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, n, d),
        "logits": (b, m, vocab_size),
    }


# Queries from the source.
def wrong_queries_from_source(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, n, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }


# One prediction less than targets.
def wrong_shifted_targets(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m - 1, vocab_size),
    }


# Tokens before heads.
def wrong_tokens_before_heads(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, m, h, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }


# Heads have the full width.
def wrong_width_of_heads(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d),
        "cross_keys": (b, h, n, d),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }


# queries from the encoder and keys from the decoder
def wrong_second_cross_exchanged(b, n, m, d, h, vocab_size):
    d_k = d // h
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, n, d_k),
        "cross_keys": (b, h, m, d_k),
        "cross_weights": (b, h, n, m),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }


# cross queries and keys keep the full width d in each head
def wrong_second_full_width_heads(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d),
        "cross_keys": (b, h, n, d),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }


# the attention weights have no batch axis
def wrong_second_weights_without_batch(b, n, m, d, h, vocab_size):
    d_k = d // h
    return {
        "memory": (b, n, d),
        "encoder_weights": (h, n, n),
        "decoder_weights": (h, m, m),
        "cross_queries": (b, h, m, d_k),
        "cross_keys": (b, h, n, d_k),
        "cross_weights": (h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }
