import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { Settings } from "../../src/Settings.ts"
import { applicationOn } from "../support/Application.ts"
import { Commits, postgresCommits } from "../support/Commits.ts"
import { connected } from "../support/Postgres.ts"
import { oneCredit } from "../support/Samples.ts"

/** Waits until a transaction of the database waits for another. */
const someoneWaits = (url: string) =>
  connected(url, (sql) =>
    Effect.repeat(sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`, {
      until: (rows) => rows.length > 0
    })
  )

describe("A request that two instances over Postgres get at the same time", () => {
  it.live("is charged once: the second instance finds the response of the first", () =>
    Effect.gen(function* () {
      const { database } = yield* Settings
      const url = database.kind === "postgres" ? Redacted.value(database.url) : assert.fail("not Postgres")
      const other = Context.get(
        yield* Layer.buildWithMemoMap(applicationOn(url), yield* Layer.makeMemoMap, yield* Effect.scope),
        Credits
      )
      const credits = yield* Credits
      const { key } = yield* (yield* ApiKeys).issue({ name: "Ada", email: "ada@example.com", company: "Example" }, 10)
      const request = oneCredit({ scope: key.id, operation: "POST /", key: "again", fingerprint: "f" })
      const debited = yield* Deferred.make<void>()
      const mayCommit = yield* Deferred.make<void>()
      const { before } = yield* Commits
      before.push(Effect.andThen(Deferred.succeed(debited, undefined), Deferred.await(mayCommit)))
      const first = yield* Effect.forkChild(credits.charge(key.id, request))
      yield* Deferred.await(debited)
      const second = yield* Effect.forkChild(other.charge(key.id, request))
      yield* someoneWaits(url)
      yield* Deferred.succeed(mayCommit, undefined)
      const charged = yield* Fiber.join(first)
      const replayed = yield* Fiber.join(second)
      assert.isDefined(charged.reference)
      assert.isUndefined(replayed.reference)
      assert.strictEqual(replayed.answer, charged.answer)
      assert.deepStrictEqual(yield* credits.balance(key.id), { remaining: 9, granted: 10 })
    }).pipe(Effect.provide(postgresCommits), Effect.scoped)
  )
})
