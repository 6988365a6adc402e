import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Credits } from "../../../src/credits/Credits.ts"
import type { KeyId, SubKeyId } from "../../../src/KeyStatus.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { SubKeys } from "../../../src/extensions/subkeys/SubKeys.ts"
import { Erasure } from "../../../src/extensions/privacy/Erasure.ts"
import { applications, postgresUrl } from "../../support/Application.ts"
import { callTool, connectAgent } from "../support/Agent.ts"
import { campaigns, path } from "../../support/CampaignRequests.ts"
import { makeHeldWorkers } from "../../support/HeldWorkers.ts"
import { free, httpApplication, issueKey, post } from "../../support/Http.ts"
import { connected, untilWaiting } from "../../support/Postgres.ts"
import { until } from "../../support/Process.ts"
import { measured, oneCredit, sample } from "../../support/Samples.ts"

/** The events that end the use of a key or of its sub-key, each with the failure of charges from then on. */
const ends = Effect.gen(function* () {
  const apiKeys = yield* ApiKeys
  const erasure = yield* Erasure
  const subKeys = yield* SubKeys
  const by = (
    event: string,
    failure: "KeyRevoked" | "PlanInactive",
    end: (keyId: KeyId, subKeyId: SubKeyId) => Effect.Effect<unknown, unknown>
  ) => ({ event, failure, end: (keyId: KeyId, subKeyId: SubKeyId) => Effect.orDie(end(keyId, subKeyId)) })
  return [
    by("the revocation of the key", "KeyRevoked", (keyId) => apiKeys.revoke(keyId, "owner")),
    by("the deactivation of its plan", "PlanInactive", (keyId) => apiKeys.setKeyPlan(keyId, "inactive")),
    by("the erasure of its owner", "KeyRevoked", (keyId) => erasure.erase(keyId, "operator")),
    by("the revocation of the sub-key", "KeyRevoked", (keyId, subKeyId) => subKeys.revoke(keyId, subKeyId, "owner"))
  ]
})

const issueSubKey = Effect.gen(function* () {
  const { id: keyId } = yield* issueKey(1_000_000)
  const { subKey } = yield* (yield* SubKeys).create(keyId, { name: "CRM", monthlyLimit: null })
  return { keyId, subKeyId: subKey.id }
})

for (const [name, application] of Object.entries(applications)) {
  it.effect(`nothing is charged in ${name} once the end of a key or a sub-key was acknowledged`, () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      for (const { end, event, failure } of yield* ends) {
        const { keyId, subKeyId } = yield* issueSubKey
        const spent = Effect.map(credits.balance(keyId), ({ granted, remaining }) => granted - remaining)
        // One credit or several, with and without an Idempotency-Key, are charged by different statements.
        const callers = [1, 2].flatMap((cost) => [
          () => credits.charge(keyId, { ...oneCredit(), subKeyId, cost }),
          (i: number) => {
            const retry = { scope: subKeyId, operation: "POST /", key: `${cost} ${i}`, fingerprint: "" }
            return credits.charge(keyId, { ...oneCredit(retry), subKeyId, cost })
          }
        ])
        const charging = yield* Effect.forEach(callers, (charge) => {
          let calls = 0
          return Effect.forkChild(Effect.flip(Effect.forever(Effect.suspend(() => charge(calls++)))))
        })
        yield* Effect.repeat(spent, { until: (credits) => credits > 20 })
        yield* end(keyId, subKeyId)
        const spentBefore = yield* spent
        const failures = yield* Effect.forEach(charging, Fiber.join)
        assert.deepStrictEqual([...new Set(failures.map(({ _tag }) => _tag))], [failure], event)
        assert.strictEqual(yield* spent, spentBefore, event)
        const precheck = credits.precheck({ keyId, subKeyId, cost: 1 })
        assert.strictEqual((yield* Effect.flip(precheck))._tag, failure, event)
      }
    }).pipe(Effect.provide(application()))
  )
}

const soFar = { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 }

describe("A charge on Postgres that has begun", () => {
  it.live("is not made if its key or sub-key ends while it waits for the balance", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const url = yield* postgresUrl
      for (const { end, event, failure } of yield* ends) {
        for (const cost of [1, 2]) {
          const { keyId, subKeyId } = yield* issueSubKey
          const charge = Effect.flip(credits.charge(keyId, { ...oneCredit(), subKeyId, cost }))
          const charging = yield* connected(url, (sql) =>
            sql.withTransaction(
              Effect.gen(function* () {
                yield* sql`SELECT key_id FROM credit_balances WHERE key_id = ${keyId} FOR UPDATE`
                const charging = yield* Effect.forkDetach(charge)
                yield* untilWaiting(url, 1)
                yield* end(keyId, subKeyId)
                return charging
              })
            )
          )
          assert.strictEqual((yield* Fiber.join(charging))._tag, failure, `${event}, ${cost}`)
          const { granted, remaining } = yield* credits.balance(keyId)
          assert.strictEqual(remaining, granted, `${event}, ${cost}`)
        }
      }
    }).pipe(Effect.provide(applications.Postgres()), Effect.scoped)
  )
})

it.effect(
  "paid requests that wait or compute when their key is revoked or deactivated are refused and cost nothing",
  () => {
    const { arrived, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const { revoke, setKeyPlan } = yield* ApiKeys
      for (const { code, end, status } of [
        { end: (id: KeyId) => revoke(id, "owner"), status: 401, code: "key_revoked" },
        { end: (id: KeyId) => setKeyPlan(id, "inactive"), status: 403, code: "plan_inactive" }
      ]) {
        const { id, secret } = yield* issueKey()
        const agent = yield* connectAgent(secret)
        const ask = (at: string, request: object) =>
          Effect.forkChild(post(at, { key: secret, body: JSON.stringify(request) }))
        const before = arrived()
        // The first list was read, and computes; all others wait.
        yield* holdAfter(1)
        const list = yield* ask(path, { campaigns: campaigns(3) })
        yield* until(() => arrived() === before + 2)
        const others = [
          yield* ask(path, { campaigns: campaigns(2) }),
          yield* ask("/api/v1/forecast", measured),
          yield* ask("/api/v1/goals", { ...measured, goal: { clients: 4, chance: 0.8 } }),
          yield* ask("/api/v1/progress", { ...sample, so_far: soFar })
        ]
        const tool = yield* Effect.forkChild(callTool(agent, "forecast", measured))
        // The second list waits for the first, before it is read.
        yield* until(() => arrived() === before + 6)
        yield* end(id)
        yield* free(id, Effect.andThen(release, Effect.forEach([list, ...others], Fiber.await)))
        for (const asked of [list, ...others]) {
          const answer = yield* Fiber.join(asked)
          assert.deepStrictEqual([answer.status, answer.problem.code], [status, code])
        }
        assert.deepInclude(yield* Fiber.join(tool), { isError: true, code })
      }
    }).pipe(Effect.provide(httpApplication({ workers })))
  }
)
