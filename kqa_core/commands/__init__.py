"""The commands of `kqa`, one module a group. Torch is imported when they run, so `--help` is instant."""
