# SPDX-License-Identifier: LGPL-2.1-or-later
"""Configuration of the documentation site. docs/build.sh calls Sphinx with it and sets the environment:

HALFDOF_DOXYGEN_XML  the folder of Doxygen's XML; without it the API reference is a stub
HALFDOF_PYTHON       the folder of the Python package; without it the code of its pages is shown, but not run
HALFDOF_MATHJAX      the folder of MathJax 2.7, which is copied into the site; without it formulas need a network
"""

import contextlib
import io
import os
import pathlib
import re
import shutil
import sys

from docutils import nodes
from docutils.parsers.rst import Directive

source = pathlib.Path(__file__).resolve().parent.parent

project = "halfdof"
author = "the authors of halfdof"
copyright = author
release = re.search(r"^  VERSION (\S+)$", (source / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)

extensions = ["myst_parser", "breathe"]
# The pages of the Python package run their code and draw its pictures.
python_package = os.environ.get("HALFDOF_PYTHON", "")
if python_package:
    sys.path.insert(0, python_package)
    extensions += ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]
    autodoc_member_order = "bysource"
    autodoc_typehints = "none"
    napoleon_google_docstring = False
    napoleon_use_ivar = True
source_suffix = {".md": "markdown"}
root_doc = "index"
# Words are those of a language with C++ in it, and quotation marks stay as they are written.
smartquotes = False
nitpicky = True

myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
myst_update_mathjax = False

# The API reference.
xml = os.environ.get("HALFDOF_DOXYGEN_XML", "")
breathe_projects = {"halfdof": xml} if xml else {}
breathe_default_project = "halfdof"
breathe_show_include = True
primary_domain = "cpp"
highlight_language = "text"
# Types of other libraries, and those of halfdof that the page does not list.
nitpick_ignore_regex = [("cpp:.*", ".*"), ("py:.*", ".*")]

html_theme = "furo"
html_title = "halfdof " + release
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False

# Formulas as SVG: no fonts to load, so that pages can be read from a folder, too.
mathjax_folder = os.environ.get("HALFDOF_MATHJAX", "")
mathjax_parts = [
    "MathJax.js",
    "config/TeX-AMS_SVG-full.js",
    "extensions/TeX",
    "jax/element",
    "jax/input/TeX",
    "jax/output/SVG/autoload",
    "jax/output/SVG/config.js",
    "jax/output/SVG/jax.js",
    "jax/output/SVG/fonts/TeX",
]
if mathjax_folder:
    mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG-full"
else:
    mathjax_path = "https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.9/MathJax.js?config=TeX-AMS_SVG-full"
mathjax2_config = {
    "messageStyle": "none",
    "showMathMenu": False,
    "tex2jax": {"inlineMath": [["\\(", "\\)"]], "displayMath": [["\\[", "\\]"]], "processClass": "math", "ignoreClass": "content"},
    "SVG": {"scale": 95, "linebreaks": {"automatic": False}},
    "TeX": {"equationNumbers": {"autoNumber": "none"}},
}


class Run(Directive):
    """Shows a piece of Python, runs it after the other pieces of its page, and shows what it prints and draws."""

    has_content = True
    namespaces = {}

    def run(self):
        code = "\n".join(self.content)
        shown = [nodes.literal_block(code, code, language="python")]
        if not python_package:
            return shown
        import matplotlib.pyplot as plt

        page = self.state.document.settings.env.docname
        plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": f"{page} {self.lineno}"})
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"{page}.md", "exec"), self.namespaces.setdefault(page, {}))
        if printed.getvalue():
            shown.append(nodes.literal_block(printed.getvalue(), printed.getvalue(), language="text"))
        for number in plt.get_fignums():
            picture = io.StringIO()
            plt.figure(number).savefig(picture, format="svg", metadata={"Date": None})
            svg = picture.getvalue()[picture.getvalue().index("<svg") :]
            shown.append(nodes.raw("", f'<div class="picture">{svg}</div>', format="html"))
        plt.close("all")
        return shown


def copy_mathjax(app, exception):
    if exception or not mathjax_folder or app.builder.format != "html":
        return
    target = pathlib.Path(app.outdir) / "_static" / "mathjax"
    if target.exists():
        return
    for part in mathjax_parts:
        found = pathlib.Path(mathjax_folder) / part
        target_part = target / part
        target_part.parent.mkdir(parents=True, exist_ok=True)
        if found.is_dir():
            shutil.copytree(found, target_part)
        elif found.exists():
            shutil.copy(found, target_part)


def without_doxygen(app, docname, text):
    if docname.startswith("api/") and not xml:
        title = text[0].split("\n", 1)[0]
        text[0] = title + "\n\nThis copy of the documentation was built without Doxygen. The headers say the same.\n"


def without_reference(app, env, node, contnode):
    """Names that the API reference does not list stay text."""
    if node.get("reftarget", "").startswith(("class", "struct", "namespace", "union")) or "_8h" in node.get("reftarget", ""):
        return contnode
    return None


def without_python(app, docname, source):
    if docname == "api/python" and not python_package:
        source[0] = "# Python\n\nThe Python package was not built with this site.\n"


def setup(app):
    app.connect("missing-reference", without_reference)
    app.connect("build-finished", copy_mathjax)
    app.connect("source-read", without_doxygen)
    app.connect("source-read", without_python)
    app.add_directive("run", Run)
