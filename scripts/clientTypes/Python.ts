// Writes the types of the Python client: TypedDicts, which Python 3.9 can evaluate.
import type { Declaration, Field, Operation, Type, WireTypes } from "./WireTypes.ts"

const primitives = { string: "str", number: "float", integer: "int", boolean: "bool", null: "None" }

const typeOf = (type: Type, isSent: boolean, module = ""): string => {
  switch (type.kind) {
    case "named":
      return `${module}${type.name}`
    case "values":
      return `Literal[${type.values.map((value) => JSON.stringify(value)).join(", ")}]`
    case "union": {
      const some = type.types.filter(({ kind }) => kind !== "null").map((each) => typeOf(each, isSent, module))
      const union = some.length === 1 ? `${some[0]}` : `Union[${some.join(", ")}]`
      return some.length === type.types.length ? union : `Optional[${union}]`
    }
    case "list":
      return `List[${typeOf(type.item, isSent, module)}]`
    case "number":
    case "integer":
      return isSent ? "Number" : primitives[type.kind]
    default:
      return primitives[type.kind]
  }
}

const docstringOf = (text: string) =>
  text === "" ? "" : `    """${text.replaceAll("\\", "\\\\").replace(/"$/, '" ').replaceAll('"""', '\\"""')}"""\n`

const classOf = (head: string, comment: string, fields: ReadonlyArray<Field>, isSent: boolean) => {
  const members = fields.map(
    ({ comment, name, type }) => `    ${name}: ${typeOf(type, isSent)}\n${docstringOf(comment)}`
  )
  const body = docstringOf(comment) + (comment === "" || members.length === 0 ? "" : "\n") + members.join("")
  return `class ${head}:\n${body === "" ? "    pass\n" : body}`
}

/** Names that cannot be written as a member of a class. */
const keywords = new Set(["from"])

/** A class; with a base for its required fields where others are optional, and one for names that are keywords. */
const declarationOf = ({ comment, content, isSent, name }: Declaration): string => {
  if ("kind" in content) return `${name} = ${typeOf(content, isSent)}\n`
  const keyword = content.filter((field) => keywords.has(field.name))
  const required = content.filter((field) => field.isRequired && !keyword.includes(field))
  const optional = content.filter((field) => !field.isRequired && !keyword.includes(field))
  const base = keyword.length === 0 ? "TypedDict" : `_${name}Keywords`
  const entries = keyword.map((field) => `${JSON.stringify(field.name)}: ${typeOf(field.type, isSent)}`)
  const classes = keyword.length === 0 ? [] : [`${base} = TypedDict("${base}", {${entries.join(", ")}})\n`]
  if (optional.length === 0) classes.push(classOf(`${name}(${base})`, comment, required, isSent))
  else if (required.length === 0) classes.push(classOf(`${name}(${base}, total=False)`, comment, optional, isSent))
  else {
    classes.push(classOf(`_${name}Required(${base})`, "", required, isSent))
    classes.push(classOf(`${name}(_${name}Required, total=False)`, comment, optional, isSent))
  }
  return classes.join("\n\n")
}

/** The type of usage, which is one of two: the query says which. */
const anyUsage = "_AnyUsage"

const parameterOf = ({ isRequired, name, type }: Field) =>
  isRequired ? `${name}: ${typeOf(type, false)}` : `${name}: Optional[${typeOf(type, false)}] = None`

const operationOf = ({ answer, body, hasKey, name, path, query }: Operation) => {
  const named = [...path, ...query].map(parameterOf)
  if (hasKey) named.push("idempotency_key: str")
  const parameters = [
    "self",
    `operation: Literal["${name}"]`,
    ...(body === undefined ? [] : ["fields: Mapping[str, object]"]),
    ...(named.length === 0 ? [] : ["*", ...named])
  ]
  const type = answer === undefined ? "None" : answer.kind === "union" ? anyUsage : typeOf(answer, false, "types.")
  return `    @overload\n    def __call__(${parameters.join(", ")}) -> Request[${type}]: ...\n`
}

const generated = "# Generated from the OpenAPI document by `npm run fix`. Do not edit.\n"

const typesHead = `${generated}"""The requests and the responses of the service: dictionaries with the names of its OpenAPI document."""

from __future__ import annotations

from decimal import Decimal
from typing import List, Literal, Optional, SupportsIndex, TypedDict, Union
`

const number = `Number = Union[float, Decimal, SupportsIndex]
"""A number in a request. A Decimal is sent as the nearest float, as the service reads it."""
`

const operationsHead = `${generated}from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, Optional, Protocol, TypeVar, overload

from . import types

if TYPE_CHECKING:
    from ._requests import Request
`

const isNumber = ({ type }: Field) =>
  (type.kind === "union" ? type.types : [type]).every(({ kind }) => ["number", "integer", "null"].includes(kind))

/** The numbers of a request for a forecast, which are the arguments of many methods. */
const assumptionsIn = (types: ReadonlyArray<Declaration>): ReadonlyArray<Declaration> =>
  types.flatMap(({ content, ...declaration }) => {
    if (declaration.name !== "ForecastRequest" || "kind" in content) return []
    const comment = "The numbers that a campaign is forecast from. Rates are percentages: 5 means 5 percent."
    return [{ ...declaration, name: "Assumptions", comment, content: content.filter(isNumber) }]
  })

/** The files of the client, by name: the types that it exports, and the one that its own code is checked against. */
export const pythonFiles = ({ operations, types }: WireTypes): Readonly<Record<string, string>> => {
  const declared = [...assumptionsIn(types), ...types]
  const names = ["Number", ...declared.map(({ name }) => name)].map((name) => `    "${name}",\n`)
  const unions = operations.flatMap(({ answer }) =>
    answer?.kind === "union" ? [answer.types.map((type) => typeOf(type, false, "types.")).join(", ")] : []
  )
  return {
    "types.py": [
      typesHead,
      `__all__ = [\n${names.join("")}]\n`,
      number,
      ...declared.map((declaration) => `\n${declarationOf(declaration)}`)
    ].join("\n"),
    "_operations.py": [
      operationsHead,
      ...unions.map((types) => `${anyUsage} = TypeVar("${anyUsage}", ${types})\n`),
      `\nclass Operations(Protocol):\n    """The parameters of each operation, and the type of its response."""\n`,
      ...operations.map(operationOf)
    ].join("\n")
  }
}
