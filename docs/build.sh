#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds the documentation site and checks it; every warning and every broken link is an error:
#   bash docs/build.sh [OUTPUT]     the site goes to OUTPUT (default: documentation/site in the build directory)
#   bash docs/build.sh --help       this text
# Takes from the environment
#   HALFDOF_BUILD_DIR   the build directory (default: build in the source tree)
#   HALFDOF_PROGRAM     the program halfdof, whose list of keys docs/case-file.md has to equal
#                       (default: bin/halfdof in the build directory; without one this is not checked)
# Needs python3-sphinx, python3-myst-parser, python3-breathe and furo; with doxygen the API reference is built, with
# libjs-mathjax formulas need no network.
set -euo pipefail

if [ "${1:-}" = --help ]; then
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit
fi

docs=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(dirname "$docs")
build=${HALFDOF_BUILD_DIR:-$source/build}
output=${1:-$build/documentation/site}
program=${HALFDOF_PROGRAM:-$build/bin/halfdof}
if [ -f "$output/.buildinfo" ]; then
  rm -rf "$output"  # an earlier site, which may have pages that are no more
fi
mkdir -p "$output"
output=$(cd "$output" && pwd)
work=$output.work
mkdir -p "$work"

# The page of keys says what the program says.
if [ -x "$program" ]; then
  python3 "$docs/case_file_page.py" --check "$program"
else
  echo "No program at $program: docs/case-file.md is not compared with it."
fi

# Doxygen's XML of the public headers, by the Doxyfile of the tests.
export HALFDOF_DOXYGEN_XML=
if command -v doxygen >/dev/null; then
  sed -e "s#@PROJECT_SOURCE_DIR@#$source#g" -e "s#@PROJECT_BINARY_DIR@#$work#g" \
    -e "s#@PROJECT_VERSION@##g" -e "s#@PROJECT_DESCRIPTION@##g" \
    "$source/tests/checks/Doxyfile.in" >"$work/Doxyfile"
  cat >>"$work/Doxyfile" <<END
OUTPUT_DIRECTORY       = $work
GENERATE_HTML          = NO
GENERATE_XML           = YES
XML_PROGRAMLISTING     = NO
END
  rm -rf "$work/xml"
  doxygen "$work/Doxyfile"
  python3 "$docs/tidy_xml.py" "$work/xml"
  HALFDOF_DOXYGEN_XML=$work/xml
else
  echo "No doxygen: the API reference is left out."
fi

# The Python package, whose pages run their code.
export HALFDOF_PYTHON=
if ls "$build"/python/halfdof/_core.*.so >/dev/null 2>&1; then
  HALFDOF_PYTHON=$build/python
else
  echo "No Python package in $build/python: the code of its pages is shown, but not run."
fi

export HALFDOF_MATHJAX=
if [ -f /usr/share/javascript/mathjax/MathJax.js ]; then
  HALFDOF_MATHJAX=/usr/share/javascript/mathjax
fi

/usr/bin/python3 -m sphinx -q -W --keep-going -n -b html -d "$work/doctrees" "$docs" "$output"
python3 "$docs/check_links.py" "$output"
echo "The documentation is in $output/index.html"
