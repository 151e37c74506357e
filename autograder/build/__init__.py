"""From the source of a notebook to what is handed out: assemble, execute, release, bundle, scan for leaks."""
