"""From a notebook's source to the files students receive: assemble, execute, release, bundle, leak scan."""
