import { type Node, nodeAt } from "./OpenApiDocument.ts"

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
