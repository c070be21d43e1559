"""Policy improvement (paper, section 4.4): what is learned from episodes, and how. The model's weights never change.

``episodes.py`` is what is learned from, ``reward.py`` how good an episode was, ``reflection.py`` and
``model_reflection.py`` say what went wrong.
"""
