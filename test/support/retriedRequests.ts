import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import { free, type httpApplication, issueKey, post } from "./Http.ts"

/** A body, as JSON if there is no type. */
interface Sent {
  readonly text: string
  readonly type?: string
}

/** A request of a paid operation, the same spelled differently, and others. */
export interface RetriedRequest {
  readonly name: string
  readonly path: string
  readonly request: Sent
  readonly again: Sent
  readonly others: ReadonlyArray<string>
}

/** Tests that requests with an Idempotency-Key are charged once, however they are retried. */
export const testRetries = (
  it: Vitest.MethodsNonLive<Layer.Success<ReturnType<typeof httpApplication>>>,
  requests: ReadonlyArray<RetriedRequest>
): void => {
  for (const { again, name, others, path, request } of requests) {
    const send = (key: string, idempotencyKey: string, { text, type = "application/json" }: Sent) =>
      post(path, { key, body: text, headers: { "idempotency-key": idempotencyKey, "content-type": type } })

    it.effect(`returns the same bytes again, for one charge, however ${name} is spelled, and 422 for another`, () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(2)
        const first = yield* send(secret, "once", request)
        assert.strictEqual(first.status, 200)
        assert.isNull(first.headers.get("idempotent-replayed"))
        for (const sent of [request, again]) {
          const replay = yield* free(id, send(secret, "once", sent))
          assert.deepStrictEqual([replay.status, replay.text], [200, first.text])
          assert.strictEqual(replay.headers.get("idempotent-replayed"), "true")
          for (const header of ["content-type", "ratelimit"])
            assert.strictEqual(replay.headers.get(header), first.headers.get(header))
        }
        for (const other of others) {
          const { problem } = yield* free(id, send(secret, "once", { text: other }))
          assert.include(problem, { status: 422, code: "idempotency_mismatch", retryable: false })
        }
      })
    )

    it.effect(`checks ${name} before its Idempotency-Key, and that before the credits`, () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(0)
        const pointersTo = (key: string, text: string) =>
          Effect.map(send(secret, key, { ...request, text }), ({ problem }) =>
            (problem.errors ?? []).map(({ pointer }) => pointer)
          )
        const wrong = yield* pointersTo("two words", "{}")
        assert.isNotEmpty(wrong)
        assert.notInclude(wrong, "/Idempotency-Key")
        assert.deepStrictEqual(yield* pointersTo("two words", request.text), ["/Idempotency-Key"])
        assert.strictEqual((yield* send(secret, "once", request)).problem.code, "usage_exhausted")
      })
    )

    it.effect(`answers 409 while ${name} is running: of ten at once one is charged, and all can get its response`, () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(10)
        const responses = yield* Effect.replicateEffect(send(secret, "race", request), 10, { concurrency: 10 })
        const answered = responses.filter(({ status }) => status === 200)
        const refused = responses.filter(({ status }) => status === 409)
        assert.strictEqual(answered.length + refused.length, 10)
        assert.strictEqual(new Set(answered.map(({ text }) => text)).size, 1)
        assert.lengthOf(
          answered.filter(({ headers }) => headers.get("idempotent-replayed") === null),
          1
        )
        for (const { headers, problem } of refused) {
          assert.include(problem, { code: "idempotency_in_progress", retryable: true })
          assert.strictEqual(headers.get("retry-after"), "1")
        }
        assert.strictEqual((yield* send(secret, "race", request)).text, answered[0]?.text)
        assert.lengthOf(yield* credits.history(id, 10), 2)
      })
    )
  }
}
