"""The figures of the notebooks, one file each."""
