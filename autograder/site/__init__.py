"""The notebooks as pages to read."""
