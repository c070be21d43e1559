"""Whole texts: read, their claims found, put so that each stands alone; checked, reported (``docs/documents.md``)."""
