"""Mends links to pages that mdBook has renamed (README.md becomes index.html), and refuses a site with links that lead nowhere."""

import html
import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r'(href|src)="([^"#?]*)(#[^"]*)?"')


def main(site: pathlib.Path) -> int:
    """Looks at every page."""
    lost = []
    for page in sorted(site.rglob("*.html")):
        # The page of all pages is for printing: its links are those of the pages in it. The crates have a checker of their own.
        if page.name in ("print.html", "toc.html", "404.html") or (site / "api") in page.parents:
            continue
        text = page.read_text(encoding="utf-8")
        mended = re.sub(r'((?:href|src)="[^"]*?)README\.html', r"\1index.html", text)
        if mended != text:
            page.write_text(mended, encoding="utf-8")
        for _, link, _ in LINK.findall(mended):
            target = urllib.parse.unquote(html.unescape(link))
            if not target or re.match(r"[a-z]+:", target):
                continue
            if not (page.parent / target).exists():
                lost.append(f"{page.relative_to(site)}: {target}")
    for one in lost:
        print(one, file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
