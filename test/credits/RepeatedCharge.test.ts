import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { applicationOn, postgresUrl } from "../support/Application.ts"
import { Commits, postgresCommits } from "../support/Commits.ts"
import { untilWaiting } from "../support/Postgres.ts"
import { oneCredit } from "../support/Samples.ts"

describe("A request that two instances over Postgres get at the same time", () => {
  it.live("is charged once: the second instance finds the response of the first", () =>
    Effect.gen(function* () {
      const url = yield* postgresUrl
      const other = Context.get(yield* Layer.build(Layer.fresh(applicationOn(url))), Credits)
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
      yield* untilWaiting(url, 1)
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
