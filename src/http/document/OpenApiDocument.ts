import { Predicate } from "effect"
import type { DocumentedHeader } from "../ResponseHeaders.ts"

/** An object of an OpenAPI document, which can be extended. */
export type Node = Record<string, unknown>

/** The object at a path in a document, if any. */
export const nodeAt = (root: unknown, ...path: ReadonlyArray<string>): Node | undefined => {
  const found = path.reduce<unknown>((node, name) => (Predicate.isObject(node) ? node[name] : undefined), root)
  return Predicate.isObject(found) ? found : undefined
}

/** The objects of a list in a document. */
export const nodesIn = (list: unknown): ReadonlyArray<Node> =>
  Array.isArray(list) ? list.filter(Predicate.isObject).map((node) => ({ ...node })) : []

/** Every operation of a document, with its method and path. */
export const operationsOf = (
  spec: object
): ReadonlyArray<{ readonly method: string; readonly path: string; readonly operation: Node }> =>
  Object.entries(nodeAt(spec, "paths") ?? {}).flatMap(([path, methods]) =>
    Object.entries(Predicate.isObject(methods) ? methods : {}).flatMap(([method, operation]) =>
      Predicate.isObject(operation) ? [{ method, path, operation }] : []
    )
  )

/**
 * The alternatives of what a request to an operation must have, each with the names of its security schemes: none for a
 * request without a key. An operation that takes no key has no alternatives.
 */
export const alternativesOf = ({ security }: Node): ReadonlyArray<ReadonlyArray<string>> =>
  nodesIn(security).map((schemes) => Object.keys(schemes))

/** Adds documentation to the response of an operation with a status. */
const withResponse = (operation: Node, status: string, more: (response: Node) => Node): Node => {
  const responses = nodeAt(operation, "responses") ?? {}
  const response = nodeAt(responses, status) ?? {}
  return { ...operation, responses: { ...responses, [status]: { ...response, ...more(response) } } }
}

/** The documentation of a header. */
export const documentHeader = ({ description, example, schema }: DocumentedHeader, required: boolean) => ({
  description,
  required,
  schema,
  example
})

/** Documents headers of the successful response of an operation. */
export const withHeaders = (operation: Node, headers: ReadonlyArray<DocumentedHeader>, required = true): Node => {
  const status = Object.keys(nodeAt(operation, "responses") ?? {}).find((each) => each.startsWith("2")) ?? "200"
  const added = Object.fromEntries(headers.map((header) => [header.name, documentHeader(header, required)]))
  return withResponse(operation, status, (success) => ({ headers: { ...nodeAt(success, "headers"), ...added } }))
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
