import { Effect, type Redacted } from "effect"
import { Transaction } from "../../src/database/Transaction.ts"
import { AccessRequests } from "../../src/keys/AccessRequests.ts"
import { adjustCredits } from "../../src/metering/adjustCredits.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { Authenticator } from "../../src/keys/Authenticator.ts"
import { hashOf } from "../../src/keys/KeySecrets.ts"
import { mailboxOf } from "../../src/keys/Mailbox.ts"
import { type Action, type Known, learn } from "./Action.ts"
import type { Outside } from "./Outside.ts"
import { owners } from "./People.ts"
import { hold } from "./Steps.ts"
import type { Instance } from "./World.ts"

/** Someone requests a key, or gets one from the operator. */
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

/** Someone presses the button on the page of a confirmation link. */
export const confirm = (outside: Outside): Action | undefined => {
  const token = outside.chance(0.7) ? outside.tokens.at(-1) : outside.pick(outside.tokens)
  if (token === undefined) return undefined
  const reveal = Effect.gen(function* () {
    const revealed = yield* Effect.result((yield* AccessRequests).reveal(token))
    if (revealed._tag === "Success") learn(outside, revealed.success)
  })
  return { name: "confirm", mayWrite: ["preview_grant"], run: reveal }
}

/** The owner replaces the key; in the same transaction `use` uses the new secret. */
export const rotate = (
  outside: Outside,
  { keyId }: Known,
  use: (secret: Redacted.Redacted) => Effect.Effect<void, never, Instance> = () => Effect.void
): Action => {
  const graceHours = outside.pick([0, 1, 24, 72]) ?? 0
  const run = Effect.gen(function* () {
    const apiKeys = yield* ApiKeys
    const transaction = yield* Transaction
    const replaced = Effect.tap(apiKeys.rotate(keyId, graceHours), ({ secret }) => use(secret))
    const rotated = yield* Effect.result(
      Effect.andThen(apiKeys.countRotation({ id: keyId }), transaction.run(replaced))
    )
    if (rotated._tag === "Success") outside.secrets.push({ keyId, secret: rotated.success.secret })
  })
  return { name: `rotate ${keyId}`, run }
}

/** The owner or the operator ends the key. */
export const revoke = (outside: Outside, { keyId }: Known): Action => ({
  name: `revoke ${keyId}`,
  run: Effect.gen(function* () {
    const revoked = yield* Effect.result((yield* ApiKeys).revoke(keyId, "operator"))
    if (revoked._tag === "Success") outside.revoked.add(keyId)
  })
})

/** The operator allows the key to be used, or not. */
export const setKeyPlan = (outside: Outside, { keyId }: Known): Action => {
  const keyPlan = outside.chance(0.3) ? "inactive" : "active"
  return {
    name: `plan ${keyId}`,
    run: Effect.flatMap(ApiKeys, ({ setKeyPlan }) => Effect.result(setKeyPlan(keyId, keyPlan)))
  }
}

/** While nothing else runs: a secret that opens its key does so only while the plan of the key is active. */
export const switchPlan = ({ keyId, secret }: Known): Action => ({
  name: `switch plan ${keyId}`,
  run: Effect.gen(function* () {
    const { find } = yield* Authenticator
    const apiKeys = yield* ApiKeys
    const outcome = Effect.map(Effect.result(find(hashOf(secret))), (result) =>
      result._tag === "Success" ? "opened" : result.failure._tag
    )
    yield* Effect.result(apiKeys.setKeyPlan(keyId, "active"))
    const active = yield* outcome
    yield* Effect.result(apiKeys.setKeyPlan(keyId, "inactive"))
    const inactive = yield* outcome
    hold(
      inactive === (active === "opened" ? "PlanInactive" : active),
      `${keyId} is inactive, and its secret ${inactive}`
    )
    yield* Effect.result(apiKeys.setKeyPlan(keyId, "active"))
    hold((yield* outcome) === active, `${keyId} is active again, and its secret does not open it`)
  })
})

/** The operator grants or removes credits. */
export const adjust = (outside: Outside, { keyId }: Known): Action => ({
  name: `adjust ${keyId}`,
  mayWrite: ["adjustment"],
  run: Effect.suspend(() => {
    const delta = outside.pick([-5, 3, 8]) ?? 1
    const action = delta > 0 ? ("credits_granted" as const) : ("credits_adjusted" as const)
    return Effect.result(adjustCredits(keyId, { action, delta, reason: "simulated", reference: `${outside.upTo(6)}` }))
  })
})
