"""What the embedded knowledge graph is built from, one file a source."""
