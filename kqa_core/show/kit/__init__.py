"""Pages, themes and widgets, which the figures share."""
