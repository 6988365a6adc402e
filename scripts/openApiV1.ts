// Adds to test/http/document/openapi-v1.json, the record of what programs may rely on in v1, what is new in the OpenAPI
// document. If something that they rely on is gone, it lists that, writes nothing, and exits with status 1.
import { readFileSync, writeFileSync } from "node:fs"
import { Predicate } from "effect"
import { OpenApi } from "effect/http-api"
import { documentedAt } from "../src/Api.ts"
import { nodeAt, nodesIn, operationsOf, type Node } from "../src/http/document/OpenApiDocument.ts"

const file = new URL("../test/http/document/openapi-v1.json", import.meta.url)

/** Keywords that explain an API to people: programs do not rely on them. */
const words = new Set(["description", "summary", "title", "example", "examples", "default", "links", "x-codeSamples"])

const withoutWords = (value: unknown, isNames = false): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutWords(item))
  if (!Predicate.isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => isNames || !words.has(name))
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutWords(child, name === "properties")]))
}

/** The part of the OpenAPI document that programs rely on. */
export const currentContract = (): Node => {
  const { components, openapi, paths } = OpenApi.fromApi(documentedAt(""))
  return { openapi, paths: withoutWords(paths), components: withoutWords(components) }
}

/** The contract in the record. */
export const recordedContract = (): Node => {
  const contract: unknown = JSON.parse(readFileSync(file, "utf8"))
  return { ...nodeAt({ contract }, "contract") }
}

/** A value that programs send or receive, or the operation or response that it belongs to. */
class Place {
  /** The parts that programs may use, which may not disappear. */
  readonly offers = new Set<string>()
  /** The limits that programs have to cope with: none may appear, and no number may grow. */
  readonly limits = new Map<string, number>()
}

const textsIn = (list: unknown): ReadonlyArray<string> =>
  Array.isArray(list) ? list.filter(Predicate.isNotNull).map(String) : []
const typesOf = ({ type }: Node): ReadonlyArray<string> => textsIn([type ?? []].flat())

const lowest = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]
const highest = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]
/** True for a schema whose alternatives say which of its fields belong together; older documents have them in `allOf`. */
const isRule = (schema: Node): boolean => "oneOf" in schema && "properties" in schema

const rules = ["pattern", "format", "const", "multipleOf", "uniqueItems", "not", "dependentRequired", "allOf"]

/** Every place of a contract, by a name such as `POST /api/v1/goals 200 .needed.emails_sent`. */
const placesOf = (contract: Node): ReadonlyMap<string, Place> => {
  const places = new Map<string, Place>()

  const placeAt = (name: string): Place => {
    const place = places.get(name) ?? new Place()
    places.set(name, place)
    return place
  }

  const resolve = (node: unknown): Node => {
    const found = { ...nodeAt({ node }, "node") }
    const { $ref } = found
    return Predicate.isString($ref) ? { ...nodeAt(contract, ...$ref.split("/").slice(1)) } : found
  }

  const addSent = ({ limits, offers }: Place, schema: Node) => {
    const types = typesOf(schema)
    if (Array.isArray(schema["enum"])) {
      for (const value of textsIn(schema["enum"])) offers.add(`"${value}"`)
      if (types.includes("null")) offers.add("any null")
    } else for (const type of types) offers.add(`any ${type}`)
    if (types.includes("number")) offers.add("any integer")
    if (schema["additionalProperties"] !== false) offers.add("unknown fields")
    for (const name of textsIn(schema["required"])) limits.set(`${name} is required`, 0)
    for (const name of lowest) if (Predicate.isNumber(schema[name])) limits.set(name, schema[name])
    for (const name of highest) if (Predicate.isNumber(schema[name])) limits.set(name, -schema[name])
    for (const name of rules) if (name in schema) limits.set(`${name} ${JSON.stringify(schema[name])}`, 0)
    if (isRule(schema)) limits.set(`allOf ${JSON.stringify([{ oneOf: schema["oneOf"] }])}`, 0)
  }

  const addReceived = ({ limits, offers }: Place, schema: Node) => {
    for (const value of textsIn(schema["enum"])) offers.add(`"${value}"`)
    for (const name of textsIn(schema["required"])) offers.add(`${name} in every response`)
    for (const type of typesOf(schema)) limits.set(`any ${type}`, 0)
    if (typesOf(schema).includes("number")) limits.set("any integer", 0)
  }

  const walk = (name: string, node: unknown, add: (place: Place, schema: Node) => void): void => {
    const schema = resolve(node)
    add(placeAt(name), schema)
    const branches = [schema["anyOf"] ?? [], isRule(schema) ? [] : (schema["oneOf"] ?? [])].flat()
    for (const branch of nodesIn(branches)) walk(name, branch, add)
    const children = Object.entries(nodeAt(schema, "properties") ?? {}).map(([field, child]) => [`.${field}`, child])
    for (const [step, child] of [...children, ["[]", schema["items"]], [".*", schema["additionalProperties"]]])
      if (Predicate.isObject(child)) walk(`${name}${String(step)}`, child, add)
  }

  for (const { method, operation, path } of operationsOf(contract)) {
    const name = `${method.toUpperCase()} ${path}`
    const { limits, offers } = placeAt(name)
    offers.add(`operationId ${String(operation["operationId"])}`)
    const alternatives = nodesIn(operation["security"])
    if (alternatives.length === 0) offers.add("security of none")
    for (const alternative of alternatives) offers.add(`security ${JSON.stringify(alternative)}`)
    for (const { in: part, name: parameter, required, schema } of nodesIn(operation["parameters"])) {
      if (required === true) limits.set(`${String(parameter)} is required`, 0)
      walk(`${name} ${String(part)} ${String(parameter)}`, schema, addSent)
    }
    const body = nodeAt(operation, "requestBody")
    if (body?.["required"] === true) limits.set("a body is required", 0)
    for (const [type, media] of Object.entries(nodeAt(body, "content") ?? {})) {
      offers.add(`a body of ${type}`)
      walk(`${name} `, nodeAt({ media }, "media", "schema"), addSent)
    }
    for (const [status, reference] of Object.entries(nodeAt(operation, "responses") ?? {})) {
      const response = resolve(reference)
      const place = placeAt(`${name} ${status}`)
      for (const [name, header] of Object.entries(nodeAt(response, "headers") ?? {})) {
        place.offers.add(`the header ${name}`)
        if (nodeAt({ header }, "header")?.["required"] === true)
          place.offers.add(`the header ${name} in every response`)
      }
      for (const [type, media] of Object.entries(nodeAt(response, "content") ?? {})) {
        place.offers.add(`a body of ${type}`)
        walk(`${name} ${status} `, nodeAt({ media }, "media", "schema"), addReceived)
      }
    }
  }
  return places
}

/** The changes that would break programs which rely on a contract if another one took its place. */
export const breaksOf = (relied: Node, next: Node): ReadonlyArray<string> => {
  const after = placesOf(next)
  return [...placesOf(relied)].flatMap(([name, { limits, offers }]) => {
    const place = after.get(name)
    if (place === undefined) return [`${name} is gone`]
    const gone = [...offers].filter((offer) => !place.offers.has(offer))
    const grown = [...place.limits].filter(([limit, value]) => value > (limits.get(limit) ?? Number.NEGATIVE_INFINITY))
    return [...gone.map((offer) => `${name} loses ${offer}`), ...grown.map(([limit]) => `${name} now has ${limit}`)]
  })
}

/** A contract as JSON, with a line for each path and each schema. */
const textOf = (contract: Node): string =>
  JSON.stringify(contract).replaceAll(/(?<=[{,])"(?:\/|[A-Z]\w*":\{"(?:\$ref|type|anyOf)")/g, (name) => `\n${name}`) +
  "\n"

if (import.meta.main) {
  const contract = currentContract()
  const breaks = breaksOf(recordedContract(), contract)
  if (breaks.length === 0) writeFileSync(file, textOf(contract))
  else {
    console.error(`This would break programs that use v1:\n${breaks.join("\n")}`)
    process.exitCode = 1
  }
}
