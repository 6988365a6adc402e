import { Predicate, Schema, SchemaAST } from "effect"
import { type DocumentedHeader, publicCacheControl } from "../ResponseHeaders.ts"

/** An object of an OpenAPI document, which can be extended. */
export type Node = Record<string, unknown>

/** The object at a path in a document, if any. */
export const nodeAt = (root: unknown, ...path: ReadonlyArray<string>): Node | undefined => {
  const found = path.reduce<unknown>((node, name) => (Predicate.isObject(node) ? node[name] : undefined), root)
  return Predicate.isObject(found) ? found : undefined
}

/** An operation of a document, with its method and path. */
interface Operation {
  readonly method: string
  readonly path: string
  readonly operation: Node
}

/** Every operation of a document. */
export const operationsOf = (spec: object): ReadonlyArray<Operation> =>
  Object.entries(nodeAt(spec, "paths") ?? {}).flatMap(([path, methods]) =>
    Object.entries(Predicate.isObject(methods) ? methods : {}).flatMap(([method, operation]) =>
      Predicate.isObject(operation) ? [{ method, path, operation }] : []
    )
  )

/** Adds documentation to the response of an operation with a status. */
const withResponse = (operation: Node, status: string, more: (response: Node) => Node): Node => {
  const responses = nodeAt(operation, "responses") ?? {}
  const response = nodeAt(responses, status) ?? {}
  return { ...operation, responses: { ...responses, [status]: { ...response, ...more(response) } } }
}

/** Documents a header that every response with a status has. */
export const withHeader = (operation: Node, status: string, header: DocumentedHeader): Node =>
  withResponse(operation, status, () => {
    const { description, example, name, schema } = header
    return { headers: { [name]: { description, required: true, schema, example } } }
  })

/** Documents that a successful response of an operation may be cached. */
export const withCaching = (operation: Node): Node => withHeader(operation, "200", publicCacheControl)

/** The documentation of a CSV body. */
interface CsvBody {
  readonly description: string
  readonly example: string
}

const media = ({ description, example }: CsvBody) => ({
  "text/csv": { schema: { type: "string", description }, example }
})

/** Documents that an operation also responds with CSV on request. */
export const withCsvAnswer =
  (answer: CsvBody) =>
  (operation: Node): Node =>
    withResponse(operation, "200", (success) => ({ content: { ...nodeAt(success, "content"), ...media(answer) } }))

/** Documents that an operation also accepts CSV, and responds with it on request. */
export const withCsv =
  ({ answer, request }: { readonly request: CsvBody; readonly answer: CsvBody }) =>
  (operation: Node): Node => {
    const body = nodeAt(operation, "requestBody") ?? {}
    const requestBody = { ...body, content: { ...nodeAt(body, "content"), ...media(request) } }
    return withCsvAnswer(answer)({ ...operation, requestBody })
  }

/**
 * A link from a response to another operation: runtime expressions of OpenAPI select the values for the parameters of
 * the next request. None selects a value for a body, because openapi-generator rejects a document that does so.
 */
interface Link {
  readonly operationId: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, string>>
}

/**
 * Documents a link from a response of an operation to another operation, and the values that the latter takes from it.
 */
export const withLink = (operation: Node, status: string, link: Link): Node =>
  withResponse(operation, status, () => ({ links: { [link.operationId]: link } }))

/** The link from a response that shows a key. */
export const usageOfNewKey: Link = {
  operationId: "usage",
  description: "The usage and credits of the key; send api_key in the header x-api-key."
}

/**
 * Documents the query of an operation, or the parameters in its path, from the schema that decodes them. Parameters
 * have their decoded type, such as integer; the framework alone would document every one as a string.
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

/** Documents that the JSON of an operation has either all of these fields or none. */
export const withFieldsTogether = (operation: Node, fields: ReadonlyArray<string>): Node => {
  const body = nodeAt(operation, "requestBody")
  const json = nodeAt(body, "content", "application/json")
  const dependentRequired = Object.fromEntries(fields.map((name) => [name, fields.filter((each) => each !== name)]))
  return {
    ...operation,
    requestBody: {
      ...body,
      content: {
        ...nodeAt(body, "content"),
        "application/json": { ...json, schema: { ...nodeAt(json, "schema"), dependentRequired } }
      }
    }
  }
}
