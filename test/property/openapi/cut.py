#!/usr/bin/env python3
"""Cuts an API server's OpenAPI document down to the types of the objects that a scheduler reads.

    cut.py swagger.json v1.36.3 > kubernetes.json

swagger.json: api/openapi-spec/swagger.json of the Go module k8s.io/kubernetes (go mod download -json
k8s.io/kubernetes@v1.36.3 prints its folder). Kept of each definition that a kind below reaches: type, format,
properties, items, additionalProperties, required, enum and references. No texts, no operations.
"""
import json
import sys

KINDS = {
    "io.k8s.api.core.v1": ["Pod", "Node", "Namespace", "ResourceQuota", "PodTemplate", "ReplicationController"],
    "io.k8s.api.apps.v1": ["Deployment", "ReplicaSet", "StatefulSet"],
    "io.k8s.api.batch.v1": ["Job"],
    "io.k8s.api.policy.v1": ["PodDisruptionBudget"],
    "io.k8s.api.scheduling.v1": ["PriorityClass"],
}
PREFIX = "#/definitions/"


def cut(schema, reached):
    """What a generator needs of a schema; names of definitions go to `reached`."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(PREFIX)
        reached.append(name)
        return {"$ref": name}
    out = {k: schema[k] for k in ("type", "format", "enum", "required") if k in schema}
    if "properties" in schema:
        out["properties"] = {k: cut(v, reached) for k, v in schema["properties"].items()}
    for inner in ("items", "additionalProperties"):
        if isinstance(schema.get(inner), dict):
            out[inner] = cut(schema[inner], reached)
    return out


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    kinds, definitions = {}, {}
    for package, names in KINDS.items():
        for name in names:
            group = document["definitions"][f"{package}.{name}"]["x-kubernetes-group-version-kind"][0]
            version = "/".join(filter(None, [group["group"], group["version"]]))
            kinds[f"{package}.{name}"] = {"apiVersion": version, "kind": group["kind"]}
    left = list(kinds)
    while left:
        name = left.pop()
        if name in definitions:
            continue
        definitions[name] = cut(document["definitions"][name], left)
    cut_down = {"version": sys.argv[2], "kinds": kinds, "definitions": dict(sorted(definitions.items()))}
    # A line for each definition: a new version changes few.
    parts = [f' "{name}": {json.dumps(schema, separators=(",", ":"))}' for name, schema in cut_down["definitions"].items()]
    head = json.dumps({"version": cut_down["version"], "kinds": kinds}, separators=(",", ":"))[:-1]
    print(head + ',"definitions":{\n' + ",\n".join(parts) + "\n}}")


main()
