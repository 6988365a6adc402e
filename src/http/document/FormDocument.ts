import { Schema } from "effect"
import { simplify } from "./PlainSchemas.ts"
import { type Node, nodeAt } from "./OpenApiDocument.ts"

const page = { schema: { type: "string" } }

/**
 * The schema of a form. Unlike JSON it may have fields that are not listed, which are ignored. What the fields are is said
 * of the JSON.
 */
const formSchema = (fields: Schema.Struct.Fields): object => {
  const { schema } = Schema.toJsonSchemaDocument(Schema.Struct(fields))
  simplify(schema, true)
  const properties = nodeAt(schema, "properties") ?? {}
  for (const name of Object.keys(properties)) {
    delete nodeAt(properties, name)?.["description"]
    delete nodeAt(properties, name)?.["examples"]
  }
  return schema
}

/**
 * Documents that the form of a page with `fields` posts to an operation too. It gets pages in return: for success, for an
 * invalid field, for a form of another site's page, for too many requests, and for each of the other `statuses`. The
 * fields `together` come all or not at all in JSON.
 */
export const withForm = (
  operation: Node,
  {
    fields,
    statuses = [],
    together = []
  }: {
    readonly fields: Schema.Struct.Fields
    readonly statuses?: ReadonlyArray<string>
    readonly together?: ReadonlyArray<string>
  }
): Node => {
  const body = nodeAt(operation, "requestBody", "content") ?? {}
  const json = nodeAt(body, "application/json") ?? {}
  const withSchema = (more: Node) =>
    together.length === 0 ? json : { ...json, schema: { ...nodeAt(json, "schema"), ...more } }
  const responses = nodeAt(operation, "responses") ?? {}
  const isOfForms = (status: string) => status.startsWith("2") || ["400", "403", "429", ...statuses].includes(status)
  const fromElsewhere = { description: "A form of another site's page" }
  const withPages = Object.entries({ "403": fromElsewhere, ...responses }).map(([status, response]) => [
    status,
    isOfForms(status) ? { ...response, content: { ...nodeAt(response, "content"), "text/html": page } } : response
  ])
  return {
    ...operation,
    requestBody: {
      ...nodeAt(operation, "requestBody"),
      content: {
        ...body,
        "application/json": withSchema({
          dependentRequired: Object.fromEntries(
            together.map((name) => [name, together.filter((each) => each !== name)])
          )
        }),
        "application/x-www-form-urlencoded": { schema: formSchema(fields) }
      }
    },
    responses: Object.fromEntries(withPages)
  }
}
