"""Pictures as libvips, and not we, read them."""

import subprocess

from service import temporary_folder


class Decoded:
    """Width, height and rows of red, green and blue."""

    def __init__(self, data):
        with temporary_folder() as folder:
            (folder / "picture").write_bytes(data)
            loader = subprocess.run(["vipsheader", "-f", "vips-loader", folder / "picture"], capture_output=True, text=True, check=True)
            self.form = loader.stdout.strip().removesuffix("load").removesuffix("_buffer")
            subprocess.run(["vips", "colourspace", folder / "picture", folder / "out.v", "srgb"], check=True, capture_output=True)
            subprocess.run(["vips", "extract_band", folder / "out.v", folder / "out.ppm", "0", "--n", "3"], check=True, capture_output=True)
            head, size, depth, pixels = (folder / "out.ppm").read_bytes().split(b"\n", 3)
            while size.startswith(b"#"):  # who wrote it
                size, rest = depth, pixels
                depth, pixels = rest.split(b"\n", 1)
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
