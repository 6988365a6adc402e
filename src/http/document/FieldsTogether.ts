import { type Node, nodeAt } from "./OpenApiDocument.ts"

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
