"""Where the nodes of a small graph stand: the spring layout of Fruchterman and Reingold.

Source: T. Fruchterman, E. Reingold, "Graph drawing by force-directed placement", 1991, sections 2 and 3.
"""

from collections.abc import Sequence

import numpy as np

STEPS = 120
SEED = 7


def spring_layout(nodes: int, edges: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """Positions in the unit square, the same ones every time. ``edges`` are pairs of numbers of nodes.

    It takes memory and time with the square of ``nodes``: some hundreds are what it is for.
    """
    if nodes == 0:
        return []
    places = np.random.default_rng(SEED).random((nodes, 2))
    joined = np.zeros((nodes, nodes), dtype=bool)
    for first, second in edges:
        if first != second:
            joined[first, second] = joined[second, first] = True
    ideal = 1.0 / np.sqrt(nodes)
    for step in range(STEPS):
        apart = places[:, None, :] - places[None, :, :]
        distance = np.maximum(np.linalg.norm(apart, axis=-1), 1e-6)
        force = ideal**2 / distance - np.where(joined, distance**2 / ideal, 0.0)
        np.fill_diagonal(force, 0.0)
        moves = (apart / distance[..., None] * force[..., None]).sum(axis=1)
        moves -= (places - places.mean(axis=0)) * ideal  # so that parts that nothing joins stay in the picture
        length = np.maximum(np.linalg.norm(moves, axis=-1, keepdims=True), 1e-6)
        heat = 0.1 * (1 - step / STEPS)
        places = places + moves / length * np.minimum(length, heat)
    low, high = places.min(axis=0), places.max(axis=0)
    unit = (places - low) / np.maximum(high - low, 1e-6) if nodes > 1 else np.full((1, 2), 0.5)
    return [(float(x), float(y)) for x, y in unit]
