import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { Credits, UsageExhausted } from "../../src/credits/Credits.ts"
import { CurrentRequest, newRequest } from "../../src/http/RequestState.ts"
import { creditHeadersOf } from "../../src/http/ResponseHeaders.ts"
import { KeyId, KeyRevoked, PlanInactive, SubKeyId } from "../../src/KeyStatus.ts"
import { type AuthenticatedKey, Authenticator } from "../../src/keys/Authenticator.ts"
import { KeyLimits } from "../../src/keys/KeyLimits.ts"
import { hashOf } from "../../src/keys/KeySecrets.ts"
import { RequestKeys, secretOf } from "../../src/keys/RequestKeys.ts"
import { application } from "../support/Application.ts"
import { unknownKey } from "../support/Http.ts"

const keyId = KeyId.make("key_memory")
const subKeyId = SubKeyId.make("sub_memory")
const key: AuthenticatedKey = {
  id: keyId,
  owner: { name: "Ada", email: "ada@example.com", company: "Example" },
  plan: "active",
  state: "usable",
  isDemo: false,
  secretPrefix: "ofk_test_memory",
  createdAt: 0,
  subKey: undefined
}
const withSubKey = { ...key, subKey: { id: subKeyId, name: "CRM", monthlyLimit: null, revokedAt: undefined } }

const prefix = "ofk_test_shown"
const revoked = new KeyRevoked({ prefix })

/** The balances in the credits, and in the failure of a charge. */
const balance = { granted: 10, remaining: 5 }
const spent = { granted: 10, remaining: 0 }
const exhausted = new UsageExhausted({ cost: 1, ...spent })

/**
 * Runs a request whose secret leads to a result. Returns the bucket that it counts against, whose balance was asked for,
 * and what was noted for its response.
 */
const outcome = (
  found: Result.Result<AuthenticatedKey, KeyRevoked | PlanInactive> | undefined,
  run: Effect.Effect<unknown, KeyRevoked | UsageExhausted>
) =>
  Effect.gen(function* () {
    const secret = yield* unknownKey
    const received = { headers: { "x-api-key": secret }, socket: { destroy: () => undefined } }
    const state = newRequest("", "")
    const buckets: Array<string | undefined> = []
    const asked: Array<string> = []
    const services = Layer.mergeAll(
      Authenticator.layerMemory(found === undefined ? {} : { [secret]: found }),
      Layer.mock(Credits, {
        balance: (...ids) => Effect.sync(() => (asked.push(ids.filter(Boolean).join(" ")), balance))
      }),
      Layer.mock(KeyLimits, {
        knownBucket: () => undefined,
        countAgain: () => true,
        note: () => {},
        countWasted: () => {},
        admit: (_, { bucketOf, hash, lookUp }) =>
          Effect.flatMap(Effect.result(lookUp), (result) => {
            buckets.push(bucketOf(result, hash))
            return Effect.fromResult(result)
          })
      })
    )
    const ended = yield* Effect.flatMap(RequestKeys, ({ asKey }) =>
      asKey(received, secretOf(received), () => run)
    ).pipe(
      Effect.result,
      Effect.provideService(CurrentRequest, state),
      Effect.provide(RequestKeys.layer.pipe(Layer.provide(services)))
    )
    const isOwn = buckets[0] === hashOf(secretOf(received))
    const { creditHeaders, keyPrefix } = state
    return { ended, bucket: isOwn ? "its own" : buckets[0], asked, keyPrefix, creditHeaders }
  }).pipe(Effect.provide(application()))

describe("RequestKeys", () => {
  it.effect("counts a request against its key, also an inactive one, and a revoked secret by itself", () =>
    Effect.gen(function* () {
      const inactive = new PlanInactive({ keyId, prefix })
      assert.include(yield* outcome(Result.succeed(key), Effect.void), { bucket: keyId, keyPrefix: "ofk_test_memory" })
      assert.deepStrictEqual(yield* outcome(Result.fail(inactive), Effect.die("ran")), {
        ended: Result.fail(inactive),
        bucket: keyId,
        asked: [keyId],
        keyPrefix: prefix,
        creditHeaders: creditHeadersOf(balance)
      })
      assert.deepStrictEqual(yield* outcome(Result.fail(revoked), Effect.die("ran")), {
        ended: Result.fail(revoked),
        bucket: "its own",
        asked: [],
        keyPrefix: prefix,
        creditHeaders: undefined
      })
      assert.include(yield* outcome(undefined, Effect.die("ran")), { bucket: undefined, keyPrefix: undefined })
    })
  )

  it.effect("asks for the balance unless the charge or its failure has it, which lacks the limit of a sub-key", () =>
    Effect.gen(function* () {
      const charge = Effect.map(CurrentRequest, (state) => void (state.creditHeaders = creditHeadersOf(spent)))
      for (const [run, found, asked, shown] of [
        [Effect.void, key, [keyId], balance],
        [Effect.void, withSubKey, [`${keyId} ${subKeyId}`], balance],
        [Effect.fail(revoked), key, [keyId], balance],
        [charge, key, [], spent],
        [Effect.fail(exhausted), key, [], spent],
        [Effect.fail(exhausted), withSubKey, [`${keyId} ${subKeyId}`], balance]
      ] as const) {
        const { asked: ids, creditHeaders } = yield* outcome(Result.succeed(found), run)
        assert.deepStrictEqual([ids, creditHeaders], [[...asked], creditHeadersOf(shown)])
      }
    })
  )
})
