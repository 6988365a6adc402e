import { Predicate, Schema, SchemaAST } from "effect"
import { publicCacheControl } from "../ResponseHeaders.ts"

/** An object of an OpenAPI document; it may be added to. */
export type Node = Record<string, unknown>

/** The object at a path of names in a document, if there is one. */
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

/** Documents that the success of an operation may be cached. */
export const withCaching = (operation: Node): Node => {
  const responses = nodeAt(operation, "responses") ?? {}
  const { description, example, name, schema } = publicCacheControl
  const headers = { [name]: { description, required: true, schema, example } }
  return { ...operation, responses: { ...responses, "200": { ...nodeAt(responses, "200"), headers } } }
}

/** What the document says of a body as CSV. */
interface CsvBody {
  readonly description: string
  readonly example: string
}

const media = ({ description, example }: CsvBody) => ({
  "text/csv": { schema: { type: "string", description }, example }
})

/** Documents that an operation answers with CSV too, where it is asked to. */
export const withCsvAnswer =
  (answer: CsvBody) =>
  (operation: Node): Node => {
    const responses = nodeAt(operation, "responses") ?? {}
    const success = nodeAt(responses, "200") ?? {}
    const content = { ...nodeAt(success, "content"), ...media(answer) }
    return { ...operation, responses: { ...responses, "200": { ...success, content } } }
  }

/** Documents that an operation takes CSV too, and answers with it where it is asked to. */
export const withCsv =
  ({ answer, request }: { readonly request: CsvBody; readonly answer: CsvBody }) =>
  (operation: Node): Node => {
    const body = nodeAt(operation, "requestBody") ?? {}
    const requestBody = { ...body, content: { ...nodeAt(body, "content"), ...media(request) } }
    return withCsvAnswer(answer)({ ...operation, requestBody })
  }

/**
 * Where an answer leads to: runtime expressions of OpenAPI say what of it goes into the parameters of the next request. There
 * is none for a body: openapi-generator refuses a document that has one.
 */
interface Link {
  readonly operationId: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, string>>
}

/** Documents how to go on from an answer of an operation: with which other one, and what from the answer it takes. */
export const withLink = (operation: Node, status: string, link: Link): Node => {
  const responses = nodeAt(operation, "responses") ?? {}
  const links = { [link.operationId]: link }
  return { ...operation, responses: { ...responses, [status]: { ...nodeAt(responses, status), links } } }
}

/** Where the answer leads to that shows a key. */
export const usageOfNewKey: Link = {
  operationId: "usage",
  description: "The key's usage and credits, with api_key in the header x-api-key."
}

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
