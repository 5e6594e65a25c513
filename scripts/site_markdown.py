# SPDX-License-Identifier: MIT
"""Markdown as GitHub shows it, by cmark-gfm: with an anchor at each heading, and links that a page rewrites."""

import html
import re
import subprocess

from site_diagrams import with_diagrams

COMMAND = ["cmark-gfm", "--unsafe", "--extension", "table", "--extension", "autolink", "--extension", "strikethrough"]


def slug(heading, used):
    """Returns the anchor that GitHub gives a heading; `used` counts those of the page."""
    anchor = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
    count = used.get(anchor, 0)
    used[anchor] = count + 1
    return f"{anchor}-{count}" if count else anchor


def plain(fragment):
    """Returns the text of a fragment of HTML."""
    return html.unescape(re.sub(r"<[^>]*>", "", fragment))


def with_anchors(body):
    used = {}

    def heading(match):
        level, content = match[1], match[2]
        return f'<h{level} id="{slug(plain(content), used)}">{content}</h{level}>'

    return re.sub(r"<h([1-6])>(.*?)</h\1>", heading, body, flags=re.DOTALL)


def rewrite_links(body, rewrite):
    """Replaces the address of each link and image by rewrite(address)."""
    return re.sub(r'\b(href|src)="([^"]*)"',
                  lambda match: f'{match[1]}="{html.escape(rewrite(html.unescape(match[2])))}"', body)


def to_html(text, rewrite=lambda address: address):
    """Returns the HTML of a Markdown text."""
    # Comments name the file of an example; readers of a page need none.
    text = re.sub(r"^<!--.*?-->\n", "", text, flags=re.DOTALL | re.MULTILINE)
    done = subprocess.run(COMMAND, input=text, capture_output=True, text=True, encoding="utf-8", check=True)
    return rewrite_links(with_diagrams(with_anchors(done.stdout)), rewrite)


def from_comment(text):
    """Converts a comment to Markdown: `code` stays, names such as grid/item_count.h become code,
    all else is text."""
    def shown(match):
        return match[1] or (f"`{match[2]}`" if match[2] else "\\" + match[0])
    return re.sub(r"(`[^`]*`)|(?<![\w/.])((?:\w+/)+\w+\.\w+)|[<*_\[\\]", shown, text)


def title_of(body, default):
    match = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.DOTALL)
    return plain(match[1]).strip() if match else default
