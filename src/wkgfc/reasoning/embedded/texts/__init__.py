"""Passages: what to search for, what they are worth, what they say, what can be taken from them."""
