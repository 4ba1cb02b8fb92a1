"""Prints what `swift test --filter` takes for the tests that failed, a line each, from the report that it wrote."""

import re
import sys
from xml.etree import ElementTree

for case in ElementTree.parse(sys.argv[1]).iter("testcase"):
    if case.find("failure") is not None:
        # A suite in a suite has a slash before its name, and a dot in the report.
        suite = "[./]".join(re.escape(part) for part in case.get("classname").split("."))
        function = re.escape(case.get("name").split("(")[0])
        print(f"^{suite}[./]{function}\\(")
