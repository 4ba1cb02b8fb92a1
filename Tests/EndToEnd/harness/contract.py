"""docs/openapi.yaml: all of it, one listener's part of it, and the bodies that it describes."""

import copy
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from .service import ROOT

DOCUMENT = ROOT / "docs/openapi.yaml"
METHODS = {"get", "put", "post", "delete", "patch"}
PRIVATE, PUBLIC = "http://127.0.0.1:8081", "http://127.0.0.1:8080"


class _Loader(yaml.SafeLoader):
    """YAML without conversions: a time stays a string."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def document(path: Path = DOCUMENT):
    return yaml.load(path.read_text(), _Loader)


def listeners(whole, path):
    """The listeners that a path is on."""
    item = whole["paths"][path]
    return {server["url"] for server in item.get("servers", whole["servers"])}


def operations(whole):
    """(listeners, path, method, operation) of every operation."""
    return [
        (listeners(whole, path), path, method, operation)
        for path, item in whole["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    ]


def resolved(whole, part):
    """What a `$ref` stands for, once."""
    if not isinstance(part, dict) or "$ref" not in part:
        return part
    found = whole
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step.replace("~1", "/").replace("~0", "~")]
    return resolved(whole, found)


def parameters(whole, path, operation):
    """All parameters of an operation, those of its path too."""
    own = operation.get("parameters", []) + whole["paths"][path].get("parameters", [])
    return [resolved(whole, parameter) for parameter in own]


class Schemas:
    """Checks values against the document's schemas."""

    def __init__(self, whole):
        self._registry = Registry().with_resource("doc:", Resource.from_contents(whole, DRAFT202012))

    def validator(self, schema):
        absolute = _absolute(schema)
        return Draft202012Validator(absolute, registry=self._registry, format_checker=FormatChecker())

    def problems(self, schema, value):
        """What does not fit in a value, as text."""
        errors = self.validator(schema).iter_errors(value)
        return [f"/{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in errors]


def _absolute(schema):
    if isinstance(schema, dict):
        return {
            name: f"doc:{value}" if name == "$ref" and value.startswith("#") else _absolute(value)
            for name, value in schema.items()
        }
    return [_absolute(item) for item in schema] if isinstance(schema, list) else schema


def seeded(whole, listener, ids, words):
    """One listener's part of the document. Its path parameters have the values of `ids`, by name, and its schemas
    named in `words` allow those values besides all others, so that generated requests also hit what exists."""
    part = copy.deepcopy(whole)
    part["servers"] = [{"url": listener}]
    part["paths"] = {path: item for path, item in part["paths"].items() if listener in listeners(whole, path)}
    for item in part["paths"].values():
        item.pop("servers", None)
    for path, item in part["paths"].items():
        item["parameters"] = [
            _with_values(resolved(part, parameter), ids, path) for parameter in item.get("parameters", [])
        ]
    schemas = part["components"]["schemas"]
    # The document says this in words, because generators make no usable code of "an object or an array".
    schemas["NewConsents"] = {"anyOf": [{"$ref": "#/components/schemas/NewConsent"}, schemas["NewConsents"]]}
    for name, values in words.items():
        schemas[name] = {"anyOf": [{"type": "string", "enum": values}, schemas[name]]}
    return part


def without_waiting(part):
    """The same without `wait`: a request that waits for half a minute shows no more than one that does not."""
    del part["components"]["parameters"]["Wait"]
    for item in part["paths"].values():
        for operation in (item[method] for method in METHODS & item.keys()):
            kept = [one for one in operation.get("parameters", []) if one.get("$ref") != "#/components/parameters/Wait"]
            operation["parameters"] = kept
    for schema in part["components"]["schemas"].values():
        schema.get("properties", {}).pop("wait", None)
    for example in _objects(part["paths"]):
        if isinstance(example.get("value"), dict):
            example["value"].pop("wait", None)
    return part


def _objects(value):
    """Every object in a document."""
    if isinstance(value, dict):
        yield value
    for inside in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(inside)


def _with_values(parameter, ids, path):
    values = ids.get((path, parameter["name"])) or ids.get(parameter["name"])
    if parameter["in"] != "path" or not values:
        return parameter
    kind = "integer" if isinstance(values[0], int) else "string"
    return parameter | {"schema": {"type": kind, "enum": values}}
