"""How figures are printed: medians with their spread, and tables in Markdown."""

import statistics


def spread(values, digits=2):
    """The median, and the least and the greatest value."""
    median, low, high = statistics.median(values), min(values), max(values)
    return f"{median:,.{digits}f} ({low:,.{digits}f}–{high:,.{digits}f})"


def table(head, rows):
    """Prints a Markdown table whose columns are aligned in plain text, too. The first column is text, the others are
    figures."""
    cells = [list(map(str, row)) for row in [head, *rows]]
    widths = [max(3, *(len(row[column]) for row in cells)) for column in range(len(head))]
    print()
    for number, row in enumerate(cells):
        aligned = [cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths))]
        print("| " + " | ".join(aligned) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) if at == 0 else "-" * width + "-:" for at, width in enumerate(widths)) + "|")
    print(flush=True)
