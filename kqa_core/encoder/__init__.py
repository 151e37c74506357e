"""Fine-tuning a pretrained encoder (notebook 10): a sentiment corpus, a small encoder, a classifier, a grid.

Nothing here imports transformers, tokenizers or datasets (the extra `hub`) before it is needed: see `hub.need`.
"""
