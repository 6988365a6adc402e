import type { Effect, Result } from "effect"
import type { Credits } from "../../src/credits/Credits.ts"
import { CreditProblem } from "../../src/credits/CreditsProblems.ts"
import type { Forecaster } from "../../src/forecast/Forecaster.ts"
import { serviceProblems } from "../../src/http/problems/HttpProblems.ts"
import { IdempotencyProblem } from "../../src/idempotency/IdempotencyProblems.ts"
import type { Authenticator } from "../../src/keys/Authenticator.ts"
import type { hashToFind } from "../../src/keys/KeySecrets.ts"
import { KeyProblem } from "../../src/keys/KeysProblems.ts"
import type { Overloaded } from "../../src/Limits.ts"
import type { Mailer } from "../../src/mail/Mailer.ts"
import { code } from "./Page.ts"

type TagOf<E> = E extends { readonly _tag: infer Tag extends string } ? Tag : never
type FailureOf<Method> = Method extends (...given: never) => Effect.Effect<unknown, infer E, unknown> ? TagOf<E> : never
type Failing<Service> = {
  readonly [M in keyof Service as [FailureOf<Service[M]>] extends [never] ? never : M]: Record<
    FailureOf<Service[M]>,
    true
  >
}

const charging: Record<FailureOf<Credits["Service"]["charge"]>, true> = {
  KeyRevoked: true,
  PlanInactive: true,
  UsageExhausted: true,
  SubKeyLimitReached: true,
  IdempotencyMismatch: true
}

// The compiler reports a failure that is missing, and one that cannot occur.
const credits: Failing<Credits["Service"]> = { charge: charging, precheck: charging }
const mailer: Failing<Mailer["Service"]> = { send: { NotDelivered: true } }
// These types have a parameter for the failures of `admit`, so their own are named.
const forecaster: Readonly<Record<keyof Forecaster["Service"], Record<Overloaded["_tag"], true>>> = {
  forecast: { Overloaded: true },
  legacy: { Overloaded: true },
  answer: { Overloaded: true },
  compute: { Overloaded: true }
}
const hashing: Record<TagOf<Result.Result.Failure<ReturnType<typeof hashToFind>>>, true> = {
  MissingKey: true,
  InvalidKey: true
}
const authenticator: Failing<Authenticator["Service"]> = {
  find: { InvalidKey: true, KeyRevoked: true, PlanInactive: true }
}

const services: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  Authenticator: authenticator,
  Forecaster: forecaster,
  Credits: credits,
  Mailer: mailer
}

/** The failures of the services with the methods that end with them. */
const methods = Map.groupBy(
  [
    ["hashToFind", hashing] as const,
    ...Object.entries(services).flatMap(([service, methods]) =>
      Object.entries(methods).map(([method, failures]) => [`${service}.${method}`, failures] as const)
    )
  ].flatMap(([method, failures]) => Object.keys(failures).map((failure) => ({ failure, method: code(method) }))),
  ({ failure }) => failure
)

type Problems = Readonly<Record<string, { readonly status: number; readonly code: string }>>
const entries: Readonly<Record<string, Problems>> = {
  "keys/KeysProblems.ts": KeyProblem,
  "credits/CreditsProblems.ts": CreditProblem,
  "idempotency/IdempotencyProblems.ts": IdempotencyProblem,
  "http/problems/HttpProblems.ts": serviceProblems
}

/** The response to each failure and the file of its entry, by its tag. */
export const responses = new Map(
  Object.entries(entries).flatMap(([file, problems]) =>
    Object.entries(problems).map(
      ([tag, problem]) => [tag, [`${problem.status} ${code(problem.code)}`, code(file)]] as const
    )
  )
)
const noResponse = ["none: the email is sent again later, or has failed for good", code("mail/MailWorker.ts")]

export const architecture = [
  [
    ["failure", "methods", "response", "entry"],
    ...[...methods].map(([failure, pairs]) => [
      code(failure),
      pairs.map(({ method }) => method).join(", "),
      ...(responses.get(failure) ?? noResponse)
    ])
  ]
]
