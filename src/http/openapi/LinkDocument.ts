import { type Node, nodeAt } from "./OpenApiDocument.ts"

/** Documents how to go on from an answer of an operation: with which other one, and what from the answer it takes. */
export const withLink = (
  operation: Node,
  status: string,
  {
    description,
    field,
    operationId,
    parameter
  }: Readonly<Record<"description" | "field" | "operationId" | "parameter", string>>
): Node => {
  const responses = nodeAt(operation, "responses") ?? {}
  const links = {
    [operationId]: { operationId, description, parameters: { [parameter]: `$response.body#/${field}` } }
  }
  return { ...operation, responses: { ...responses, [status]: { ...nodeAt(responses, status), links } } }
}
