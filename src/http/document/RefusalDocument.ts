import { problemType } from "../problems/ProblemDocument.ts"
import { refusalProblems } from "../problems/RefusalProblems.ts"
import { nodeAt, operationsOf } from "./OpenApiDocument.ts"
import { refusalHeaders } from "./ResponseHeaderDocument.ts"

const codes = Object.values(refusalProblems).map(({ code, status }) => `\`${code}\` (${status})`)

const refusal = {
  description: `Any request may be refused before it reaches an endpoint: ${codes.join(", ")}.`,
  headers: refusalHeaders,
  content: { [problemType]: { schema: { $ref: "#/components/schemas/RefusalProblem" } } }
}

/** Adds the refusals of any request to each operation of an OpenAPI document. */
export const withRefusals = <Spec extends object>(spec: Spec): Spec => {
  for (const { operation } of operationsOf(spec)) {
    const responses = nodeAt(operation, "responses")
    if (responses !== undefined) responses["4XX"] = { $ref: "#/components/responses/Refusal" }
  }
  const components = nodeAt(spec, "components")
  if (components !== undefined) components["responses"] = { Refusal: refusal }
  return spec
}
