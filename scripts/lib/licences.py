"""Licences of Debian packages, from their machine-readable copyright files, as SPDX expressions."""

import pathlib
import re

# Names that Debian uses, as SPDX names them. What is not here is told as a LicenseRef.
SPDX_NAMES = {
    "Apache-2.0": "Apache-2.0",
    "Artistic": "Artistic-1.0-Perl",
    "Artistic-2.0": "Artistic-2.0",
    "BSD-2-clause": "BSD-2-Clause",
    "BSD-2-Clause": "BSD-2-Clause",
    "BSD-3-clause": "BSD-3-Clause",
    "BSD-3-Clause": "BSD-3-Clause",
    "BSD-4-clause": "BSD-4-Clause",
    "BSL-1.0": "BSL-1.0",
    "Boost-1.0": "BSL-1.0",
    "CC0": "CC0-1.0",
    "CC0-1.0": "CC0-1.0",
    "CC-BY-SA-3.0": "CC-BY-SA-3.0",
    "Expat": "MIT",
    "MIT": "MIT",
    "GPL-1+": "GPL-1.0-or-later",
    "GPL-2": "GPL-2.0-only",
    "GPL-2+": "GPL-2.0-or-later",
    "GPL-3": "GPL-3.0-only",
    "GPL-3+": "GPL-3.0-or-later",
    "LGPL-2": "LGPL-2.0-only",
    "LGPL-2+": "LGPL-2.0-or-later",
    "LGPL-2.0+": "LGPL-2.0-or-later",
    "LGPL-2.1": "LGPL-2.1-only",
    "LGPL-2.1+": "LGPL-2.1-or-later",
    "LGPL-3": "LGPL-3.0-only",
    "LGPL-3+": "LGPL-3.0-or-later",
    "ISC": "ISC",
    "MPL-1.1": "MPL-1.1",
    "MPL-2.0": "MPL-2.0",
    "OFL-1.1": "OFL-1.1",
    "Unlicense": "Unlicense",
    "Zlib": "Zlib",
    "zlib": "Zlib",
}


def names_in(text):
    """The short names in a copyright file, or none where it is not machine-readable."""
    if not re.match(r"Format:\s*\S*copyright-format", text):
        return []
    found = set()
    for value in re.findall(r"^License:[ \t]*(\S[^\n]*)", text, re.M):
        for name in re.split(r"\s+(?:and|or|and/or)\s+|\s*,\s*(?:and\s+|or\s+)?|\s*\|\s*", re.sub(r"\s+with .*", "", value.strip())):
            found.add(name.strip(" ()"))
    return sorted(found - {""})


def declared_licence(package):
    """An expression, and the LicenseRefs in it by id. All of a source package's licences are named, also those of its tests."""
    file = pathlib.Path("/usr/share/doc") / package / "copyright"
    names = names_in(file.read_text(encoding="utf-8", errors="replace")) if file.exists() else []
    if not names:
        return "NOASSERTION", {}
    terms, others = set(), {}
    for name in names:
        if name in SPDX_NAMES:
            terms.add(SPDX_NAMES[name])
            continue
        reference = f"LicenseRef-debian-{package}-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip("-")
        terms.add(reference)
        others[reference] = {
            "licenseId": reference,
            "name": name,
            "extractedText": f"See \"{name}\" in /usr/share/doc/{package}/copyright of the Debian package {package}.",
        }
    return " AND ".join(sorted(terms)), others
