"""The reasoner whose judgements a language model makes, by prompts that are files.

``reasoner.py`` makes the judgements, ``asking.py`` calls the model, ``policy.py`` reads the prompts.
"""
