import { Clock, Context, Duration, Effect, Exit, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Credits } from "../credits/Credits.ts"
import { batched, type Overloaded } from "../database/Batched.ts"
import { Transaction } from "../database/Transaction.ts"
import { Settings } from "../Settings.ts"
import { type ApiKey, isLive, KeyId, type Owner, type Plan, revoked, withPlan } from "./ApiKey.ts"
import { type Actor, type AuditAction, AuditLog } from "./AuditLog.ts"
import {
  AddressTaken,
  AmbiguousPrefix,
  InvalidKey,
  KeyNotFound,
  KeyRevoked,
  MissingKey,
  PlanInactive
} from "./KeyFailures.ts"
import * as KeySecret from "./KeySecret.ts"
import { type IssuedKey, KeySecrets } from "./KeySecrets.ts"
import { type FoundSecret, KeyStore } from "./KeyStore.ts"
import { newApiKey } from "./newApiKey.ts"
import { RevealLinks } from "./RevealLink.ts"

/** A key with its new secret, and when its old secrets stop being valid; milliseconds UTC. */
export interface RotatedKey extends IssuedKey {
  readonly oldSecretValidUntil: number
}

/** How many look-ups may be queued. */
const mostWaiting = 1000

/** Shown as the prefix of the demo key, whose secret may be too short to show a part of it. */
const demoPrefix = "ofk_demo"
const demoOwner: Owner = { name: "Demo", email: "demo@localhost", company: "Outreach Forecast" }

/** Looks up keys and changes their state. Nothing is cached: a change takes effect with the next request. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Finds the usable key of a secret; an empty secret counts as missing. Look-ups that arrive together are one. */
    readonly authenticate: (
      secret: Redacted.Redacted
    ) => Effect.Effect<ApiKey, MissingKey | InvalidKey | KeyRevoked | PlanInactive | Overloaded>
    /**
     * Issues a usable key in one transaction, with `credits` or, if left out, with the preview credits unless the
     * address has had them. Fails with AddressTaken if the owner has a key that is not revoked.
     */
    readonly issue: (owner: Owner, credits?: number) => Effect.Effect<IssuedKey, AddressTaken>
    /**
     * Makes the configured demo key usable and sets its balance to the configured credits; does nothing in production.
     */
    readonly prepareDemoKey: Effect.Effect<void>
    /** Gives a key a new secret; its old ones stay valid for at most `graceHours` more. */
    readonly rotate: (keyId: KeyId, graceHours: number) => Effect.Effect<RotatedKey, KeyNotFound>
    readonly list: Effect.Effect<ReadonlyArray<ApiKey>>
    /** Finds keys by their address, id or shown prefix. */
    readonly search: (text: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Finds a key by its id or its shown prefix. */
    readonly find: (name: string) => Effect.Effect<ApiKey, KeyNotFound | AmbiguousPrefix>
    readonly revoke: (name: string, actor: Actor) => Effect.Effect<ApiKey, KeyNotFound | AmbiguousPrefix>
    /** Deactivates or activates a key's plan. */
    readonly setPlan: (name: string, plan: Plan) => Effect.Effect<ApiKey, KeyNotFound | AmbiguousPrefix>
  }
>()("outreach-forecast/keys/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const { demoKey, environment } = yield* Settings
      const store = yield* KeyStore
      const secrets = yield* KeySecrets
      const links = yield* RevealLinks
      const audit = yield* AuditLog
      const credits = yield* Credits
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom

      const isDemoSecret = (secret: Redacted.Redacted) =>
        Option.exists(demoKey, (demo) => Redacted.value(demo.secret) === Redacted.value(secret))

      /** Notes the first use of a secret. One that a link revealed ends the link and the other secrets by it. */
      const noteFirstUse = Effect.fnUntraced(function* ({ key, secret }: FoundSecret, now: number) {
        // The secret may have been replaced, or the key revoked, since it was looked up.
        const current = (yield* store.findSecrets([secret.hash])).get(secret.hash)
        if (current === undefined || current.key.state !== "usable") return yield* new InvalidKey()
        if (current.secret.firstUsedAt !== undefined) return
        yield* store.putSecret({ ...current.secret, firstUsedAt: now })
        if (secret.linkId === undefined) return
        yield* links.markUsed(secret.linkId, now)
        yield* audit.append(key.id, "owner", "first_used")
        for (const other of yield* store.secretsOf(key.id)) {
          if (other.hash !== secret.hash) yield* store.deleteSecret(other.hash)
        }
      }, transaction.run)

      const lookUp = yield* batched(
        { ...transaction.batching, capacity: mostWaiting },
        (hashes: ReadonlyArray<string>) =>
          Effect.map(store.findSecrets([...new Set(hashes)]), (found) =>
            hashes.map((hash) => Exit.succeed(found.get(hash)))
          )
      )

      const authenticate = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
        if (Redacted.value(secret) === "") return yield* new MissingKey()
        if (!KeySecret.isWellFormed(secret, environment) && !isDemoSecret(secret)) return yield* new InvalidKey()
        const found = yield* lookUp(KeySecret.hashOf(secret))
        if (found === undefined) return yield* new InvalidKey()
        const { secret: record } = found
        // A key may have several secrets: the one that was sent is the one to speak of.
        const key: ApiKey = { ...found.key, secretPrefix: record.prefix }
        // A demo record is no key in production, whatever its secret looks like.
        if (key.isDemo && environment === "production") return yield* new InvalidKey()
        const now = yield* Clock.currentTimeMillis
        if (record.expiresAt !== undefined && record.expiresAt <= now) return yield* new InvalidKey()
        if (key.state === "unconfirmed") return yield* new InvalidKey()
        if (key.state === "revoked") return yield* new KeyRevoked({ prefix: key.secretPrefix })
        if (key.plan === "inactive") return yield* new PlanInactive({ keyId: key.id, prefix: key.secretPrefix })
        if (record.firstUsedAt === undefined) yield* noteFirstUse(found, now)
        return key
      })

      const makeKey = (owner: Owner, fields: Partial<ApiKey>) =>
        Effect.provideService(newApiKey(owner, fields), SecureRandom.SecureRandom, random)

      const issue = Effect.fn("ApiKeys.issue")(function* (owner: Owner, initialCredits?: number) {
        const live = (yield* store.findByEmail(owner.email)).find(isLive)
        if (live !== undefined) return yield* new AddressTaken({ email: owner.email, prefix: live.secretPrefix })
        const newKey = yield* makeKey(owner, { state: "usable" })
        yield* store.insert(newKey)
        const { key, secret } = yield* secrets.issue(newKey)
        yield* initialCredits === undefined
          ? credits.grantPreview(key.id, owner.email)
          : credits.setBalance(key.id, initialCredits, "adjustment")
        yield* audit.append(key.id, "operator", "issued")
        return { key, secret }
      }, transaction.run)

      const prepareDemoKey = Effect.gen(function* () {
        if (Option.isNone(demoKey)) return
        const { credits: demoCredits, secret } = demoKey.value
        const fresh = yield* makeKey(demoOwner, { state: "usable", isDemo: true, secretPrefix: demoPrefix })
        const found = yield* store.findDemo
        const key = Option.match(found, {
          onNone: () => fresh,
          onSome: ({ createdAt, id }) => ({ ...fresh, id, createdAt })
        })
        yield* Option.isNone(found) ? store.insert(key) : store.update(key)
        yield* secrets.set(key, secret)
        yield* credits.setBalance(key.id, demoCredits, Option.isNone(found) ? "preview_grant" : "adjustment")
        yield* audit.append(key.id, "service", "prepared")
      }).pipe(transaction.run, Effect.withSpan("ApiKeys.prepareDemoKey"))

      const rotate = Effect.fn("ApiKeys.rotate")(function* (keyId: KeyId, graceHours: number) {
        const found = yield* store.findById(keyId)
        if (Option.isNone(found)) return yield* new KeyNotFound({ name: keyId })
        const oldSecretValidUntil = yield* secrets.expire(keyId, Duration.hours(graceHours))
        const issued = yield* secrets.issue(found.value)
        yield* audit.append(keyId, "owner", "rotated")
        return { ...issued, oldSecretValidUntil }
      }, transaction.run)

      const search = Effect.fn("ApiKeys.search")(function* (text: string) {
        const byId = yield* store.findById(KeyId.make(text))
        if (Option.isSome(byId)) return [byId.value]
        return text.includes("@") ? yield* store.findByEmail(text.toLowerCase()) : yield* store.findByPrefix(text)
      })

      const find = Effect.fn("ApiKeys.find")(function* (name: string) {
        const [first, ...others] = yield* search(name)
        if (first === undefined) return yield* new KeyNotFound({ name })
        if (others.length === 0) return first
        return yield* new AmbiguousPrefix({ prefix: name, ids: [first, ...others].map(({ id }) => id) })
      })

      const change = Effect.fnUntraced(function* (
        name: string,
        actor: Actor,
        action: AuditAction,
        changed: (key: ApiKey) => ApiKey
      ) {
        const key = changed(yield* find(name))
        yield* store.update(key)
        yield* audit.append(key.id, actor, action)
        return key
      }, transaction.run)

      return ApiKeys.of({
        authenticate,
        issue,
        prepareDemoKey,
        rotate,
        list: store.list,
        search,
        find,
        revoke: (name, actor) => change(name, actor, "revoked", revoked),
        setPlan: (name, plan) =>
          change(name, "operator", plan === "active" ? "activated" : "deactivated", (key) => withPlan(key, plan))
      })
    })
  )
}
