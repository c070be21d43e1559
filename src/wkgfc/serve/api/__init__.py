"""The routes of the HTTP API, one subject a file (``docs/service.md``)."""
