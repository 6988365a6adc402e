import { Predicate } from "effect"
import type { Node } from "../http/document/OpenApiDocument.ts"

/** Adds the parameter Idempotency-Key to the document of an operation. */
export const withIdempotencyKey = (operation: Node): Node => ({
  ...operation,
  parameters: [
    ...(Predicate.isObject(operation["parameters"]) ? Object.values(operation["parameters"]) : []),
    {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "A value of your choice: a new one for each new request. A request repeated with the same key within 24 hours is carried " +
        "out only once, costs nothing more, and gets the first answer again.",
      schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
      example: "5f0c2f5e-campaign-17"
    }
  ]
})
