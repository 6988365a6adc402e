import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Credits, previewCredits } from "../credits/Credits.ts"
import { Transaction } from "../database/Transaction.ts"
import { Settings } from "../Settings.ts"
import { type ApiKey, KeyId, type Owner, type Plan, revoked, withPlan } from "./ApiKey.ts"
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
import { KeyStore } from "./KeyStore.ts"

/** A key just issued, with its secret: the only time that it can be seen. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly secret: Redacted.Redacted
}

/** Stands for the prefix of the demo key, whose secret may be too short to show a part of it. */
const demoPrefix = "ofk_demo"
const demoOwner: Owner = { name: "Demo", email: "demo@localhost", company: "Outreach Forecast" }

/** Looks keys up and changes their state. Nothing is cached: a change holds from the next request on. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Finds the usable key of a secret; an empty secret counts as missing. */
    readonly authenticate: (
      secret: Redacted.Redacted
    ) => Effect.Effect<ApiKey, MissingKey | InvalidKey | KeyRevoked | PlanInactive>
    /** Issues a usable key with credits, in one transaction. Fails with AddressTaken where the owner has a live key. */
    readonly issue: (owner: Owner, credits?: number) => Effect.Effect<IssuedKey, AddressTaken>
    /** Sets the configured demo key usable and its balance to what is configured; nothing in production. */
    readonly prepareDemoKey: Effect.Effect<void>
    readonly list: Effect.Effect<ReadonlyArray<ApiKey>>
    /** Finds a key by its id or its shown prefix. */
    readonly find: (name: string) => Effect.Effect<ApiKey, KeyNotFound | AmbiguousPrefix>
    readonly revoke: (name: string) => Effect.Effect<ApiKey, KeyNotFound | AmbiguousPrefix>
    /** Deactivates or activates a key's plan. */
    readonly setPlan: (name: string, plan: Plan) => Effect.Effect<ApiKey, KeyNotFound | AmbiguousPrefix>
  }
>()("outreach-forecast/keys/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const { demoKey, environment } = yield* Settings
      const store = yield* KeyStore
      const credits = yield* Credits
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom

      const isDemoSecret = (secret: Redacted.Redacted) =>
        Option.exists(demoKey, (demo) => Redacted.value(demo.secret) === Redacted.value(secret))

      const authenticate = Effect.fn("ApiKeys.authenticate")(function* (secret: Redacted.Redacted) {
        if (Redacted.value(secret) === "") return yield* new MissingKey()
        if (!KeySecret.isWellFormed(secret, environment) && !isDemoSecret(secret)) return yield* new InvalidKey()
        const found = yield* store.findBySecretHash(KeySecret.hashOf(secret))
        // A demo record is no key in production, whatever its secret looks like.
        if (Option.isNone(found) || (found.value.isDemo && environment === "production")) return yield* new InvalidKey()
        const key = found.value
        if (key.state === "unconfirmed") return yield* new InvalidKey()
        if (key.state === "revoked") return yield* new KeyRevoked()
        if (key.plan === "inactive") return yield* new PlanInactive({ keyId: key.id })
        return key
      })

      const newKey = Effect.fnUntraced(
        function* (owner: Owner, secret: Redacted.Redacted, isDemo: boolean) {
          const key: ApiKey = {
            id: KeyId.make(`key_${yield* KeySecret.randomBase62(16)}`),
            owner,
            plan: "active",
            state: "usable",
            isDemo,
            secretHash: KeySecret.hashOf(secret),
            secretPrefix: isDemo ? demoPrefix : KeySecret.shownPrefix(secret, environment),
            createdAt: yield* Clock.currentTimeMillis
          }
          return key
        },
        Effect.provideService(SecureRandom.SecureRandom, random)
      )

      const issue = Effect.fn("ApiKeys.issue")(function* (owner: Owner, initialCredits: number = previewCredits) {
        const live = yield* store.findLiveByEmail(owner.email)
        if (Option.isSome(live)) {
          return yield* new AddressTaken({ email: owner.email, prefix: live.value.secretPrefix })
        }
        const secret = yield* KeySecret.generate(environment).pipe(
          Effect.provideService(SecureRandom.SecureRandom, random)
        )
        const key = yield* newKey(owner, secret, false)
        yield* store.insert(key)
        yield* credits.setBalance(key.id, initialCredits, "preview_grant")
        return { key, secret }
      }, transaction.run)

      const prepareDemoKey = Effect.gen(function* () {
        if (Option.isNone(demoKey)) return
        const { credits: demoCredits, secret } = demoKey.value
        const fresh = yield* newKey(demoOwner, secret, true)
        const found = yield* store.findDemo
        const key = Option.match(found, {
          onNone: () => fresh,
          onSome: ({ createdAt, id }) => ({ ...fresh, id, createdAt })
        })
        yield* Option.isNone(found) ? store.insert(key) : store.update(key)
        yield* credits.setBalance(key.id, demoCredits, Option.isNone(found) ? "preview_grant" : "adjustment")
      }).pipe(transaction.run, Effect.withSpan("ApiKeys.prepareDemoKey"))

      const find = Effect.fn("ApiKeys.find")(function* (name: string) {
        const byId = yield* store.findById(KeyId.make(name))
        if (Option.isSome(byId)) return byId.value
        const [first, ...others] = yield* store.findByPrefix(name)
        if (first === undefined) return yield* new KeyNotFound({ name })
        if (others.length === 0) return first
        return yield* new AmbiguousPrefix({ prefix: name, ids: [first, ...others].map(({ id }) => id) })
      })

      const change = (change: (key: ApiKey) => ApiKey) =>
        Effect.fnUntraced(function* (name: string) {
          const key = change(yield* find(name))
          yield* store.update(key)
          return key
        }, transaction.run)

      return ApiKeys.of({
        authenticate,
        issue,
        prepareDemoKey,
        list: store.list,
        find,
        revoke: change(revoked),
        setPlan: (name, plan) => change((key) => withPlan(key, plan))(name)
      })
    })
  )
}
