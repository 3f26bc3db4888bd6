"""Files to upload: pictures of every format, files that only pretend, and forms in wrong shapes."""

import os
import pathlib
import struct
import subprocess
import tempfile
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width=32, height=24, seed=0, extra=b""):
    """A small picture; another seed is another picture."""
    rows = b"".join(b"\0" + bytes((x * 7 + y * 3 + seed * 11 + c) % 256 for x in range(width) for c in range(3)) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    text = chunk(b"tEXt", b"seed\0%d" % seed)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + text + extra + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def png_of_size(size, seed=0):
    """A valid picture of exactly `size` bytes: most of them are in a chunk that decoders skip."""
    base = len(png(seed=seed, extra=chunk(b"teSt", b"")))
    noise = os.urandom(min(size - base, 1 << 20))
    filling = (noise * ((size - base) // max(1, len(noise)) + 1))[: size - base]
    return png(seed=seed, extra=chunk(b"teSt", filling))


def png_claiming(width, height):
    """A few bytes whose header says that they are a huge picture."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")


def encoded(suffix, options=""):
    """A picture made by libvips, such as encoded(".jpg")."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "source.png"
        target = pathlib.Path(folder) / f"target{suffix}"
        source.write_bytes(png(64, 48))
        subprocess.run(["vips", "copy", str(source), f"{target}{options}"], check=True, capture_output=True, timeout=120)
        return target.read_bytes()


SVG = b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>\n'
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
TIFF = b"II*\0\x08\0\0\0" + b"\0" * 64
HTML = b"<!DOCTYPE html><html><body><script>alert(1)</script></body></html>"
ELF = b"\x7fELF\x02\x01\x01" + b"\0" * 64


def form(*parts, boundary="XX", end=None):
    """A multipart body of (headers, content) parts."""
    body = b"".join(b"--%s\r\n%s\r\n\r\n%s\r\n" % (boundary.encode(), headers, content) for headers, content in parts)
    return body + (f"--{boundary}--\r\n".encode() if end is None else end)


FILE = b'Content-Disposition: form-data; name="file"; filename="a.png"'
