import { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { RequestState } from "../RequestState.ts"
import { creditProblems } from "../../credits/CreditsProblems.ts"
import { keyProblems } from "../../keys/KeysProblems.ts"
import { orderProblems } from "../../orders/OrdersProblems.ts"
import type { Explanation, Problem as ProblemOf, ProblemAnswer } from "./problem.ts"
import { fieldErrors, problemFields } from "./ProblemDocument.ts"
import { refusalProblems } from "./RefusalProblems.ts"
import { requestProblems } from "./RequestProblems.ts"
import { serviceProblems } from "./ServiceProblems.ts"

/** The table from failure to answer: an entry for each tag. An endpoint declares a failure by its entry. */
export const Problem = {
  ...requestProblems,
  ...keyProblems,
  ...creditProblems,
  ...orderProblems,
  ...serviceProblems,
  ...refusalProblems
}

type Tag = keyof typeof Problem

/** Every failure that an answer can be made of. */
export type Failure = (typeof Problem)[Tag]["Type"]

type FailureOf<T extends Tag> = Extract<Failure, { readonly _tag: T }>

/** The same table; an entry under another name than the tag of its failure does not compile. */
const table: { readonly [T in Tag]: ProblemOf<FailureOf<T>> } = Problem

/** Whether something that went wrong is a failure that an answer can be made of. */
export const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && "_tag" in error && Object.hasOwn(table, String(error._tag))

/** The status, headers and problem document that a failure is answered with. */
export const toProblem = <T extends Tag>(
  failure: FailureOf<T> & { readonly _tag: T },
  request: Pick<RequestState, "id" | "publicUrl">
): ProblemAnswer => table[failure._tag].answer(failure, request)

/** The answer to a failure. */
export const toResponse = <T extends Tag>(
  failure: FailureOf<T> & { readonly _tag: T },
  request: Pick<RequestState, "id" | "publicUrl">
): HttpServerResponse.HttpServerResponse => {
  const { body, ...options } = toProblem<T>(failure, request)
  return HttpServerResponse.jsonUnsafe(body, options)
}

/** The properties that all problems of a code share. */
export interface ProblemKind {
  readonly status: number
  readonly title: string
  readonly retryable: boolean
  readonly explanation: Explanation
}

/** Every code that a problem can have, in the order of status. */
export const problemKinds: ReadonlyMap<string, ProblemKind> = new Map(
  Object.values(Problem)
    .toSorted((a, b) => a.status - b.status)
    .flatMap(({ code, explanation, retryable, status, title }) =>
      explanation === undefined ? [] : [[code, { status, title, retryable, explanation }]]
    )
)

/** A problem with any code, for programs that read an answer before they know which problem it is. */
export const AnyProblem = Schema.Struct({
  ...problemFields(Schema.Int, Schema.Literals([...problemKinds.keys()])),
  errors: Schema.optionalKey(fieldErrors("Everything that is wrong with the request (invalid_input only)."))
}).annotate({
  identifier: "Problem",
  description: "The body of every answer that is not 2xx (RFC 9457).",
  examples: [Problem.NotFound.example.body]
})

const refusals = Object.values(refusalProblems)

/** Any refusal. Its codes are its own, so that the code of a problem tells which other members it has. */
export const AnyRefusal = Schema.Struct(
  problemFields(
    Schema.Literals([...new Set(refusals.map(({ status }) => status))]),
    Schema.Literals([...new Set(refusals.map(({ code }) => code))])
  )
).annotate({
  identifier: "RefusalProblem",
  description: "A refusal of a request before it reaches an endpoint.",
  examples: [Problem.NotFound.example.body]
})
