"""The commands of `kqa`, one module a group.
They import torch only when they run, so that `--help` is instant.
"""
