"""What an interactive zsh reads otherwise than a script does, in commands that a reader pastes from a document."""

import re

_FENCE = re.compile(r"^(?P<indent> *)```(?:sh|bash|shell|console)\n(?P<body>.*?)^(?P=indent)```\s*$", re.MULTILINE | re.DOTALL)
# A quoted text, a character behind a backslash, a heredoc with its end, or one character. The text in double quotes
# may have `$(…)` with quotes of their own.
_PART = re.compile(
    r"""'[^']*'|"(?:\\.|\$\([^()]*\)|[^"\\])*"|\\.|<<-?\s*['"]?(?P<end>\w+)['"]?(?P<rest>[^\n]*)\n(?:.*?\n)?\s*(?P=end)(?=\n|$)|.""",
    re.DOTALL,
)
_WRONG = {
    "a comment, which is a command's argument": re.compile(r"(?:^|(?<=[\s;&|(]))#.*", re.MULTILINE),
    "an unquoted pattern in a URL": re.compile(r"\S*(?:://|\$\w+/|\$\{\w+\}/)[^\s;&|)]*[?*\[]\S*"),
    "the path of a command": re.compile(r"(?:^|(?<=\s))=\w\S*", re.MULTILINE),
    "a variable that zsh keeps for itself": re.compile(r"(?:^|(?<=[\s;&|(]))(?:status|path|argv)=\S*", re.MULTILINE),
}


def pasted(document):
    """The commands of all blocks of a document that are for a shell, also of those that no test can run."""
    return [fence["body"] for fence in _FENCE.finditer(document.read_text())]


def unquoted(commands):
    """Commands without what stands in quotes or in a heredoc, which every shell reads alike: `Q` stands for it."""
    kept = []
    for part in _PART.finditer(commands):
        text = part[0]
        if part["end"]:
            kept.append("Q" + part["rest"] + "\n")
        elif text == "\\\n":
            kept.append(" ")
        else:
            kept.append("Q" if len(text) > 1 else text)
    return "".join(kept)


def misread(commands):
    """What zsh reads otherwise: (why, the text) of each."""
    bare = unquoted(commands)
    return [(why, found[0]) for why, pattern in _WRONG.items() for found in pattern.finditer(bare)]
