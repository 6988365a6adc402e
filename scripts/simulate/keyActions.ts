import { Effect, Redacted, Schema } from "effect"
import { makeRotateOnce } from "../../src/http/handlers/rotate.ts"
import { AccessRequests } from "../../src/keys/AccessRequests.ts"
import { Adjustments } from "../../src/keys/Adjustments.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import type { KeyId } from "../../src/keys/KeyId.ts"
import { mailboxOf } from "../../src/keys/Mailbox.ts"
import { Sessions } from "../../src/keys/sessions/Sessions.ts"
import { Erasure } from "../../src/orders/Erasure.ts"
import { type Action, holdOver, type Known, learn } from "./Action.ts"
import type { Outside, Visit } from "./Outside.ts"
import { owners } from "./People.ts"
import { hold } from "./Steps.ts"

/** Somebody asks for a key, or gets one from the operator. */
export const access = (outside: Outside): Action => {
  const [first] = owners
  const owner = outside.pick(owners) ?? first
  if (owner === undefined) throw new Error("Nobody asks")
  const brings = mailboxOf(owner.email)
  if (outside.chance(0.8)) {
    return {
      name: `request ${owner.email}`,
      brings,
      run: Effect.flatMap(AccessRequests, ({ request }) => request(owner))
    }
  }
  const issue = Effect.gen(function* () {
    const issued = yield* Effect.result((yield* ApiKeys).issue(owner))
    if (issued._tag === "Success") learn(outside, issued.success)
  })
  return { name: `issue ${owner.email}`, brings, mayWrite: ["preview_grant"], run: issue }
}

/** Somebody presses the button behind a link. */
export const confirm = (outside: Outside): Action | undefined => {
  const token = outside.chance(0.7) ? outside.tokens.at(-1) : outside.pick(outside.tokens)
  if (token === undefined) return undefined
  const reveal = Effect.gen(function* () {
    const revealed = yield* Effect.result((yield* AccessRequests).reveal(token))
    if (revealed._tag === "Success") learn(outside, revealed.success)
  })
  return { name: "confirm", mayWrite: ["preview_grant"], run: reveal }
}

interface Replacement {
  readonly keyId: KeyId
  readonly graceHours: number
  /** The Idempotency-Key. */
  readonly key: string | undefined
  /** The session that goes on with the new secret. */
  readonly visit: Visit | undefined
}

const Rotated = Schema.fromJsonString(Schema.Struct({ api_key: Schema.String }))
const operation = "POST /api/v1/keys/rotate"

/** Replaces a key as the API does. What is sent again makes no other secret. */
const replace = (outside: Outside, { graceHours, key, keyId, visit }: Replacement, isLast = false): Action => {
  const repeatId = key === undefined ? undefined : `${keyId} ${operation} ${key}`
  const repeatable = key === undefined ? undefined : { scope: keyId, operation, key, fingerprint: `${graceHours}` }
  const run = Effect.gen(function* () {
    const sessions = yield* Sessions
    const rotateOnce = yield* makeRotateOnce
    const rotation = { keyId, graceHours, repeatable }
    const goOn = visit && {
      whenRotated: ({ secret }: { readonly secret: Redacted.Redacted }) => sessions.goOnWith(visit.token, secret)
    }
    const result = yield* Effect.result(rotateOnce({ ...rotation, ...goOn }))
    if (result._tag === "Failure") return holdOver(repeatId ?? "", isLast, result.failure)
    const { answer, isReplay } = result.success
    const { api_key: secret } = yield* Effect.orDie(Schema.decodeEffect(Rotated)(answer))
    if (!isReplay) outside.secrets.push({ keyId, secret: Redacted.make(secret) })
    if (repeatId === undefined) return
    const kept = outside.answers.get(repeatId)
    const before = outside.replacements.get(repeatId)
    // After a day there may have been another replacement by the same key, whose answer nobody waited for.
    const isSame = before === undefined || before.kept !== kept || before.secret === secret
    hold(!isReplay || isSame, `${repeatId} was answered again, with another secret`)
    outside.replacements.set(repeatId, { secret, kept })
  })
  const again = key === undefined || isLast ? [] : [replace(outside, { graceHours, key, keyId, visit }, true)]
  return { name: `rotate ${repeatId ?? keyId}`, repeatId, again, run }
}

/** The owner replaces the key, by itself or in the account. */
export const rotate = (outside: Outside, { keyId }: Known): Action => {
  const key = outside.chance(0.4) ? undefined : `${outside.upTo(2)}`
  const visit = outside.chance(0.4) ? outside.pick(outside.visits.filter((each) => each.keyId === keyId)) : undefined
  if (visit !== undefined) visit.mayGoOn = true
  const graceHours = key === undefined ? (outside.pick([0, 1, 72]) ?? 0) : (outside.pick([24, 24, 72]) ?? 24)
  return replace(outside, { keyId, graceHours, key, visit })
}

/** The owner or the operator ends the key. */
export const revoke = (outside: Outside, { keyId }: Known): Action => ({
  name: `revoke ${keyId}`,
  run: Effect.gen(function* () {
    const revoked = yield* Effect.result((yield* ApiKeys).revoke(keyId, "operator"))
    if (revoked._tag === "Success") outside.revoked.add(keyId)
  })
})

/** The operator takes all that is known of the owner. */
export const erase = ({ keyId }: Known): Action => ({
  name: `erase ${keyId}`,
  erases: keyId,
  run: Effect.flatMap(Erasure, ({ erase }) => Effect.result(erase(keyId)))
})

/** The operator allows the key to be used, or not. */
export const setPlan = (outside: Outside, { keyId }: Known): Action => {
  const plan = outside.chance(0.3) ? "inactive" : "active"
  return { name: `plan ${keyId}`, run: Effect.flatMap(ApiKeys, ({ setPlan }) => Effect.result(setPlan(keyId, plan))) }
}

/** The operator gives credits or takes some. */
export const adjust = (outside: Outside, { keyId }: Known): Action => ({
  name: `adjust ${keyId}`,
  mayWrite: ["adjustment"],
  run: Effect.flatMap(Adjustments, ({ make }) => {
    const delta = outside.pick([-5, 3, 8]) ?? 1
    const action = delta > 0 ? ("credits_granted" as const) : ("credits_adjusted" as const)
    return Effect.result(make(keyId, { action, delta, reason: "simulated", reference: `${outside.upTo(6)}` }))
  })
})
