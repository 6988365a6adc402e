import { type Node, nodeAt } from "./OpenApiDocument.ts"

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const requiredOf = (schema: Node): ReadonlyArray<unknown> =>
  Array.isArray(schema["required"]) ? schema["required"] : []

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A schema with only its own fields that refers to a base schema for the shared ones. */
const extending = (schema: Node, base: Node, baseName: string): Node => {
  const { properties, required: _, type: __, ...rest } = schema
  const shared = nodeAt(base, "properties") ?? {}
  const own = Object.entries({ ...nodeAt({ properties }, "properties") }).filter(
    ([name, property]) => !isSame(property, shared[name])
  )
  const inherited = new Set(requiredOf(base))
  const required = requiredOf(schema).filter((name) => !inherited.has(name))
  return {
    allOf: [referenceTo(baseName)],
    properties: Object.fromEntries(own),
    ...(required.length === 0 ? {} : { required }),
    ...rest
  }
}

/** The schema of the fields that several schemas share. */
const commonOf = (schemas: ReadonlyArray<Node>, description: string): Node => {
  const [first = {}, ...others] = schemas
  const common = Object.entries(nodeAt(first, "properties") ?? {}).filter(([name, property]) =>
    others.every((other) => isSame(property, nodeAt(other, "properties")?.[name]))
  )
  const names = new Set<unknown>(common.map(([name]) => name))
  return {
    type: "object",
    properties: Object.fromEntries(common),
    required: requiredOf(first).filter((name) => names.has(name)),
    description
  }
}

/** Moves the fields that several schemas of a document share into one schema, which the others refer to. */
export const shareFields = (
  schemas: Node,
  baseName: string,
  description: string,
  names: ReadonlyArray<string>
): void => {
  const found = names.flatMap((name) => {
    const schema = nodeAt(schemas, name)
    return schema === undefined ? [] : [{ name, schema }]
  })
  const common = found.map(({ schema }) => schema)
  const base = nodeAt(schemas, baseName) ?? commonOf(common, description)
  schemas[baseName] = base
  for (const { name, schema } of found) schemas[name] = extending(schema, base, baseName)
}
