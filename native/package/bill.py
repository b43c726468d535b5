"""The texts about what is inside the archive: notices for people, and a bill of materials in SPDX 2.3 for programs."""

import datetime
import uuid

from contents import CUDA_LICENCE

ABOUT = """# Licences

Podwright itself is under Apache-2.0 (`../LICENSE`). The programs, the engine of the site and its scripts also hold code of
others, listed here by where it is. The texts of their licences are in this folder; `../sbom.spdx.json` says the same for
programs.

`bin/podwright` is linked with the GNU C library, which is under LGPL-2.1-or-later. To run it with a library that you
changed, build it again: the sources of this version of Podwright are complete, and `./dev package` links them with the
libc.a of the system. The sources of the C library are those of the package and version named below.
"""
DATA = """
## Data

Facts of the catalog name their sources, which `podwright catalog list sources` prints. These sources publish under a
licence of their own:

| source | published by | licence |
|---|---|---|
"""


def cell(text):
    return str(text).replace("|", "\\|")


def notices(parts, sources, about=ABOUT):
    """Files by name: README.md, and the licence texts of all components."""
    text = about
    files = {}
    for part, components in parts.items():
        text += f"\n## `{part}`\n\n| package | version | licence | text |\n|---|---|---|---|\n"
        for one in components:
            names = [name for name, _ in one.texts]
            text += f"| {one.name} | {one.version} | {one.licence} | {', '.join(f'[{n}]({n})' for n in names)} |\n"
            files |= dict(one.texts)
    text += DATA
    for source in sources:
        if "licence" in source:
            title = f"[{cell(source['title'])}]({source['url']})" if "url" in source else cell(source["title"])
            text += f"| {title} | {cell(source.get('publisher', ''))} | {cell(source['licence'])} |\n"
    return files | {"README.md": text}


def part_id(part):
    return "SPDXRef-" + part.replace("/", "-")


def component_id(one):
    letters = (letter if letter.isalnum() or letter in ".-" else "-" for letter in f"{one.name}-{one.version}")
    return "SPDXRef-Package-" + "".join(letters)


def package(spdx_id, name, version, licence, **more):
    return {
        "SPDXID": spdx_id,
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        **more,
    }


def bill_of_materials(version, time, parts, digests):
    """SPDX 2.3: the archive, its parts with their digests, and what each part holds. `digests` are those of all files."""
    whole = "SPDXRef-podwright"
    packages = [package(whole, "podwright", version, "Apache-2.0", primaryPackagePurpose="ARCHIVE")]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", whole)]
    components = {}
    for part, inside in parts.items():
        packages.append(package(part_id(part), part, version, "Apache-2.0"))
        if part in digests:
            packages[-1]["checksums"] = [{"algorithm": "SHA256", "checksumValue": digests[part]}]
        relations.append((whole, "CONTAINS", part_id(part)))
        for one in inside:
            components[component_id(one)] = one
            relations.append((part_id(part), "CONTAINS" if part == "site/assets" else "STATIC_LINK", component_id(one)))
    for spdx_id, one in sorted(components.items()):
        address = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": one.address}
        packages.append(package(spdx_id, one.name, one.version, one.licence, externalRefs=[address]))
    made_of = "\n".join(f"{digest} {name}" for name, digest in sorted(digests.items()))
    bill = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"podwright-{version}-linux-x86_64",
        "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, made_of)}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: podwright native/package/package.py"],
        },
        "packages": packages,
        "relationships": [
            {"spdxElementId": a, "relationshipType": how, "relatedSpdxElement": b} for a, how, b in relations
        ],
    }
    own = [one for one in components.values() if one.licence == CUDA_LICENCE]
    if own:
        bill["hasExtractedLicensingInfos"] = [{"licenseId": CUDA_LICENCE, "extractedText": own[0].texts[0][1]}]
    return bill
