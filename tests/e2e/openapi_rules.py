"""The rules under `x-rules` of the OpenAPI document, which no schema can say: what they make of a job request.

Each gets the request and `world`, which knows the assets' formats and sizes and the tilesets' sizes by id, and returns the
request as the rule wants it, or None when it has to be made anew."""

EDGES = {"jpeg": 65535, "webp": 16383, "avif": 16384}


def alpha(colour):
    """0 to 255."""
    if not colour.startswith("#"):
        return 0 if colour == "transparent" else 255
    digits = colour[1:]
    return {4: lambda: int(digits[3] * 2, 16), 8: lambda: int(digits[6:], 16)}.get(len(digits), lambda: 255)()


def source(request, world):
    return world.assets.get(str(request.get("asset_id")).lower())


def result_format(request, world):
    """What the result will be, as far as it can be known; of an unknown asset nothing else will be looked at."""
    options, asset = request["options"], source(request, world)
    if "format" in options or asset is None:
        return options.get("format")
    if request["operation"] == "tile":
        return "png" if asset["alpha"] else "jpeg"
    instead = {"gif": "png", "heif": "webp", **({"jxl": "webp"} if request["operation"] == "resize" else {})}
    return instead.get(asset["format"], asset["format"])


def opaque_background(request, world):
    jpeg = result_format(request, world) == "jpeg"
    return None if jpeg and alpha(request["options"].get("background", "white")) < 255 else request


def tile_background(request, world):
    given = alpha(request["options"].get("background", "white"))
    fine = given == 255 or (given == 0 and result_format(request, world) != "jpeg")
    return request if fine else None


def edges_of_formats(request, world):
    options = request["options"]
    most = EDGES.get(result_format(request, world) or options.get("format", "png"), 10**9)
    sizes = [options.get("width", 1), options.get("height", 1)]
    return request if max(sizes) * world.longest_ratio <= most else None


def lossless_formats(request, world):
    return None if request["options"].get("lossless") and result_format(request, world) == "jpeg" else request


def one_quality(request, world):
    options = request["options"]
    asks = options.get("quality") == "auto" or "target" in options or options.get("format") == "auto"
    if "quality" in options and ("target" in options or (options.get("format") == "auto" and options["quality"] != "auto")):
        return None
    return None if asks and (options.get("lossless") or result_format(request, world) == "png") else request


def lines_inside_blocks(request, _):
    options = request["options"]
    smallest = min(options["block_width"], options.get("block_height", options["block_width"]))
    if options.get("line_width", 1) < smallest:
        return request
    return {**request, "options": {**options, "line_width": smallest - 1}}


def blocks_inside_grid(request, _):
    options = request["options"]
    columns = -(-options["width"] // options["block_width"])
    rows = -(-options["height"] // options.get("block_height", options["block_width"]))
    blocks = []
    for block in options.get("blocks", []):
        column, row = block["column"] % columns, block["row"] % rows
        blocks.append(
            {
                **block,
                "column": column,
                "row": row,
                **({"columns": min(block["columns"], columns - column)} if "columns" in block else {}),
                **({"rows": min(block["rows"], rows - row)} if "rows" in block else {}),
            }
        )
    return {**request, "options": {**options, **({"blocks": blocks} if "blocks" in options else {})}}


def overlap(request, _):
    return request  # the client makes three blocks at most


def patches_inside_picture(request, world):
    options = request["options"]
    size = world.tilesets.get(options["tileset_id"].lower())
    if size is None:
        return request
    width, height = size
    patches = []
    for patch in options["patches"]:
        x, y = patch["x"] % width, patch["y"] % height
        patches.append({**patch, "x": x, "y": y, "width": min(patch["width"], width - x), "height": min(patch["height"], height - y)})
    return {**request, "options": {**options, "patches": patches}}


def patches_are_filled(request, _):
    bare = any("color" not in patch and "asset_id" not in patch for patch in request["options"]["patches"])
    return None if bare and "asset_id" not in request else request


RULES = {
    rule.__name__: rule
    for rule in (
        opaque_background, tile_background, edges_of_formats, lossless_formats, one_quality, lines_inside_blocks, blocks_inside_grid,
        overlap, patches_inside_picture, patches_are_filled,
    )
}  # fmt: skip
