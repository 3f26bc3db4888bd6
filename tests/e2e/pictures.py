"""Pictures made on the spot, with nothing but the standard library."""

import os
import struct
import zlib


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, colour=None):
    """An RGB picture: one colour, or a gradient that no two sizes share."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        if colour:
            rows += bytes(colour) * width
        else:
            for x in range(width):
                rows += bytes((x * 255 // width, y * 255 // height, (x * 7 + y * 13) % 256))
    return _rgb_png(width, height, bytes(rows))


def linear_png(width, height, colour):
    """One colour, in samples that are proportional to light, as gAMA says of them."""
    plain = png(width, height, colour)
    return plain[:33] + _chunk(b"gAMA", struct.pack(">I", 100000)) + plain[33:]


def noise_png(width, height):
    """A picture that no encoder can make small."""
    return _rgb_png(width, height, b"".join(b"\0" + os.urandom(3 * width) for _ in range(height)))


def _rgb_png(width, height, rows):
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(rows, 1))
        + _chunk(b"IEND", b"")
    )


def png_of(width, height, pixel):
    """Every pixel from a function of x and y that gives (red, green, blue) or (red, green, blue, alpha)."""
    first = pixel(0, 0)
    rows = b"".join(b"\0" + bytes(c for x in range(width) for c in pixel(x, y)) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 6 if len(first) == 4 else 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(rows, 1))
        + _chunk(b"IEND", b"")
    )


def truncated_png(width=200, height=200):
    """Its header is whole, so it uploads; its pixels are not."""
    whole = png(width, height)
    return whole[: len(whole) // 2]


def png_size(data):
    assert data.startswith(b"\x89PNG\r\n\x1a\n"), data[:20]
    return struct.unpack(">II", data[16:24])
