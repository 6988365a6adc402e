import { Effect, type Redacted } from "effect"
import type { LedgerEntry } from "../../src/credits/LedgerEntry.ts"
import { Authenticator } from "../../src/keys/Authenticator.ts"
import { hashOf } from "../../src/keys/KeySecrets.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { type Call, hold, type Task } from "./Steps.ts"
import type { Outside } from "./Outside.ts"
import type { Instance } from "./World.ts"

/** Something to do with an instance. It dies with a defect if a rule is broken. */
export interface Action extends Partial<Pick<Task, "repeatId" | "brings">> {
  readonly name: string
  readonly calls?: ReadonlyArray<Call>
  readonly mayWrite?: ReadonlyArray<LedgerEntry["kind"]>
  /** The requests to retry at the end, those with an Idempotency-Key. */
  readonly again?: ReadonlyArray<Action>
  readonly run: Effect.Effect<unknown, never, Instance>
}

/** The task for an action that begins at an instance. */
export const newTask = (
  id: number,
  instance: number,
  { brings, calls = [], mayWrite = [], name, repeatId }: Action
): Task => ({
  id,
  name,
  instance,
  calls,
  mayWrite,
  repeatId,
  brings,
  wrote: [],
  isDisturbed: false,
  isCrashed: false
})

/** A secret that someone knows, and its key. */
export interface Known {
  readonly keyId: KeyId
  readonly secret: Redacted.Redacted
}

/** Records the secret of a key that was just issued or revealed. */
export const learn = (
  outside: Outside,
  { key, secret }: { readonly key: { readonly id: KeyId }; readonly secret: Redacted.Redacted }
) => outside.secrets.push({ keyId: key.id, secret })

/** Does something with the key of a secret, if the secret opens one; it must not once the key is revoked. */
export const authenticated = <A, R>(outside: Outside, { keyId, secret }: Known, use: Effect.Effect<A, never, R>) => {
  const wasRevoked = outside.revoked.has(keyId)
  return Effect.gen(function* () {
    const key = yield* Effect.result((yield* Authenticator).find(hashOf(secret)))
    if (key._tag === "Failure") return
    hold(!wasRevoked && key.success.id === keyId, `${keyId} is revoked, and its secret still opens it`)
    yield* use
  })
}

/** Holds that no retried request is still in progress at the end. */
export const holdOver = (repeatId: string, isLast: boolean, failure: { readonly _tag: string }) =>
  hold(!isLast || failure._tag !== "IdempotencyInProgress", `${repeatId} is in progress forever`)
