import { type Node, nodeAt } from "./OpenApiDocument.ts"

/** What the document says of a body as CSV. */
interface CsvBodies {
  readonly request: { readonly description: string; readonly example: string }
  readonly answer: { readonly description: string; readonly example: string }
}

const media = ({ description, example }: CsvBodies["request"]) => ({
  "text/csv": { schema: { type: "string", description }, example }
})

/** Documents that an operation takes CSV too, and answers with it where it is asked to. */
export const withCsv =
  ({ answer, request }: CsvBodies) =>
  (operation: Node): Node => {
    const body = nodeAt(operation, "requestBody") ?? {}
    const responses = nodeAt(operation, "responses") ?? {}
    const success = nodeAt(responses, "200") ?? {}
    return {
      ...operation,
      requestBody: { ...body, content: { ...nodeAt(body, "content"), ...media(request) } },
      responses: {
        ...responses,
        "200": { ...success, content: { ...nodeAt(success, "content"), ...media(answer) } }
      }
    }
  }
