"""Messages that carriers must take."""

from harness.client import message


def full_message():
    """Every member that a message can have, with characters that JSON and carriers treat in their own ways."""
    return message(
        title="Spring “sale”",
        body='Line\nbreak, tab\t, quote " and \\ and ☀ and 🎈',
        imageUrl="https://cdn.example/spring.png?w=1&h=2",
        badge=0,
        sound="default",
        category="OFFER",
        contentAvailable=True,
        custom={"campaign": "spring", "empty": "", "json": '{"a":1}', "clé": "ключ"},
        actions=[
            {"id": "buy", "title": "Buy", "link": "https://shop.example/buy"},
            {"id": "show", "title": "Show", "link": "shop://show"},
        ],
    )
