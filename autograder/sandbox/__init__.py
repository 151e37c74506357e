"""Where students' code runs: tiers, mounts, limits, and the start of runners."""
