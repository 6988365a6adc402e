import { Clock, Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Transaction } from "../database/Transaction.ts"
import { Limits, type RateLimited } from "../Limits.ts"
import { Settings } from "../Settings.ts"
import { type ApiKey, isLive, newApiKey, type Owner, revoked } from "./ApiKey.ts"
import { KeyId, type KeyPlan, SubKeyId } from "../KeyStatus.ts"
import { type Actor, type AuditAction, AuditLog } from "./AuditLog.ts"
import { AddressTaken, AmbiguousPrefix, DemoKeyProtected, InvalidKey, KeyNotFound } from "./KeyFailures.ts"
import { hashOf, type IssuedKey, KeySecrets } from "./KeySecrets.ts"
import { KeyStore } from "./KeyStore.ts"
import { mailboxOf } from "./Mailbox.ts"
import { isUsable, type SubKey } from "./SubKey.ts"
import { SubKeyStore } from "./SubKeyStore.ts"
import { Grants } from "../credits/Grants.ts"

/** A key with its new secret, and the time when its old secrets become invalid; milliseconds UTC. */
export interface RotatedKey extends IssuedKey {
  readonly oldPrefix: string
  readonly oldSecretValidUntil: number
}

/** The displayed prefix of the demo key, whose secret may be too short to show a part of it. */
const demoPrefix = "ofk_demo"
/** Fails for the demo key: no user may take it from the others. */
const notDemo = (key: ApiKey) => (key.isDemo ? Effect.fail(new DemoKeyProtected()) : Effect.succeed(key))

const demoOwner: Owner = { name: "Demo", email: "demo@localhost", company: "Outreach Forecast" }

/**
 * Issues keys and changes their state. A change applies from the next request on. An ID must be that of a
 * stored key.
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Issues a usable key in one transaction, with `credits` or, by default, with the preview credits unless the
     * mailbox has had them. Fails with AddressTaken if the owner has a key that is not revoked.
     */
    readonly issue: (owner: Owner, credits?: number) => Effect.Effect<IssuedKey, AddressTaken>
    /** Makes the configured demo key usable, with the configured credits; does nothing in production. */
    readonly prepareDemoKey: Effect.Effect<void>
    /**
     * Gives a key a new secret; its old ones stay valid for at most `graceHours` more. The demo key has only one
     * secret.
     */
    readonly rotate: (keyId: KeyId, graceHours: number) => Effect.Effect<RotatedKey, DemoKeyProtected>
    /**
     * Counts a rotation of a key, or of the secret of a sub-key, by API and pages together. Fails with RateLimited after
     * ROTATIONS_PER_HOUR.
     */
    readonly countRotation: (holder: { readonly id: KeyId | SubKeyId }) => Effect.Effect<void, RateLimited>
    /**
     * Fails if the secret that a key was found by has ended since, or the key is no longer usable: in the caller's
     * transaction.
     */
    readonly assertCurrent: (key: ApiKey) => Effect.Effect<void, InvalidKey>
    readonly list: KeyStore["Service"]["list"]
    /**
     * Finds keys by an address of their mailbox, their ID, a shown prefix or a secret; not by those of their sub-keys.
     */
    readonly search: (text: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Finds a key by its ID, its shown prefix or its secret. */
    readonly find: (name: string) => Effect.Effect<ApiKey, KeyNotFound | AmbiguousPrefix>
    readonly revoke: (keyId: KeyId, actor: Actor) => Effect.Effect<ApiKey, DemoKeyProtected>
    /** The usable sub-keys of a key, oldest first. */
    readonly subKeysOf: (keyId: KeyId) => Effect.Effect<ReadonlyArray<SubKey>>
    /** Finds sub-keys by their ID, shown prefix or secret. */
    readonly searchSubKeys: (text: string) => Effect.Effect<ReadonlyArray<SubKey>>
    /** Permanently revokes a sub-key, unless it is revoked already; none if the key has no such sub-key. */
    readonly revokeSubKey: (keyId: KeyId, id: SubKeyId, actor: Actor) => Effect.Effect<Option.Option<SubKey>>
    /** Deactivates or activates a key's plan. */
    readonly setKeyPlan: (keyId: KeyId, keyPlan: KeyPlan) => Effect.Effect<ApiKey>
  }
>()("outreach-forecast/keys/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const { demoKey, limits } = yield* Settings
      const { count } = yield* Limits
      const store = yield* KeyStore
      const subKeys = yield* SubKeyStore
      const secrets = yield* KeySecrets
      const audit = yield* AuditLog
      const grants = yield* Grants
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom

      const issue = Effect.fn("ApiKeys.issue")(function* (owner: Owner, initialCredits?: number) {
        const live = (yield* store.findByEmail(owner.email)).find(isLive)
        if (live !== undefined) return yield* new AddressTaken({ email: owner.email, prefix: live.secretPrefix })
        const newKey = yield* newApiKey(random, owner, { state: "usable" })
        yield* store.insert(newKey)
        const { key, secret } = yield* secrets.issue(newKey)
        yield* initialCredits === undefined
          ? grants.grantPreview(key.id, mailboxOf(owner.email))
          : grants.setBalance(key.id, initialCredits, "adjustment")
        yield* audit.append(key.id, "operator", "issued")
        return { key, secret }
      }, transaction.run)

      const prepareDemoKey = Effect.gen(function* () {
        if (Option.isNone(demoKey)) return
        const { credits: demoCredits, secret } = demoKey.value
        const fresh = yield* newApiKey(random, demoOwner, { state: "usable", isDemo: true, secretPrefix: demoPrefix })
        const found = yield* store.findDemo
        const key = Option.match(found, {
          onNone: () => fresh,
          onSome: ({ createdAt, id }) => ({ ...fresh, id, createdAt })
        })
        yield* Option.isNone(found) ? store.insert(key) : store.update(key)
        yield* secrets.set(key, secret)
        yield* grants.setBalance(key.id, demoCredits, Option.isNone(found) ? "preview_grant" : "adjustment")
        yield* audit.append(key.id, "service", "prepared")
      }).pipe(transaction.run, Effect.withSpan("ApiKeys.prepareDemoKey"))

      const rotate = Effect.fn("ApiKeys.rotate")(function* (keyId: KeyId, graceHours: number) {
        const key = yield* Effect.flatMap(store.get(keyId), notDemo)
        const oldSecretValidUntil = yield* secrets.expire(keyId, Duration.hours(graceHours))
        const issued = yield* secrets.issue(key)
        yield* audit.append(keyId, "owner", "rotated")
        return { ...issued, oldSecretValidUntil, oldPrefix: key.secretPrefix }
      }, transaction.run)

      const assertCurrent = Effect.fn("ApiKeys.assertCurrent")(function* ({ id, secretPrefix }: ApiKey) {
        const now = yield* Clock.currentTimeMillis
        const { state } = yield* store.get(id)
        const isCurrent = (yield* store.secretsOf(id)).some(
          ({ expiresAt = Infinity, prefix }) => prefix === secretPrefix && expiresAt > now
        )
        if (state !== "usable" || !isCurrent) return yield* new InvalidKey()
      })

      const search = Effect.fn("ApiKeys.search")(function* (text: string) {
        const byId = yield* store.findById(KeyId.make(text))
        if (Option.isSome(byId)) return [byId.value]
        if (text.includes("@")) return yield* store.findByMailbox(mailboxOf(text))
        const bySecret = [...(yield* store.findSecrets([hashOf(Redacted.make(text))])).values()]
        return bySecret.length > 0
          ? bySecret.flatMap(({ key, subKey }) => (subKey === undefined ? [key] : []))
          : yield* store.findByPrefix(text)
      })

      const searchSubKeys = Effect.fn("ApiKeys.searchSubKeys")(function* (text: string) {
        const hash = hashOf(Redacted.make(text))
        const bySecret = (yield* store.findSecrets([hash])).get(hash)?.subKey
        const byId = yield* subKeys.findById(bySecret?.id ?? SubKeyId.make(text))
        return Option.isSome(byId) ? [byId.value] : yield* subKeys.findByPrefix(text)
      })

      const revokeSubKey = Effect.fn("ApiKeys.revokeSubKey")(function* (keyId: KeyId, id: SubKeyId, actor: Actor) {
        const found = Option.filter(yield* subKeys.findById(id), (subKey) => subKey.keyId === keyId)
        if (Option.isNone(found) || !isUsable(found.value)) return found
        const revoked = { ...found.value, revokedAt: yield* Clock.currentTimeMillis }
        yield* subKeys.update(revoked)
        yield* audit.append(keyId, actor, "sub_key_revoked", id)
        return Option.some(revoked)
      }, transaction.run)

      const find = Effect.fn("ApiKeys.find")(function* (name: string) {
        const [first, ...others] = yield* search(name)
        if (first === undefined) {
          const [subKey] = yield* searchSubKeys(name)
          return yield* new KeyNotFound({ name, ...(subKey && { keyId: subKey.keyId }) })
        }
        if (others.length === 0) return first
        return yield* new AmbiguousPrefix({ prefix: name, ids: [first, ...others].map(({ id }) => id) })
      })

      const change = Effect.fnUntraced(function* <E>(
        keyId: KeyId,
        actor: Actor,
        action: AuditAction,
        changed: (key: ApiKey) => Effect.Effect<ApiKey, E>
      ) {
        const key = yield* Effect.flatMap(store.get(keyId), changed)
        yield* store.update(key)
        yield* audit.append(key.id, actor, action)
        return key
      }, transaction.run)

      return ApiKeys.of({
        issue,
        prepareDemoKey,
        rotate,
        countRotation: ({ id }) => count(`rotation ${id}`, limits.rotationsPerHour),
        assertCurrent,
        list: store.list,
        search,
        find,
        subKeysOf: subKeys.usableOf,
        searchSubKeys,
        revokeSubKey,
        revoke: (keyId, actor) => change(keyId, actor, "revoked", (key) => Effect.map(notDemo(key), revoked)),
        setKeyPlan: (keyId, keyPlan) =>
          change(keyId, "operator", keyPlan === "active" ? "activated" : "deactivated", (key) =>
            Effect.succeed({ ...key, plan: keyPlan })
          )
      })
    })
  ).pipe(Layer.provide([KeySecrets.layer, Grants.layer, Limits.layer]))
}
