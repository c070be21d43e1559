"""Retrieval from the web, the embedded corpus included: search, filtering, fusion."""
