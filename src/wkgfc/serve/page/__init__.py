"""The page of ``wkgfc serve``: ``page_router(service)`` has its routes (``docs/page.md``)."""

from wkgfc.serve.page.routes import page_router

__all__ = ["page_router"]
