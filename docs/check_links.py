#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Follows every link of a built site that stays within it: pages, anchors, pictures, scripts, style sheets.

    python3 docs/check_links.py SITE

Prints each that leads nowhere with the page it stands on, and exits with 1 if there are any. Links to other hosts
are counted only: nothing is asked of a network.
"""

import html.parser
import pathlib
import sys
import urllib.parse

# Where tags keep what they refer to.
REFERENCES = {
    "a": ["href"],
    "area": ["href"],
    "form": ["action"],
    "iframe": ["src"],
    "img": ["src"],
    "link": ["href"],
    "object": ["data"],
    "script": ["src"],
    "source": ["src"],
}


class Page(html.parser.HTMLParser):
    """The anchors and references of one page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.anchors = set()
        self.references = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("id", "name") if tag == "a" else ("id",):
            anchor = values.get(name)
            if anchor:
                self.anchors.add(anchor)
        for name in REFERENCES.get(tag, []):
            if values.get(name) is not None:
                self.references.append((self.getpos()[0], values[name]))

    handle_startendtag = handle_starttag


def check(site):
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    faults = []
    n_inside = n_outside = 0
    for path, page in pages.items():
        where = path.relative_to(site)
        for line, reference in page.references:
            parts = urllib.parse.urlsplit(reference)
            if parts.scheme or parts.netloc:
                n_outside += 1
                continue
            n_inside += 1
            target = path
            if parts.path:
                if parts.path.startswith("/"):
                    faults.append(f"{where}:{line}: {reference}: begins with /, which depends on the host")
                    continue
                target = (path.parent / urllib.parse.unquote(parts.path)).resolve()
                if target.is_dir():
                    target = target / "index.html"
            if not target.is_file():
                faults.append(f"{where}:{line}: {reference}: there is no such file")
                continue
            if not target.is_relative_to(site):
                faults.append(f"{where}:{line}: {reference}: leaves the site")
                continue
            anchor = urllib.parse.unquote(parts.fragment)
            if anchor and target in pages and anchor not in pages[target].anchors:
                faults.append(f"{where}:{line}: {reference}: the page has no such anchor")
    return pages, n_inside, n_outside, faults


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    site = pathlib.Path(sys.argv[1]).resolve()
    pages, n_inside, n_outside, faults = check(site)
    if not pages:
        sys.exit(f"{site}: there are no pages")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(pages)} pages, {n_inside} links within the site, {len(faults)} of them broken; {n_outside} to other hosts.")
    sys.exit(1 if faults else 0)


main()
