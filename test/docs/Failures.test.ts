import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { Effect } from "effect"
import type { Credits } from "../../src/credits/Credits.ts"
import { CreditProblem } from "../../src/credits/CreditsProblems.ts"
import type { Forecaster } from "../../src/forecast/Forecaster.ts"
import { serviceProblems } from "../../src/http/problems/ServiceProblems.ts"
import { IdempotencyProblem } from "../../src/idempotency/IdempotencyProblems.ts"
import type { AuthenticationFailure } from "../../src/keys/Authenticator.ts"
import { KeyProblem } from "../../src/keys/KeysProblems.ts"
import type { Overloaded } from "../../src/Limits.ts"
import type { Mailer } from "../../src/mail/Mailer.ts"

type TagOf<E> = E extends { readonly _tag: infer Tag extends string } ? Tag : never
type FailureOf<Method> = Method extends (...given: never) => Effect.Effect<unknown, infer E, unknown> ? TagOf<E> : never
type Failing<Service> = {
  readonly [M in keyof Service as [FailureOf<Service[M]>] extends [never] ? never : M]: Record<
    FailureOf<Service[M]>,
    true
  >
}

const charging = {
  KeyRevoked: true,
  PlanInactive: true,
  UsageExhausted: true,
  SubKeyLimitReached: true,
  IdempotencyMismatch: true,
  Overloaded: true
} as const

// The compiler reports a failure that is missing, and one that cannot occur.
const credits: Failing<Credits["Service"]> = { charge: charging, precheck: charging }
const mailer: Failing<Mailer["Service"]> = { send: { NotDelivered: true } }
// These types have a parameter for the failures of `admit`, so their own are named, besides errors in a list.
const forecaster: Readonly<Record<keyof Forecaster["Service"], Record<Overloaded["_tag"], true>>> = {
  forecast: { Overloaded: true },
  legacy: { Overloaded: true },
  goal: { Overloaded: true },
  progress: { Overloaded: true },
  list: { Overloaded: true },
  compute: { Overloaded: true }
}

const authenticator: { readonly authenticate: Record<TagOf<AuthenticationFailure>, true> } = {
  authenticate: { MissingKey: true, InvalidKey: true, KeyRevoked: true, PlanInactive: true }
}

/** The failures by the methods that end with them. */
const methodsByFailure = () => {
  const services: Readonly<Record<string, Readonly<Record<string, object>>>> = {
    Authenticator: authenticator,
    Forecaster: forecaster,
    Credits: credits,
    Mailer: mailer
  }
  const pairs = Object.entries(services).flatMap(([service, methods]) =>
    Object.entries(methods).flatMap(([method, failures]) =>
      Object.keys(failures).map((failure) => ({ failure, method: `\`${service}.${method}\`` }))
    )
  )
  return Map.groupBy(pairs, ({ failure }) => failure)
}

const tables = {
  "keys/KeysProblems.ts": KeyProblem,
  "credits/CreditsProblems.ts": CreditProblem,
  "idempotency/IdempotencyProblems.ts": IdempotencyProblem,
  "http/problems/ServiceProblems.ts": serviceProblems
}

/** The response to a failure, and the file of its entry. */
const responseTo = (failure: string): readonly [response: string, file: string] => {
  const found = Object.entries(tables).flatMap(([file, table]) =>
    Object.entries(table).flatMap(([tag, { code, status }]) =>
      tag === failure ? ([[`${status} \`${code}\``, `\`${file}\``]] as const) : []
    )
  )
  return found[0] ?? ["none: the email is sent again later, or has failed for good", "`mail/MailWorker.ts`"]
}

describe("the architecture page", () => {
  it("lists the failures of the four services with their methods, response and file", () => {
    const page = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8")
    const section = /^## From failure to status\n[^]*?(?=^## )/m.exec(page)?.[0] ?? assert.fail("no section")
    const rows = section
      .matchAll(/^\| `(\w+)`([^\n]*)\|$/gm)
      .map(([, failure = "", rest = ""]) => [failure, ...rest.split("|").map((cell) => cell.trim())].filter(Boolean))
    const expected = [...methodsByFailure()].map(([failure, pairs]) => [
      failure,
      pairs.map(({ method }) => method).join(", "),
      ...responseTo(failure)
    ])
    assert.sameDeepMembers([...rows], expected)
  })
})
