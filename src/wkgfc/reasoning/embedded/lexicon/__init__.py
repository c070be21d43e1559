"""Words: how texts say relations, kinds of things, what words tell."""
