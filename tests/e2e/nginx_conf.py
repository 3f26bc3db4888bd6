"""nginx without a place of its own on the machine: anybody may start it."""

import os

KINDS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def temporary_paths(folder):
    """For the block http: where nginx gathers bodies."""
    (folder / "temp").mkdir(exist_ok=True)
    return "".join(f"{kind}_temp_path {folder}/temp/{kind};\n" for kind in KINDS)


def whole_configuration(folder, servers):
    """A file of its own around blocks of `server`."""
    user = "user root;\n" if os.geteuid() == 0 else ""
    file = folder / "nginx.conf"
    file.write_text(f"{user}daemon off;\npid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary_paths(folder)}{servers}}}\n")
    return ["/usr/sbin/nginx", "-p", str(folder), "-c", str(file), "-e", f"{folder}/error.log"]
