# SPDX-License-Identifier: MIT
# Sphinx's configuration; scripts/site adds html_extra_path. Pages load nothing from the network.
project = html_title = "Winnow"
copyright = "the authors of Winnow, MIT licence"
extensions = ["myst_parser", "sphinx.ext.graphviz"]
myst_heading_anchors = 6  # as on GitHub
smartquotes = html_copy_source = html_use_index = html_show_sphinx = html_permalinks = False
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
graphviz_output_format = "svg"
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["style.css"]


def setup(app):
    """Lets a link to an image show the image; Sphinx would download it."""
    app.connect("html-page-context", lambda app, page, template, context, doctree: context.update(
        body=context.get("body", "").replace(' download=""', "")))
