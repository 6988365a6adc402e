import { Schema, SchemaAST } from "effect"
import type { Node } from "./OpenApiDocument.ts"

/**
 * Documents the query of an operation from the schema that decodes it. Parameters have their decoded type, such as
 * integer; the framework alone would document every one as a string.
 */
export const withQuery = (query: Schema.Struct<Schema.Struct.Fields>) => {
  const parameters = Object.entries(query.fields).map(([name, field]) => {
    const { description, examples, ...schema } = Schema.toJsonSchemaDocument(Schema.toType(field)).schema
    const example: unknown = Array.isArray(examples) ? examples[0] : undefined
    return {
      name,
      in: "query",
      required: !SchemaAST.isOptional(SchemaAST.toEncoded(field.ast)),
      description,
      schema,
      example
    }
  })
  return (operation: Node): Node => ({ ...operation, parameters })
}
