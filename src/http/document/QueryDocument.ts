import { Schema, SchemaAST } from "effect"
import type { Node } from "./OpenApiDocument.ts"

/**
 * Documents the query of an operation, or the parameters in its path, from the schema that decodes them. They have their
 * decoded type, such as integer; the framework alone would document every one as a string.
 */
export const withQuery = (query: Schema.Struct<Schema.Struct.Fields>, place: "query" | "path" = "query") => {
  const parameters = Object.entries(query.fields).map(([name, field]) => {
    const { description, examples, ...schema } = Schema.toJsonSchemaDocument(Schema.toType(field)).schema
    const example: unknown = Array.isArray(examples) ? examples[0] : undefined
    return {
      name,
      in: place,
      required: !SchemaAST.isOptional(SchemaAST.toEncoded(field.ast)),
      description,
      schema,
      example
    }
  })
  return (operation: Node): Node => ({ ...operation, parameters })
}
