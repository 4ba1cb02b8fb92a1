"""A marketing mail as senders make them: tables in tables, styles on everything, links with campaign parameters. It has
about as many tags and attributes for its size as templates that are sold or given away (eight tags and fifteen
attributes in a kilobyte)."""

FONT = "font-family:'Helvetica Neue',Helvetica,Arial,sans-serif;font-size:16px;line-height:24px;color:#333333"
TEXT = (
    "New in the shop this week: linen shirts that stay cool, sandals made to walk in, and a garden table for eight. "
    "Members see prices before everybody else &amp; keep them until Sunday. "
)
HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Spring</title>
<!--[if mso]><style>td {font-family: Arial, sans-serif !important}</style><![endif]-->
<style>@media (max-width: 600px) { .column { display: block !important; width: 100% !important } }</style></head>
<body style="margin:0;background:#f4f4f4"><table role="presentation" width="100%" cellpadding="0" cellspacing="0">"""
ROW = """
<tr><td class="column" align="center" style="padding:0 24px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse">
<tr><td height="24" style="line-height:24px;font-size:0">&nbsp;</td></tr>
<tr><td class="column" width="280" valign="top"><img src="https://cdn.shop.example/{number}.png" width="280" alt="" border="0"></td>
<td class="column" width="320" valign="top" style="{font}"><h2 style="margin:0;font-size:22px">Offer <b>{number}</b></h2>
<p style="margin:0 0 12px">{text}</p>
<table role="presentation" cellpadding="0" cellspacing="0"><tr><td bgcolor="#00aa66" style="border-radius:4px"><a
 href="https://shop.example/offers/{number}?utm_source=mail&amp;utm_medium=email&amp;utm_campaign=spring&amp;item={number}"
 target="_blank" style="{font};display:inline-block;padding:12px 24px">Have a <span style="color:#ffffff">look</span></a></td>
</tr></table><p style="margin:0"><i>While</i> stocks last<br>or until <b class="date">Sunday</b></p></td></tr>
</table></td></tr>"""
TAIL = "\n</table></body></html>\n"


def html(*, size, links):
    """A document of about `size` bytes with `links` links."""
    empty = sum(len(ROW.format(font=FONT, number=100 + number, text="")) for number in range(links))
    sentences = max(1, round((size - len(HEAD) - len(TAIL) - empty) / links / len(TEXT)))
    rows = (ROW.format(font=FONT, number=100 + number, text=TEXT * sentences) for number in range(links))
    return HEAD + "".join(rows) + TAIL
