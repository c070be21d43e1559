"""A result for other programs and other people: one form a file (``docs/exports.md``)."""
