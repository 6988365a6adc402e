import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { httpApplication, send } from "../support/Http.ts"

const path = "/.well-known/security.txt"

describe("security.txt", () => {
  it.effect("names the operator's address for another 30 days", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 day")
      const { headers, status, text } = yield* send(path)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/plain; charset=utf-8")
      assert.deepStrictEqual(text.split("\n"), [
        "Contact: mailto:help%2Bme@forecast.example",
        "Expires: 1970-02-01T00:00:00.000Z",
        `Canonical: https://forecast.example${path}`,
        ""
      ])
    }).pipe(
      Effect.provide(
        httpApplication({ env: { PUBLIC_URL: "https://forecast.example", SUPPORT_EMAIL: "help+me@forecast.example" } })
      )
    )
  )

  it.effect("does not exist if the operator has no address", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send(path)).status, 404)
    }).pipe(Effect.provide(httpApplication()))
  )
})
