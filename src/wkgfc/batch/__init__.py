"""Many claims: read from a file, checked side by side, kept as they come, gone on with after whatever ended the run."""
