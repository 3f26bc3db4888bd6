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


def result_format(request, world, options=None):
    """What the result will be, as far as it can be known; of an unknown asset nothing else will be looked at."""
    options, asset = options or request["options"], source(request, world)
    if "format" in options or asset is None:
        return options.get("format")
    if request["operation"] == "tile":
        return "png" if asset["alpha"] else "jpeg"
    instead = {"gif": "png", "heif": "webp", **({"jxl": "webp"} if request["operation"] == "resize" else {})}
    return instead.get(asset["format"], asset["format"])


def results(request):
    """The options of each result: a resize may have several, which take from the job what they do not say."""
    options = request["options"]
    for output in options.get("outputs", [{}]):
        own_size = "width" in output or "height" in output
        yield {**{name: value for name, value in options.items() if not (own_size and name in ("width", "height"))}, **output}


def opaque_background(request, world):
    def clear(options):
        return result_format(request, world, options) == "jpeg" and alpha(options.get("background", "white")) < 255

    return None if any(map(clear, results(request))) else request


def tile_background(request, world):
    given = alpha(request["options"].get("background", "white"))
    fine = given == 255 or (given == 0 and result_format(request, world) != "jpeg")
    return request if fine else None


def edges_of_formats(request, world):
    for options in results(request):
        most = EDGES.get(result_format(request, world, options) or options.get("format", "png"), 10**9)
        sizes = [edge * options.get("dpr", 1) for edge in (options.get("width", 1), options.get("height", 1))]
        if max(sizes) * world.longest_ratio > most:
            return None
    return request


def lossless_formats(request, world):
    return None if request["options"].get("lossless") and result_format(request, world) == "jpeg" else request


def crop_inside_picture(request, world):
    """Half of each edge: the shape stays, which edges_of_formats counts on."""
    options, asset = request["options"], source(request, world)
    if "crop" not in options:
        return request
    crop = options["crop"]
    if crop.get("unit") == "fraction" or asset is None:
        crop = {"x": 0.25, "y": crop["y"] % 0.5, "width": 0.5, "height": 0.5, "unit": "fraction"}
    else:
        halves = {"width": asset["width"] // 2 or 1, "height": asset["height"] // 2 or 1}
        crop = {**crop, "x": int(crop["x"]) % halves["width"], "y": int(crop["y"]) % halves["height"], **halves}
    return {**request, "options": {**options, "crop": crop}}


def focus_with_cover(request, _):
    def focused(options, inherited=False):
        if "focus" in options:
            options = {name: value for name, value in options.items() if name != "position"}
        elif not inherited or "position" in options:
            return options
        return {**options, "fit": "cover"}

    options = focused(request["options"])
    if "outputs" in options:
        options = {**options, "outputs": [focused(output, "focus" in options) for output in options["outputs"]]}
    return {**request, "options": options}


def outputs_have_a_size(request, _):
    options = request["options"]
    if "outputs" not in options or "width" in options or "height" in options:
        return request
    sized = [output if "width" in output or "height" in output else {**output, "width": 8} for output in options["outputs"]]
    return {**request, "options": {**options, "outputs": sized}}


def overlay_has_one_place(request, _):
    overlay = request["options"].get("overlay", {})
    if "x" not in overlay and "y" not in overlay:
        return request
    placed = {"x": 0, "y": 0, **{name: value for name, value in overlay.items() if name not in ("position", "margin")}}
    return {**request, "options": {**request["options"], "overlay": placed}}


def asks_twice(options):
    return "quality" in options and ("target" in options or (options.get("format") == "auto" and options["quality"] != "auto"))


def inherited(options, output):
    """The options of one of several results: what it says itself stands before what the job says, and one that is to be exact
    takes no target."""
    asks_itself = "quality" in output or "target" in output
    exact = output.get("format") == "png" and (options.get("quality") == "auto" or "target" in options)
    shared = {name: value for name, value in options.items() if not ((asks_itself or exact) and name in ("quality", "target"))}
    return {**shared, **output}


def one_quality(request, world):
    options = request["options"]
    results = [inherited(options, output) for output in options["outputs"]] if "outputs" in options else [options]
    for one in [options, *options.get("outputs", []), *results]:
        if asks_twice(one):
            return None
    for one in results:
        asks = one.get("quality") == "auto" or "target" in one or one.get("format") == "auto"
        if asks and (one.get("lossless") or result_format({**request, "options": one}, world) == "png"):
            return None
    return request


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
        opaque_background, tile_background, crop_inside_picture, focus_with_cover, outputs_have_a_size, overlay_has_one_place, edges_of_formats, lossless_formats, one_quality, lines_inside_blocks, blocks_inside_grid,
        overlap, patches_inside_picture, patches_are_filled,
    )
}  # fmt: skip
