"""FCM HTTP v1: what Google's own encoder and Google's published schema take.

The schema is the discovery document of the API, which `google-api-python-client` carries.
"""

import copy
import functools
import importlib.resources
import json

import jsonschema
from firebase_admin import messaging
from firebase_admin._messaging_encoder import MessageEncoder

MAXIMUM = 4096
TOKEN = "cXt9:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx"
RESERVED = {"from", "message_type"}
RESERVED_BEGINNINGS = ("google", "gcm")


class Refused(Exception):
    pass


@functools.cache
def schema():
    """The discovery document's schemas as JSON Schema, for a request to `messages:send`."""
    documents = importlib.resources.files("googleapiclient.discovery_cache.documents")
    published = json.loads((documents / "fcm.v1.json").read_text())["schemas"]
    converted = {"$ref": "#/$defs/SendMessageRequest", "$defs": {name: _convert(it) for name, it in published.items()}}
    jsonschema.Draft202012Validator.check_schema(converted)
    return converted


def _convert(schema):
    """Discovery documents are JSON Schema draft 3 with references by bare name. The API refuses unknown members, which
    they leave unsaid."""
    if isinstance(schema, list):
        return [_convert(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    schema = copy.copy(schema)
    if isinstance(schema.get("$ref"), str):
        return {"$ref": f"#/$defs/{schema['$ref']}"}
    if schema.get("type") == "any":
        return {}
    kept = {name: schema[name] for name in ("type", "enum") if name in schema}
    if "properties" in schema:
        kept["properties"] = {name: _convert(it) for name, it in schema["properties"].items()}
        kept["additionalProperties"] = False
    if "additionalProperties" in schema:
        kept["additionalProperties"] = _convert(schema["additionalProperties"])
    if "items" in schema:
        kept["items"] = _convert(schema["items"])
    return kept


def encode(payload):
    """The message that Google's SDK would send for this payload, as JSON."""
    if set(payload) != {"data"}:
        raise Refused(f"not a data message: {sorted(payload)}")
    try:
        return json.dumps(messaging.Message(data=payload["data"], token=TOKEN), cls=MessageEncoder)
    except ValueError as refusal:
        raise Refused(str(refusal)) from None


def check(text):
    """Refuses what Google would refuse; the payload's data."""
    if len(text.encode()) > MAXIMUM:
        raise Refused(f"{len(text.encode())} bytes")
    payload = json.loads(text)
    message = json.loads(encode(payload))
    if message != {"data": payload["data"], "token": TOKEN}:
        raise Refused("the encoder changed the message")
    try:
        jsonschema.validate({"message": payload | {"token": TOKEN}}, schema())
    except jsonschema.ValidationError as refusal:
        raise Refused(refusal.message) from None
    for key in payload["data"]:
        if key.lower() in RESERVED or key.lower().startswith(RESERVED_BEGINNINGS):
            raise Refused(f"a reserved key: {key}")
    return payload["data"]


def deliver(text):
    """`RemoteMessage.getData()`: a map of strings to strings."""
    data = check(text)
    assert all(isinstance(key, str) and isinstance(value, str) for key, value in data.items()), data
    return data
