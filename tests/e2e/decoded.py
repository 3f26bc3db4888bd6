"""Pictures as libvips, and not we, read them."""

import subprocess

from service import temporary_folder

MAGIC = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"RIFF": "webp"}


class Decoded:
    """Width, height and rows of red, green and blue."""

    def __init__(self, data):
        self.form = next((form for magic, form in MAGIC.items() if data.startswith(magic)), None)
        with temporary_folder() as folder:
            (folder / "picture").write_bytes(data)
            subprocess.run(["vips", "colourspace", folder / "picture", folder / "out.ppm", "srgb"], check=True, capture_output=True)
            head, size, depth, pixels = (folder / "out.ppm").read_bytes().split(b"\n", 3)
        while size.startswith(b"#"):  # who wrote it
            size = depth
            depth, pixels = pixels.split(b"\n", 1)
        assert head == b"P6" and depth == b"255", (head, depth)
        self.width, self.height = map(int, size.split())
        self.pixels = pixels
        assert len(pixels) == 3 * self.width * self.height

    @property
    def size(self):
        return self.width, self.height

    def at(self, x, y):
        start = 3 * (y * self.width + x)
        return tuple(self.pixels[start : start + 3])

    def rectangle(self, x, y, width, height):
        rows = (3 * ((y + row) * self.width + x) for row in range(height))
        return b"".join(self.pixels[start : start + 3 * width] for start in rows)


def furthest(one, other):
    """The largest difference between samples of two pictures, or parts of them, of the same size."""
    assert len(one) == len(other)
    return max(abs(a - b) for a, b in zip(one, other))
