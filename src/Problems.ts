import { CreditProblem } from "./credits/CreditsProblems.ts"
import { HttpProblem } from "./http/problems/HttpProblems.ts"
import { problemsOf } from "./http/problems/problem.ts"
import { IdempotencyProblem } from "./idempotency/IdempotencyProblems.ts"
import { KeyProblem } from "./keys/KeysProblems.ts"
import { problems } from "./extensions.ts"
import { OrderProblem } from "./orders/OrdersProblems.ts"

/** The problems of all rooms and extensions, by the tag of the failure. */
export const Problem = {
  ...HttpProblem,
  ...KeyProblem,
  ...problems,
  ...IdempotencyProblem,
  ...CreditProblem,
  ...OrderProblem
}

/** Every failure that has a problem. */
export type Failure = (typeof Problem)[keyof typeof Problem]["Type"]

export const { isFailure, toProblem, toResponse } = problemsOf<Failure>(Problem)
