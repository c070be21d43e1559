"""What a claim is about, guessed in a microsecond: so that claims about one thing are checked near each other.

A guess that is wrong costs nothing but a look-up that was shared with no other claim.
"""

import re

# Runs of capitalised words, numbers and particles between them: "Charles de Gaulle", "Apollo 11".
_NAME = re.compile(
    r"[^\W\d_a-zß-öø-ÿ][\w'’.-]*(?:\s+(?:(?:of|de|del|la|le|van|von|der|the|and|al|bin)\s+)?[^\W_a-zß-öø-ÿ][\w'’.-]*)*"
)
_ARTICLES = frozenset(
    {"the", "a", "an", "in", "on", "at", "by", "for", "from", "of", "to", "as", "it", "he", "she", "they", "there"}
    | {"this", "that", "these", "those", "is", "are", "was", "were", "his", "her", "its"}
)
MAX_CHARACTERS = 60


def about(text: str) -> str:
    """A key that claims about the same thing mostly share: the longest name in the text, the first of equals.

    >>> about("The actor Charlie Chaplin was born in London.")
    'charlie chaplin'
    >>> about("Water boils at 100 degrees.")
    'water'
    """
    best, most = "", 0
    for found in _NAME.finditer(text):
        words = found.group().rstrip(".'’-").split()
        while words and (words[0].lower() in _ARTICLES or words[0].isdigit()):
            words.pop(0)
        if len(words) > most:
            best, most = " ".join(words), len(words)
    return (best or text.strip()).lower()[:MAX_CHARACTERS]
