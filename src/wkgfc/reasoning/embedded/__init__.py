"""The embedded reasoner: a verifier, term statistics and rules; no key, no network."""
