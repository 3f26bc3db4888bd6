#!/usr/bin/python3
"""Makes docs/images/resize-*: a scene drawn here, and what each option of resize makes of it.

  scripts/lib/doc_pictures.py         needs build/release/tessera, and vips with SVG
"""

import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
WIDTH = 240

# A lake in the evening: a boat to the right of the middle, which is what a focus is for.
SCENE = """<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800">
<defs><linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#2b4a7f"/><stop offset="1" stop-color="#f6b26b"/></linearGradient>
<linearGradient id="lake" x2="0" y2="1"><stop offset="0" stop-color="#d08a5a"/><stop offset="1" stop-color="#16324f"/></linearGradient></defs>
<rect width="1200" height="480" fill="url(#sky)"/><circle cx="330" cy="390" r="70" fill="#fff1c9"/>
<path d="M0 480 L170 300 L300 420 L470 250 L700 480 Z" fill="#3d3f5c"/><path d="M480 480 L760 330 L900 410 L1050 300 L1200 400 L1200 480 Z" fill="#2c2d45"/>
<rect y="480" width="1200" height="320" fill="url(#lake)"/>
<g stroke="#f9d9a8" stroke-width="3" opacity="0.6">{waves}</g>
<path d="M760 610 L1000 610 L960 660 L800 660 Z" fill="#7a2e1d"/><path d="M880 380 L880 600 L990 600 Z" fill="#fbf7ef"/><path d="M870 400 L870 600 L780 600 Z" fill="#e8ddc8"/>
</svg>"""
LOGO = """<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><circle cx="150" cy="150" r="130" fill="none" stroke="white" stroke-width="24"/>
<path d="M90 90 H210 V120 H165 V220 H135 V120 H90 Z" fill="white"/></svg>"""

# By file: what is made, and of which source.
PICTURES = {
    "source": {},
    "crop": {"crop": {"x": 700, "y": 340, "width": 360, "height": 360}},
    "focus": {"width": 160, "height": 240, "fit": "cover", "focus": {"x": 0.73, "y": 0.6}},
    "rotate": {"rotate": 90},
    "flip": {"flip": "horizontal"},
    "blur": {"blur": 4},
    "sharpen": {"sharpen": 1.5},
    "overlay": {"overlay": {"file": "logo.png", "scale": 0.2, "margin": 8, "opacity": 0.7}},
    "trim": {"trim": 10},
}


def draw(text, path):
    path.with_suffix(".svg").write_text(text)
    subprocess.run(["vips", "copy", path.with_suffix(".svg"), path], check=True)


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    waves = "".join(f'<path d="M{(x * 173 + y * 97) % 1150} {y} h{30 + x * 9}"/>' for y in range(500, 790, 24) for x in range(6))
    draw(SCENE.replace("{waves}", waves), folder / "scene.png")
    draw(LOGO, folder / "logo.png")
    subprocess.run(["vips", "gravity", folder / "scene.png", folder / "framed.png", "centre", "1500", "1000", "--extend", "white"], check=True)
    for name, options in PICTURES.items():
        source = folder / ("framed.png" if name == "trim" else "scene.png")
        flags = []
        for option, value in {"width": WIDTH, **options}.items():
            flags += [f"--{option}", json.dumps(value) if isinstance(value, dict) else str(value)]
        line = [ROOT / "build/release/tessera", "process", "resize", source, IMAGES / f"resize-{name}.jpg", "--force", "--quality", "82", *flags]
        subprocess.run(line, check=True, cwd=folder)
    subprocess.run(
        [ROOT / "build/release/tessera", "process", "resize", folder / "framed.png", IMAGES / "resize-framed.jpg", "--force", "--width", str(WIDTH)], check=True
    )


main()
