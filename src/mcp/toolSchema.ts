import { Predicate, Schema } from "effect"
import { McpSchema } from "effect/ai"
import { simplify } from "../http/document/PlainSchemas.ts"

const isExamples = (name: string, part: unknown) => name === "examples" && Array.isArray(part)

/** The object without its examples: they are half of a schema, and every word costs an agent tokens. */
const withoutExamples = (schema: object): object =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([name, part]) => !isExamples(name, part))
      .map(([name, part]) => [name, plain(part)])
  )

const plain = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(plain)
  return Predicate.isObject(part) ? withoutExamples(part) : part
}

const decode = Schema.decodeUnknownSync(McpSchema.ToolJson)

/**
 * The JSON Schema of a struct as the Model Context Protocol requires it: an object, not a reference. `isOpen` if
 * unlisted fields are allowed.
 */
export const toolSchema = <F extends Schema.Struct.Fields>(
  struct: Schema.Struct<F>,
  { isOpen }: { readonly isOpen: boolean }
): McpSchema.ToolJson => {
  // A copy without an identifier is inlined at the root.
  const { definitions, schema } = Schema.toJsonSchemaDocument(Schema.Struct(struct.fields))
  const document = Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions }
  simplify(document, isOpen)
  return decode({ type: "object", ...withoutExamples(document) })
}
