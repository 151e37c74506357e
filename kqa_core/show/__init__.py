"""What a person looks at: figures, sliders, live curves."""
