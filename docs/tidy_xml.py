#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prepares Doxygen's XML for Breathe:

    python3 docs/tidy_xml.py FOLDER

Comments name several exceptions with what they mean in one sentence ("@throws NoReactions, BlowUp: the state is then
unchanged"), which Breathe takes for one type. Each of these lists becomes a paragraph. The first sentence of a comment ends
for Doxygen with the first full stop, also that of "Eqs."; it is joined with what follows.
"""

import pathlib
import sys
import xml.etree.ElementTree as ET


def as_paragraph(exceptions):
    """A section "Throws" in the place of a list of exceptions."""
    section = ET.Element("simplesect", kind="par")
    ET.SubElement(section, "title").text = "Throws"
    for item in exceptions.iter("parameteritem"):
        names = ["".join(name.itertext()).strip() for name in item.iter("parametername")]
        paragraph = ET.SubElement(section, "para")
        ET.SubElement(paragraph, "computeroutput").text = ", ".join(names).rstrip(";,:")
        paragraph[0].tail = ": " if names and names[-1].endswith(":") else " "
        if names and names[-1].endswith((";", ",")):
            paragraph[0].tail = names[-1][-1] + " "
        for description in item.findall("parameterdescription/para"):
            last = paragraph[-1]
            last.tail = (last.tail or "") + (description.text or "")
            paragraph.extend(list(description))
    section.tail = exceptions.tail
    return section


def join_brief(element):
    """The brief description in front of the first paragraph of the detailed one."""
    brief = element.find("briefdescription/para")
    detailed = element.find("detaileddescription/para")
    if brief is None or detailed is None:
        return False
    joined = ET.Element("para")
    joined.text = brief.text
    joined.extend(list(brief))
    rest = " " + (detailed.text or "").lstrip()
    if len(joined):
        joined[-1].tail = (joined[-1].tail or "").rstrip() + rest
    else:
        joined.text = (joined.text or "").rstrip() + rest
    joined.extend(list(detailed))
    joined.tail = detailed.tail
    parent = element.find("detaileddescription")
    parent[list(parent).index(detailed)] = joined
    element.find("briefdescription").clear()
    return True


def tidy(path):
    tree = ET.parse(path)
    changed = False
    for element in list(tree.iter()):
        if element.tag in ("compounddef", "memberdef"):
            changed |= join_brief(element)
    for parent in list(tree.iter()):
        for i, child in enumerate(parent):
            if child.tag == "parameterlist" and child.get("kind") == "exception":
                parent[i] = as_paragraph(child)
                changed = True
    if changed:
        tree.write(path, encoding="utf-8", xml_declaration=True)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.xml")):
        tidy(path)


main()
