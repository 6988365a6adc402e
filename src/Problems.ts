import { CreditProblem } from "./credits/CreditsProblems.ts"
import { HttpProblem } from "./http/problems/HttpProblems.ts"
import { problemsOf } from "./http/problems/problem.ts"
import { IdempotencyProblem } from "./idempotency/IdempotencyProblems.ts"
import { KeyProblem } from "./keys/KeysProblems.ts"
import { SubKeyProblem } from "./keys/subkeys/SubKeysProblems.ts"
import { OrderProblem } from "./orders/OrdersProblems.ts"

/** How the failures of all rooms are answered: an entry for each tag. */
export const Problem = {
  ...HttpProblem,
  ...KeyProblem,
  ...SubKeyProblem,
  ...IdempotencyProblem,
  ...CreditProblem,
  ...OrderProblem
}

/** Every failure that an answer can be made of. */
export type Failure = (typeof Problem)[keyof typeof Problem]["Type"]

export const { isFailure, toProblem, toResponse } = problemsOf<Failure>(Problem)
