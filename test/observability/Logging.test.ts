import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type AnsweredRequest, layer, RequestLog } from "../../src/observability/Logging.ts"
import { settings } from "../support/Application.ts"

/** The text that is written to standard error until the scope closes. */
const captured = Effect.acquireRelease(
  Effect.sync(() => {
    let text = ""
    const write = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
      text += String(chunk)
      return true
    })
    return { write, lines: () => text.split("\n").flatMap((line): Array<unknown> => (line ? [JSON.parse(line)] : [])) }
  }),
  ({ write }) => Effect.sync(() => write.mockRestore())
)

const answered: AnsweredRequest = {
  at: 0,
  requestId: "",
  method: "GET",
  route: "/confirm/:token",
  status: 429,
  millis: 1,
  key: undefined,
  isKeyFound: false,
  code: "rate_limited",
  client: "192.0.2.0/24",
  charge: undefined
}

describe("the log of requests", () => {
  it.effect("has the refusals of one client with one code once a second, with their number, and all else at once", () =>
    Effect.gen(function* () {
      const { lines } = yield* captured
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "setImmediate"] })),
        () => Effect.sync(() => vi.useRealTimers())
      )
      const shown = () => lines().map((line) => Object.assign({ request_id: "", count: 1 }, line))
      const ids = () => shown().map(({ count, request_id }) => [request_id, count])
      yield* Effect.gen(function* () {
        const log = yield* RequestLog
        const refuse = (requestId: string, changes: Partial<AnsweredRequest> = {}) =>
          log({ ...answered, requestId, ...changes })
        for (const id of ["a", "b", "c"]) refuse(id)
        refuse("other client", { client: "198.51.100.0/24" })
        refuse("other code", { code: "not_found", status: 404 })
        refuse("key", { key: "ofk_live_1", isKeyFound: true })
        for (const id of ["error", "error 2"]) refuse(id, { code: "internal_error", status: 500 })
        for (const id of ["charge", "charge 2"]) refuse(id, { code: undefined, status: 499, charge: id })
        for (const id of ["fine", "fine 2"]) refuse(id, { code: undefined, status: 200, client: undefined })
        vi.advanceTimersByTime(999)
        const atOnce = [
          "a",
          "other client",
          "other code",
          "key",
          "error",
          "error 2",
          "charge",
          "charge 2",
          "fine",
          "fine 2"
        ]
        assert.deepStrictEqual(
          ids(),
          atOnce.map((id) => [id, 1])
        )
        vi.advanceTimersByTime(10)
        assert.deepStrictEqual(ids().slice(atOnce.length), [["c", 2]])
        // As long as they go on, there is one line a second; after a second without one, the next is logged at once.
        refuse("d")
        vi.advanceTimersByTime(1000)
        vi.advanceTimersByTime(1000)
        refuse("e")
        vi.advanceTimersByTime(10)
        assert.deepStrictEqual(ids().slice(atOnce.length + 1), [
          ["d", 1],
          ["e", 1]
        ])
        refuse("last")
      }).pipe(Effect.provide(Layer.fresh(Layer.provide(layer, settings({ LOG_LEVEL: "info" })))))
      // Nothing is lost when the service stops.
      assert.deepStrictEqual(ids().at(-1), ["last", 1])
    })
  )
})
