"""What the figures share: pages, themes, widgets."""
