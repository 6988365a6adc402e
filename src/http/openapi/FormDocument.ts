import { type Node, nodeAt } from "./OpenApiDocument.ts"

const page = { schema: { type: "string" } }

/**
 * Documents that the form of a page posts to an operation too. It gets pages in return: for success, for an invalid
 * field, for a form of another site's page, for too many requests, and for each of the statuses `more`.
 */
export const withForm = (operation: Node, ...more: ReadonlyArray<string>): Node => {
  const body = nodeAt(operation, "requestBody", "content") ?? {}
  const responses = nodeAt(operation, "responses") ?? {}
  const isOfForms = (status: string) => status.startsWith("2") || ["400", "403", "429", ...more].includes(status)
  const fromElsewhere = { description: "A form of another site's page" }
  const withPages = Object.entries({ "403": fromElsewhere, ...responses }).map(([status, response]) => [
    status,
    isOfForms(status) ? { ...response, content: { ...nodeAt(response, "content"), "text/html": page } } : response
  ])
  return {
    ...operation,
    requestBody: {
      ...nodeAt(operation, "requestBody"),
      content: { ...body, "application/x-www-form-urlencoded": body["application/json"] }
    },
    responses: Object.fromEntries(withPages)
  }
}
