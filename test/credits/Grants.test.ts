import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import { Grants } from "../../src/credits/Grants.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { application, applications } from "../support/Application.ts"
import { oneCredit } from "../support/Samples.ts"

const owner = (name: string) => ({ name, email: `${name}@example.com`, company: "Example" })

/** The credits granted and charged so far, according to the operator's metrics. */
const counted = Effect.map(Metric.snapshot, (metrics) =>
  ["granted", "charged"].map((what) => {
    const found = metrics.find(({ id }) => id === `outreach_forecast.credits.${what}`)
    return found?.type === "Counter" ? Number(found.state.count) : 0
  })
)

describe("Grants", () => {
  it.effect("give each mailbox its preview credits, under a reference that does not name it", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const credits = yield* Credits
      for (const name of ["ada", "bob"]) {
        const { key } = yield* apiKeys.issue(owner(name))
        const [entry, ...others] = yield* credits.history(key.id, 2)
        assert.deepInclude(entry, { kind: "preview_grant", delta: 100, balanceAfter: 100 })
        assert.match(entry?.reference ?? "", /^preview:[0-9a-f]{64}$/)
        assert.lengthOf(others, 0)
      }
    }).pipe(Effect.provide(application()))
  )

  it.effect("write nothing if nothing is left to take back", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const grants = yield* Grants
      const { key } = yield* (yield* ApiKeys).issue(owner("ada"), 0)
      yield* grants.takeBack(key.id, 5, "refund")
      assert.deepStrictEqual(yield* credits.history(key.id, 1), [])
    }).pipe(Effect.provide(application()))
  )

  it.effect("take back no more than is left, even twice at the same time over Postgres", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const grants = yield* Grants
      const { key } = yield* (yield* ApiKeys).issue(owner("ada"), 10)
      const taken = ["one", "other"].map((reference) => grants.takeBack(key.id, 7, reference))
      yield* Effect.all(taken, { concurrency: "unbounded" })
      const deltas = (yield* credits.history(key.id, 9)).map(({ delta }) => delta)
      assert.deepStrictEqual(deltas, [-3, -7, 10])
    }).pipe(Effect.provide(applications.Postgres()))
  )

  it.effect("are each counted once in the metrics, like charges, unless refused or taken back", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const grants = yield* Grants
      const { key } = yield* (yield* ApiKeys).issue(owner("ada"), 10)
      const [given = 0, charged = 0] = yield* counted
      yield* grants.addPack(key.id, 7, "pack")
      yield* grants.takeBack(key.id, 5, "refund")
      const request = { scope: key.id, operation: "POST /", key: "1", fingerprint: "f" }
      for (let i = 0; i < 3; i++) yield* credits.charge(key.id, { ...oneCredit(request), cost: 3 })
      yield* Effect.flip(credits.charge(key.id, { ...oneCredit(), cost: 10 }))
      assert.deepStrictEqual(yield* counted, [given + 7, charged + 3])
    }).pipe(Effect.provide(application()))
  )
})
