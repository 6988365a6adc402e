import { deepStrictEqual, ok } from "node:assert/strict"
import type { Redacted } from "effect"
import type { Usage } from "../../src/credits/Usage.ts"

/** The outcome of a request for a forecast: `Charged`, `Replayed`, or the failure. */
export interface Outcome {
  readonly tag: string
  /** The response; empty if there is none. */
  readonly text: string
  /** The key's usage in the response to a charged request. */
  readonly usage: Usage | undefined
}

/** A request for a forecast, and its outcome. */
export interface MeteredRequest {
  readonly secret: number
  /** Operation and Idempotency-Key, if it has one. */
  readonly retry: string | undefined
  /** The content of the request: with the same Idempotency-Key, the same content is replayed. */
  readonly emails: number
  readonly outcome: Outcome
}

const day = 24 * 3_600_000

/** A model of a key and its credits, as simple as possible. Times are milliseconds. */
export class MeteredKey {
  readonly id: string
  readonly secrets: Array<{ readonly secret: Redacted.Redacted; validUntil: number }>
  /** Kind and delta of each entry, oldest first. */
  readonly entries: Array<readonly [kind: string, delta: number]> = []
  readonly months = new Map<string, number>()
  readonly #answers = new Map<string, { readonly emails: number; readonly text: string; readonly at: number }>()
  state = "usable"
  plan = "active"

  constructor(id: string, secret: Redacted.Redacted, credits: number) {
    this.id = id
    this.secrets = [{ secret, validUntil: Infinity }]
    if (credits > 0) this.entries.push(["adjustment", credits])
  }

  get remaining() {
    return this.entries.reduce((sum, [, delta]) => sum + delta, 0)
  }

  get granted() {
    return this.entries.reduce((sum, [kind, delta]) => (kind === "forecast" ? sum : sum + delta), 0)
  }

  rotate(secret: Redacted.Redacted, validUntil: number) {
    for (const old of this.secrets) old.validUntil = Math.min(old.validUntil, validUntil)
    this.secrets.push({ secret, validUntil: Infinity })
  }

  /** Applies the outcomes of concurrent requests, whose order nobody knows. */
  settle(asked: ReadonlyArray<MeteredRequest>, now: number, month: string) {
    const admitted = asked.filter(({ outcome, secret }) => {
      const refusal = this.#refusal(secret, now)
      if (refusal !== undefined) deepStrictEqual(outcome.tag, refusal)
      return refusal === undefined
    })
    this.#charge(admitted, month)
    deepStrictEqual(
      admitted.filter(({ outcome, retry }) => retry === undefined && !isFirst(outcome)),
      []
    )
    for (const [retry, group] of Map.groupBy(admitted, (request) => request.retry)) {
      if (retry !== undefined) this.#settleRetries(retry, group, now)
    }
  }

  #refusal(secret: number, now: number) {
    if ((this.secrets[secret]?.validUntil ?? 0) <= now) return "InvalidKey"
    if (this.state === "revoked") return "KeyRevoked"
    return this.plan === "inactive" ? "PlanInactive" : undefined
  }

  /** Checks that each charge took one credit, and that nobody was refused while there was one. */
  #charge(admitted: ReadonlyArray<MeteredRequest>, month: string) {
    const { remaining } = this
    const requests = this.months.get(month) ?? 0
    const charges = admitted.flatMap(({ outcome }) => outcome.usage ?? [])
    deepStrictEqual(
      charges.toSorted((a, b) => a.requests - b.requests),
      charges.map((_, i) => ({ month, requests: requests + i + 1, credits_remaining: remaining - i - 1 }))
    )
    if (admitted.some(({ outcome }) => outcome.tag === "UsageExhausted")) deepStrictEqual(charges.length, remaining)
    for (const _ of charges) this.entries.push(["forecast", -1])
    if (charges.length > 0) this.months.set(month, requests + charges.length)
  }

  /**
   * Checks requests with one Idempotency-Key: at most one is charged in 24 hours, the others get its response or none.
   */
  #settleRetries(retry: string, group: ReadonlyArray<MeteredRequest>, now: number) {
    const stored = this.#answers.get(retry)
    const known = stored !== undefined && stored.at > now - day ? stored : undefined
    const charges = group.flatMap(({ emails, outcome }) =>
      outcome.tag === "Charged" ? [{ emails, text: outcome.text, at: now }] : []
    )
    ok(charges.length <= (known === undefined ? 1 : 0), `${charges.length} charges for ${retry}`)
    const response = known ?? charges[0]
    ok(
      group.some(({ outcome }) => outcome.tag !== "IdempotencyInProgress"),
      `nobody ran ${retry}`
    )
    for (const { emails, outcome } of group) {
      if (outcome.tag === "IdempotencyInProgress" || outcome.tag === "Charged") continue
      if (outcome.tag === "UsageExhausted") ok(response === undefined, `${retry} was answered and then refused`)
      else if (response?.emails === emails) deepStrictEqual([outcome.tag, outcome.text], ["Replayed", response.text])
      else deepStrictEqual([outcome.tag, response === undefined], ["IdempotencyMismatch", false])
    }
    if (response !== undefined) this.#answers.set(retry, response)
  }
}

const isFirst = ({ tag }: Outcome) => tag === "Charged" || tag === "UsageExhausted"
