"""The systems that WKGFC is compared with, each behind one interface (``method.py``); ``registry.py`` names them."""
