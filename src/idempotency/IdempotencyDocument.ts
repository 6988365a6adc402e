import { type Node, nodesIn, withHeaders } from "../http/document/OpenApiDocument.ts"
import { idempotentReplayed } from "../http/ResponseHeaders.ts"

const parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A value of your choice: a new one for each new request. A request repeated with the same key within 24 hours is carried " +
    "out only once, costs nothing more, and gets the first answer again.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
  example: "5f0c2f5e-campaign-17"
}

/** Documents that an operation accepts an Idempotency-Key, and that its response may be a stored one. */
export const withIdempotencyKey = (operation: Node): Node => ({
  ...withHeaders(operation, [idempotentReplayed], false),
  parameters: [...nodesIn(operation["parameters"]), parameter]
})
