import { nodeAt, operationsOf } from "./OpenApiDocument.ts"
import { anyRefusal } from "../problems/Problems.ts"
import { refusalHeaders } from "./ResponseHeaders.ts"

const refusal = {
  description: anyRefusal,
  headers: refusalHeaders,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } }
}

/** Adds to each operation of an OpenAPI document what any request can be refused with. */
export const withRefusals = <Spec extends object>(spec: Spec): Spec => {
  for (const { operation } of operationsOf(spec)) {
    const responses = nodeAt(operation, "responses")
    if (responses !== undefined) responses["4XX"] = { $ref: "#/components/responses/Refusal" }
  }
  const components = nodeAt(spec, "components")
  if (components !== undefined) components["responses"] = { Refusal: refusal }
  return spec
}
