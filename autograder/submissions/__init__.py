"""What students handed in: received, stored, read, and put into the instructor's notebook."""
