"""Bodies of answers: decompressed piece by piece, counted after decompression, and cut off at the limit."""

import zlib
from collections.abc import AsyncIterator, Mapping

CODINGS = "gzip, deflate"  # what is asked for; httpx2's other decoders need packages of their own


class BodyFault(Exception):
    """A body that cannot be used. Its text completes "HOST sent …"."""

    def __init__(self, text: str, *, may_pass: bool = False) -> None:
        self.may_pass = may_pass
        super().__init__(text)


class _Inflater:
    """One ``Content-Encoding``, undone without ever holding more than it is asked for."""

    def __init__(self, coding: str) -> None:
        self._coding = coding
        self._began = False
        self._head = b""
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16) if coding == "gzip" else None

    def feed(self, data: bytes, room: int) -> bytes:
        """What ``data`` decompresses to: the whole of it, or ``room`` + 1 bytes where it is more than ``room``."""
        self._began = self._began or bool(data)
        if self._stream is None:  # "deflate" is sent with and without zlib's two bytes in front
            self._head += data
            if len(self._head) < 2:
                return b""
            data = self._head
            wrapped = data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
        pieces, size = [], 0
        while data and size <= room:
            if self._stream.eof:  # gzip may be several files, one after the other
                if self._coding != "gzip" or not data.startswith(b"\x1f"):
                    break
                self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
            piece = self._stream.decompress(data, room + 1 - size)
            pieces.append(piece)
            size += len(piece)
            data = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
        return b"".join(pieces)

    @property
    def is_complete(self) -> bool:
        """Whether the compressed data came to its end, or never began."""
        return not self._began or (self._stream is not None and self._stream.eof)


async def read_body(headers: Mapping[str, str], pieces: AsyncIterator[bytes], max_bytes: int) -> bytes:
    """The body, decompressed.

    Args:
        headers: of the answer, names in lower case.
        pieces: the body as it came.
        max_bytes: the most that is read, after decompression.

    Raises:
        BodyFault: it is larger, cut, damaged, or compressed in a way that was not asked for.
    """
    length = headers.get("content-length", "")
    if length.isascii() and length.isdigit() and len(length) < 20 and int(length) > max_bytes:
        raise BodyFault(f"more than {max_bytes} bytes")
    inflaters = _inflaters(headers)
    body = bytearray()
    try:
        async for piece in pieces:
            data = piece
            for inflater in inflaters:
                data = inflater.feed(data, max_bytes)
                if len(data) > max_bytes:
                    break
            if len(body) + len(data) > max_bytes:
                raise BodyFault(f"more than {max_bytes} bytes")
            body += data
    except zlib.error as error:
        raise BodyFault("a damaged compressed body") from error
    if not all(inflater.is_complete for inflater in inflaters):
        raise BodyFault("a body that was cut off", may_pass=True)
    return bytes(body)


async def read_start(headers: Mapping[str, str], pieces: AsyncIterator[bytes], size: int) -> bytes:
    """The first ``size`` bytes of a body, decompressed as far as that goes; for what an error says."""
    body = bytearray()
    try:
        inflaters = _inflaters(headers)
        async for piece in pieces:
            data = piece
            for inflater in inflaters:
                data = inflater.feed(data, size)
            body += data
            if len(body) >= size:
                break
    except (zlib.error, BodyFault):
        return bytes(body[:size])
    return bytes(body[:size])


def _inflaters(headers: Mapping[str, str]) -> list[_Inflater]:
    codings = [coding.strip().lower() for coding in headers.get("content-encoding", "").split(",")]
    codings = [coding.removeprefix("x-") for coding in codings if coding not in {"", "identity"}]
    if len(codings) > 2 or not {"gzip", "deflate"}.issuperset(codings):
        raise BodyFault("a body that is compressed in a way that was not asked for")
    return [_Inflater(coding) for coding in reversed(codings)]
