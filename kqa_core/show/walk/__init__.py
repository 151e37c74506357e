"""A walk through one forward pass of a small model, in a notebook."""
