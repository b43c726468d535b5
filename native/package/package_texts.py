#!/usr/bin/env python3
"""Writes what packages of distributions hold beside the installed files: licences of the code inside and, for Debian,
copyright, changelog and what lintian is to accept.

    package_texts.py BUILD PROGRAM VERSION CONTACT OUTPUT

BUILD is a native build, PROGRAM the target that is packaged. OUTPUT gets a folder for each component of
native/package/packages.cmake, named COMPONENT_notices and COMPONENT_debian.
"""

import datetime
import gzip
import json
import pathlib
import shutil
import sys

from bill import notices
from contents import components_of, included_files, program_components, site_components
from package import root, time_of_release

NAMES = {"program": "podwright", "library": "libpodwright-dev", "site": "podwright-site", "gpu": "podwright-gpu"}
COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: podwright
Comment: The code of others that is inside, with the texts of its licences, is listed in
 /usr/share/doc/{name}/licences/README.md.

Files: *
Copyright: 2026 The Podwright authors
License: Apache-2.0
 On Debian systems, the text of this licence is in /usr/share/common-licenses/Apache-2.0.
"""
# What lintian warns of and why it is right all the same.
OVERRIDES = {
    "program": "# One program for every distribution and for hosts with nothing installed; licences/README.md lists its parts.\n"
    "{name}: shared-library-lacks-prerequisites [usr/bin/podwright]\n",
}


def inside(component, build, program):
    """Parts of a component as files, and the packages whose code they hold."""
    if component == "program":
        return {"usr/bin/podwright": program_components(build, program)}
    if component == "library":
        return {"usr/lib/libpodwright.a": components_of(included_files(build, ("core/", "native/CMakeFiles/podwright_c.dir/")))}
    if component == "gpu":
        made = root / "build/cuda"
        there = (made / "podwright-gpu").is_file()
        return {"usr/bin/podwright-gpu": program_components(made, "podwright-gpu")} if there else None
    listed = root / "build/site_packages.json"
    return {"usr/share/podwright/site": site_components(listed, root / "web")} if listed.is_file() else None


def changelog(name, version, contact, time):
    date = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S +0000")
    return f"{name} ({version}-1) unstable; urgency=medium\n\n  * The changes are in changelog.gz.\n\n -- {contact}  {date}\n"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data, 9, mtime=0) if path.suffix == ".gz" else data)


def main():
    build, program, version, contact, output = sys.argv[1:]
    build, output = pathlib.Path(build), pathlib.Path(output)
    time = time_of_release()
    sources = json.loads((root / "core/catalog/data/sources.json").read_text(encoding="utf-8"))
    for component, name in NAMES.items():
        for part in ("notices", "debian"):
            shutil.rmtree(output / f"{component}_{part}", ignore_errors=True)
        parts = inside(component, build, program)
        if parts is None:
            continue
        doc = output / f"{component}_notices/share/doc" / name
        for file, text in notices(parts, sources).items():
            write(doc / "licences" / file, text.replace("../LICENSE", "../copyright"))
        write(doc / "copyright", COPYRIGHT.format(name=name))
        write(doc / "changelog.gz", (root / "CHANGELOG.md").read_text(encoding="utf-8"))
        debian = output / f"{component}_debian/share"
        write(debian / "doc" / name / "changelog.Debian.gz", changelog(name, version, contact, time))
        if component in OVERRIDES:
            write(debian / "lintian/overrides" / name, OVERRIDES[component].format(name=name))


if __name__ == "__main__":
    main()
