"""The explorer of attention in a notebook."""
