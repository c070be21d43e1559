"""The POMDP: what an action does, and one episode."""
