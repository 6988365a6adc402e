import { Predicate, Schema } from "effect"
import { listOperation, operations } from "./paidOperations.ts"

/**
 * The JSON Schemas of tools. Every word of them costs an agent tokens before it asks anything, and the APIs of many
 * models know only the simplest keywords. So there are no examples, references, negations or choices, and a null that
 * is the same as a field left out is not mentioned.
 */

const tools: ReadonlyMap<string, string> = new Map(
  [...Object.values(operations), listOperation].flatMap(({ path, tool }) =>
    tool === undefined ? [] : [[`POST ${path}`, `the tool ${tool.name}`] as const]
  )
)

/** A sentence with tools in place of endpoints, which an agent cannot call. */
export const withTools = (sentence: string): string =>
  sentence.replaceAll(/POST [\w/]+/g, (endpoint) => tools.get(endpoint) ?? endpoint)

type Node = Readonly<Record<string, unknown>>

const nodeOf = (part: unknown): Node => (Predicate.isObject(part) ? { ...part } : {})

const isNull = (part: unknown) => nodeOf(part)["type"] === "null"

/** A schema without references, and whether null is allowed besides it. */
interface Resolved {
  readonly node: Node
  readonly isNullable: boolean
}

const resolver = (definitions: Node) => {
  const resolve = (part: unknown): Resolved => {
    const { $ref, anyOf, ...own } = nodeOf(part)
    if (Predicate.isString($ref)) {
      const { isNullable, node } = resolve(definitions[$ref.split("/").at(-1) ?? ""])
      return { node: { ...node, ...own }, isNullable }
    }
    if (!Array.isArray(anyOf)) return { node: own, isNullable: false }
    const choices = anyOf.filter((each) => !isNull(each)).map((each) => resolve(each).node)
    const node =
      choices.length === 1 ? { ...choices[0], ...own } : { type: choices.flatMap(({ type }) => type), ...own }
    return { node, isNullable: anyOf.some(isNull) }
  }
  return resolve
}

const documentOf = (object: Schema.Constraint) => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(object)
  const resolve = resolver(definitions)
  return { schema: resolve(schema).node, resolve }
}

const pick = (node: Node, names: ReadonlyArray<string>): Node =>
  Object.fromEntries(Object.entries(node).filter(([name]) => names.includes(name)))

/** The schema of a tool's arguments. Another tool describes the fields with a name in `known`. */
export const inputSchema = (request: Schema.Constraint, known: ReadonlyArray<string> = []): Node => {
  const { resolve, schema } = documentOf(request)
  const write = (part: unknown, isKnown: boolean): Node => {
    const { node } = resolve(part)
    const { description, items, properties } = node
    return {
      ...pick(node, ["type", "enum", ...(isKnown ? [] : ["minimum", "maximum", "maxItems"])]),
      ...(!isKnown && Predicate.isString(description) ? { description: withTools(description) } : {}),
      ...(items === undefined ? {} : { items: write(items, isKnown) }),
      ...(properties === undefined ? {} : object(node, isKnown))
    }
  }
  const object = (node: Node, isKnown: boolean): Node => ({
    properties: Object.fromEntries(
      Object.entries(nodeOf(node["properties"])).map(([name, part]) => [
        name,
        write(part, isKnown || known.includes(name))
      ])
    ),
    ...pick(node, ["required"])
  })
  return { type: "object", ...object(schema, false) }
}

/**
 * The schema of a tool's answer: the fields that are always there, two levels deep. All others are allowed, and none is
 * required: clients check replays too, and one from before an upgrade lacks what that added.
 */
export const outputSchema = (answer: Schema.Constraint): Node => {
  const { resolve, schema } = documentOf(answer)
  const write = (part: unknown, levels: number): Node => {
    const { isNullable, node } = resolve(part)
    const type = isNullable ? { type: [node["type"], "null"].flat() } : pick(node, ["type"])
    return levels > 0 && node["properties"] !== undefined ? { ...type, ...object(node, levels) } : type
  }
  const object = (node: Node, levels: number): Node => {
    const properties = nodeOf(node["properties"])
    const required = Array.isArray(node["required"]) ? node["required"].map(String) : []
    return { properties: Object.fromEntries(required.map((name) => [name, write(properties[name], levels - 1)])) }
  }
  return { type: "object", ...object(schema, 2) }
}
