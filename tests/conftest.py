"""What holds for every test."""

import os

os.environ.setdefault("KQA_DEVICE", "cpu")  # what a CPU promises bit for bit is tested on one; tests of a GPU ask for it
