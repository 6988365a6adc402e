import { publicCacheControl } from "../ResponseHeaders.ts"
import { type Node, nodeAt } from "./OpenApiDocument.ts"

/** Documents that the success of an operation may be cached. */
export const withCaching = (operation: Node): Node => {
  const responses = nodeAt(operation, "responses") ?? {}
  const { description, example, name, schema } = publicCacheControl
  const headers = { [name]: { description, required: true, schema, example } }
  return { ...operation, responses: { ...responses, "200": { ...nodeAt(responses, "200"), headers } } }
}
