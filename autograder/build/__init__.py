"""From the source of a notebook to the files students receive:
assemble, execute, release, bundle, scan for leaks.
"""
