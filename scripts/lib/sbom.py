"""Prints what a package of Tessera is made of, as SPDX 2.3 in JSON: the Debian packages of the libraries that it is linked with
and whose headers are compiled into it, by dpkg's own data, and the npm packages inside the console, by their lock file.

    sbom.py --binary FILE --package FILE.deb --time SECONDS"""

import argparse
import base64
import datetime
import functools
import hashlib
import json
import pathlib
import re
import subprocess

from console_parts import console_parts
from licences import declared_licence

COMPILED_IN = ["libboost1.81-dev", "libcli11-dev"]  # header-only libraries: no file of theirs is linked


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@functools.cache
def needed_by(file):
    """Sonames that an ELF file asks for."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "--dynamic", "--wide", file))


def names_of(file):
    """Debian knows a library by the path that it was installed to, which on a merged /usr need not be the one that the linker found."""
    names = {file, str(pathlib.Path(file).resolve())}
    names |= {name.removeprefix("/usr") for name in names if name.startswith("/usr/lib")}
    return names | {"/usr" + name for name in names if name.startswith("/lib")}


def packages_of(files):
    """Path to package, asked of dpkg at once."""
    wanted = {name: file for file in files for name in names_of(file)}
    found = subprocess.run(["dpkg-query", "--search", *sorted(wanted)], capture_output=True, text=True).stdout
    packages = {wanted[path]: names.split(":")[0] for names, path in re.findall(r"^(.*?): (/.*)$", found, re.M) if path in wanted}
    assert packages.keys() == set(files), f"of no Debian package: {sorted(set(files) - packages.keys())}"
    return packages


def libraries_of(binary):
    """Soname to path of every library that is loaded with the binary."""
    return dict(re.findall(r"^\s*(\S+) => (/\S+)", output_of("ldd", binary), re.M))


def spdx_id(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def debian_package(name):
    show = "${Version}\t${Architecture}\t${source:Package}\t${Homepage}\t${Maintainer}"
    version, architecture, source, homepage, maintainer = output_of("dpkg-query", "--show", f"--showformat={show}\n", name).splitlines()[0].split("\t")
    licence, others = declared_licence(name)
    return {
        "SPDXID": spdx_id("deb", name),
        "name": name,
        "versionInfo": version,
        "supplier": "Organization: Debian",
        "originator": "Person: " + maintainer.replace("<", "(").replace(">", ")"),
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        **({"homepage": homepage} if homepage else {}),
        "sourceInfo": f"built from the Debian source package {source}",
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "externalRefs": [purl(f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}&distro=bookworm")],
    }, others


def npm_packages():
    for name, entry in console_parts():
        method, _, digest = entry["integrity"].partition("-")
        yield {
            "SPDXID": spdx_id("npm", name),
            "name": name,
            "versionInfo": entry["version"],
            "supplier": "NOASSERTION",
            "downloadLocation": f"https://registry.npmjs.org/{name}/-/{name.rpartition('/')[2]}-{entry['version']}.tgz",
            "filesAnalyzed": False,
            "checksums": [{"algorithm": method.upper(), "checksumValue": base64.b64decode(digest).hex()}],
            "licenseConcluded": "NOASSERTION",
            "licenseDeclared": entry["license"],
            "copyrightText": "NOASSERTION",
            "externalRefs": [purl(f"pkg:npm/{name.replace('@', '%40')}@{entry['version']}")],
        }


def purl(locator):
    return {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}


def own_package(deb):
    fields = dict(re.findall(r"^(\S+): (.*)$", output_of("dpkg-deb", "--field", str(deb)), re.M))
    return {
        "SPDXID": "SPDXRef-tessera",
        "name": "tessera",
        "versionInfo": fields["Version"],
        "packageFileName": deb.name,
        "supplier": "Organization: Tessera contributors",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(deb.read_bytes()).hexdigest()}],
        "primaryPackagePurpose": "APPLICATION",
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "2026 Tessera contributors",
    }


def relationship(left, kind, right):
    return {"spdxElementId": left, "relationshipType": kind, "relatedSpdxElement": right}


def document(binary, deb, time):
    own = own_package(deb)
    packages, licences = [own], {}
    links = {("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"]): None}  # a dictionary keeps the order and has each once
    libraries = libraries_of(binary)
    package_of = packages_of(libraries.values()).__getitem__
    direct = {package_of(libraries[soname]) for soname in needed_by(binary) if soname in libraries}
    for name in sorted({package_of(path) for path in libraries.values()} | set(COMPILED_IN)):
        package, others = debian_package(name)
        packages.append(package)
        licences |= others
        if name in direct:
            links[own["SPDXID"], "DYNAMIC_LINK", package["SPDXID"]] = None
        elif name in COMPILED_IN:
            links[own["SPDXID"], "STATIC_LINK", package["SPDXID"]] = None
    for path in sorted(libraries.values()):
        for soname in needed_by(path):
            if soname in libraries and package_of(path) != package_of(libraries[soname]):
                links[spdx_id("deb", package_of(path)), "DEPENDS_ON", spdx_id("deb", package_of(libraries[soname]))] = None
    for package in npm_packages():
        packages.append(package)
        links[own["SPDXID"], "CONTAINS", package["SPDXID"]] = None
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": deb.stem,
        "documentNamespace": f"https://tessera.invalid/spdx/{deb.stem}/{own['checksums'][0]['checksumValue']}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Organization: Tessera contributors", "Tool: scripts/package"],
        },
        "packages": packages,
        "relationships": [relationship(*key) for key in links],
        "hasExtractedLicensingInfos": [licences[key] for key in sorted(licences)],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--package", required=True, type=pathlib.Path)
    parser.add_argument("--time", required=True, type=int)
    given = parser.parse_args()
    print(json.dumps(document(given.binary, given.package, given.time), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
