import { Schema } from "effect"
import { problemFields } from "./ProblemDocument.ts"
import { problemsOf } from "./problem.ts"
import { refusalProblems } from "./RefusalProblems.ts"
import { requestProblems } from "./RequestProblems.ts"
import { serviceProblems } from "./ServiceProblems.ts"

/** The problems of HTTP itself, for any request. */
export const HttpProblem = { ...requestProblems, ...serviceProblems, ...refusalProblems }

export type HttpFailure = (typeof HttpProblem)[keyof typeof HttpProblem]["Type"]

export const { toProblem, toResponse } = problemsOf<HttpFailure>(HttpProblem)

const refusals = Object.values(refusalProblems)

/** Any refusal. Its codes are distinct, so that the code of a problem determines its other members. */
export const AnyRefusal = Schema.Struct(
  problemFields(
    Schema.Literals([...new Set(refusals.map(({ status }) => status))]),
    Schema.Literals([...new Set(refusals.map(({ code }) => code))])
  )
).annotate({
  identifier: "RefusalProblem",
  description: "A refusal of a request before it reaches an endpoint.",
  examples: [HttpProblem.NotFound.example.body]
})
