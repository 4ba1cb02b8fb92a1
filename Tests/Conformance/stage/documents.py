"""Two HTML documents side by side, as html5lib reads them: a parser that has nothing in common with the service's."""

import re

import html5lib

SPACE = " \t\n\f\r"
CONDITION = re.compile(r"\s*\[if.*?\]>", re.DOTALL | re.IGNORECASE)


def differences(one, other, *, in_comment=False):
    """Yields (before, after) for every link whose `href` differs; fails where the documents differ in anything else."""
    waiting = [(parse(one), parse(other))]
    while waiting:
        before, after = waiting.pop()
        assert before.tail == after.tail
        if callable(before.tag):
            assert callable(after.tag)
            if before.text != after.text:
                yield from comment_differences(before.text, after.text, in_comment)
            continue
        assert (before.tag, before.text, list(before.attrib)) == (after.tag, after.text, list(after.attrib))
        for name, value in before.attrib.items():
            if value != after.attrib[name]:
                assert name == "href" and (before.tag in ("a", "area") or before.tag.startswith("v:")), (before.tag, name)
                yield value.strip(SPACE), after.attrib[name].strip(SPACE)
        assert len(before) == len(after)
        waiting += zip(before, after)


def comment_differences(one, other, in_comment):
    """What Outlook reads in a comment is a document of its own; in any other comment nothing may differ."""
    condition = CONDITION.match(one)
    assert condition and not in_comment, one
    assert other.startswith(condition[0])
    yield from differences(one[condition.end() :], other[condition.end() :], in_comment=True)


def parse(html):
    """The whole document: comments may stand before and behind its root element."""
    tree = html5lib.getTreeBuilder("etree", fullTree=True)
    return html5lib.HTMLParser(tree, namespaceHTMLElements=False).parse(html)
