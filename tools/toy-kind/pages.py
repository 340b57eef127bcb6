#!/usr/bin/env python3
"""Asks for the toy in the pages: its form, which is made from its fields, its summary, and the page of its document.

    tools/toy-kind/pages.py ADDRESS      # the address that `posterity web --no-open` prints
"""

from __future__ import annotations

import sys
import time
import urllib.parse
import urllib.request
from html.parser import HTMLParser
from http.cookiejar import CookieJar

ANSWERS = {"file": "visits.csv", "column0": "ward", "categories0": "A,B,C", "unit": "id", "epsilon": "0.5", "account": "survey"}


class Page(HTMLParser):
    """The forms of a page, each with its address and its hidden fields, the names of all inputs, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, str]] = {}
        self.inputs: set[str] = set()
        self.words: list[str] = []
        self.feed(text)
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.forms[known["action"]] = {}
        if tag in ("input", "select", "textarea") and "name" in known:
            self.inputs.add(known["name"])
            if known.get("type") == "hidden" and self.forms:
                self.forms[list(self.forms)[-1]][known["name"]] = known.get("value", "")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def main() -> None:
    address = sys.argv[1]
    origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(address))
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(where: str) -> tuple[str, Page]:
        with opener.open(where) as answer:
            return answer.url, Page(answer.read().decode())

    def post(where: str, fields: dict[str, str]) -> tuple[str, Page]:
        request = urllib.request.Request(where, urllib.parse.urlencode(fields).encode(), {"Origin": origin})
        return get(request)  # type: ignore[arg-type]

    home, _ = get(address)
    root = home.removesuffix("/home")
    _, form = get(f"{root}/number")
    missing = ANSWERS.keys() - form.inputs
    assert not missing, f"the form has no inputs {missing}"
    assert "sets" not in form.inputs and "delta" not in form.inputs, "the form has inputs of other kinds"
    (check,) = (action for action in form.forms if action.endswith("/number/check"))
    print(f"the form has {len(form.inputs)} inputs")
    where, wrong = post(urllib.parse.urljoin(home, check), {**form.forms[check], **ANSWERS, "categories0": "A"})
    assert "at least two" in wrong.text, wrong.text
    draft, summary = post(urllib.parse.urljoin(home, check), {**form.forms[check], **ANSWERS})
    assert "/release/draft/" in draft and "What is promised" in summary.text, summary.text
    print(f"its summary: {draft.removeprefix(root)}")
    _, plan = get(f"{draft}/plan.toml")
    assert "[[number]]" in plan.text, plan.text
    (confirm,) = (action for action in summary.forms if action.endswith("/confirm"))
    result, page = post(urllib.parse.urljoin(home, confirm), summary.forms[confirm])
    for _ in range(100):
        if "Promise" in page.text or "promise" in page.text and "count" in page.text:
            break
        time.sleep(0.1)
        _, page = get(result)
    assert "a number of people" in page.text.lower(), page.text
    print(f"its document: {result.removeprefix(root)}")


if __name__ == "__main__":
    main()
