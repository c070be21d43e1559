"""Web search engines, one a file: each turns its engine's documented answer into hits.

What all of them keep to:

* Whatever comes back is from outside: a field may be missing, null or of another type, and is then left out. An answer
  that is not of the engine's form is ``Failed``; one without results is ``Nothing``.
* The date limit and the sites are passed on where the engine has a way to say them, and looked at again in what comes
  back. A page whose date is not known stays: its passage has no date.
* Keys are sent in ``Request.secret_headers`` or ``secret_params`` alone.
* One search is one request, counted as ``web_searches``.

An engine's raw answer is not kept a second time here: the client that sends the requests has it, byte for byte, under
the request's key, in its cache and in the file of ``--record``. Who wants the answers themselves passes an ``Http`` of
their own around the client, which sees every request and its answer.

To add an engine: a file with a class as the others have it, and a line in ``registry.py``.
"""
