"""From an answer to a mark: intake, worker, checker, recorder. Who decides never runs what it judges."""
