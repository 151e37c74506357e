"""An encoder small enough for a test."""

from kqa_core.encoder.pretrain import PretrainConfig

TINY = PretrainConfig(reviews=96, epochs=2, batch_size=32, d_model=16, n_layer=1, n_head=2, d_hidden=32)
