"""Whether a program said what a page shows. One rule for all pages:

- Ids, keys, times, digests and signatures stand for any others of their kind; so do numbers of bytes and seconds.
- Of JSON, names and order of lists are as shown, values are equal, and a field or item that is not shown is a difference.
- Of text, lines are as shown; how much space lies between words does not matter.
- "…" stands for anything: in a text or a JSON string for the rest, as a whole line for any lines, and in JSON as
  the field "…": "…" or the item "…" for any others.
"""

import json
import re

SAME_KIND = [
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID"),
    (r"tsr_(?:[A-Za-z0-9]{20,}|…)", "KEY"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", "TIME"),
    (r"expires=(?:\d+|…)&sig=(?:[0-9a-f]+|…)", "SIGNATURE"),
    (r"\b[0-9a-f]{64}\b", "DIGEST"),
    (r"\b\d[\d.,]* (?=(?:bytes|[KMGT]i?B|ms|s|seconds)\b)", "NUMBER "),
]
ANY_NUMBER = re.compile(r"(^|_)(bytes|byte_size|seconds|expires|saved)$")


def same_kind(text):
    for pattern, name in SAME_KIND:
        text = re.sub(pattern, name, text)
    return text


def difference(shown, said):
    """Nothing, or what is different, for people."""
    try:
        wanted = json.loads(shown)
    except ValueError:
        return text_difference(shown, said)
    try:
        return json_difference(wanted, json.loads(said))
    except ValueError:
        return f"this is no JSON: {said[:500]}"


def json_difference(wanted, found, at="$"):
    if wanted == "…":
        return None
    if isinstance(wanted, dict) and isinstance(found, dict):
        return object_difference(wanted, found, at)
    if isinstance(wanted, list) and isinstance(found, list):
        open_ended = wanted[-1:] == ["…"]
        wanted = wanted[:-1] if open_ended else wanted
        if len(found) < len(wanted) or (len(found) > len(wanted) and not open_ended):
            return f"{at}: {len(wanted)} items are shown, and there are {len(found)}"
        pairs = [(f"{at}[{n}]", *pair) for n, pair in enumerate(zip(wanted, found))]
    elif isinstance(wanted, str) and isinstance(found, str):
        return None if line_matches(wanted, found) else f"{at}: {wanted!r} is shown, and it is {found!r}"
    else:
        return None if (type(wanted), wanted) == (type(found), found) else f"{at}: {wanted!r} is shown, and it is {found!r}"
    return next(filter(None, (json_difference(want, have, place) for place, want, have in pairs)), None)


def object_difference(wanted, found, at):
    names = [name for name in wanted if name != "…"]
    if missing := [name for name in names if name not in found]:
        return f"{at}: there is no {', '.join(missing)}"
    if "…" not in wanted and (more := [name for name in found if name not in wanted]):
        return f"{at}: {', '.join(more)} is not shown"
    for name in names:
        varies = ANY_NUMBER.search(name) and isinstance(wanted[name], int) and isinstance(found[name], int)
        if not varies and (trouble := json_difference(wanted[name], found[name], f"{at}.{name}")):
            return trouble
    return None


def line_matches(wanted, found):
    parts = [re.escape(" ".join(part.split())) for part in same_kind(wanted).split("…")]
    return re.fullmatch(r"\s*.*?\s*".join(parts), " ".join(same_kind(found).split()), re.DOTALL) is not None


def text_difference(shown, said):
    wanted, found = shown.splitlines(), said.splitlines()

    def fits(i, j):
        if i == len(wanted):
            return j == len(found)
        if wanted[i].strip() == "…":
            return any(fits(i + 1, k) for k in range(j, len(found) + 1))
        return j < len(found) and line_matches(wanted[i], found[j]) and fits(i + 1, j + 1)

    return None if fits(0, 0) else f"shown:\n{shown}\nsaid:\n{said}"
