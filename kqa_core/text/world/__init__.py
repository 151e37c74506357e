"""The made-up world: its grammar, its regions and its people."""
