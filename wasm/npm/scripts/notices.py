#!/usr/bin/env python3
"""Writes the licences of what is inside the npm package, and which sources of facts have one of their own.

    notices.py ENGINE_BUILD_FOLDER PACKAGES_OF_THIS_FOLDER.json PACKAGES_OF_WEB.json OUTPUT_FOLDER

The lists name the packages whose modules the bundler put into the scripts.
"""

import json
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(root / "native/package"))

from bill import notices  # noqa: E402
from contents import engine_components, site_components  # noqa: E402

ABOUT = """# Licences

Podwright itself is under Apache-2.0 (`../LICENSE`). The engine and the scripts also hold code of others, listed here by
where it is. The texts of their licences are in this folder.
"""

wasm, of_npm, of_web, output = map(pathlib.Path, sys.argv[1:])
parts = {
    "dist/engine.wasm": engine_components(wasm),
    "dist/*.js": site_components(of_npm, root / "wasm/npm") + site_components(of_web, root / "web"),
}
sources = json.loads((root / "core/catalog/data/sources.json").read_text(encoding="utf-8"))
for name, text in notices(parts, sources, ABOUT).items():
    path = output / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
