import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { httpApplication, send } from "../support/Http.ts"

const asBrowser = { headers: { accept: "text/html" } }

describe("a page", () => {
  layer(httpApplication({ env: { PUBLIC_URL: "https://forecast.example" } }))("behind TLS", (it) => {
    it.effect("declares its encoding, and that browsers must use HTTPS", () =>
      Effect.gen(function* () {
        for (const path of [
          "/",
          "/docs",
          "/docs/errors",
          "/credits",
          "/privacy",
          "/confirm/unknown",
          "/unsubscribe/unknown",
          "/nowhere"
        ]) {
          const { headers } = yield* send(path, asBrowser)
          assert.match(headers.get("content-type") ?? "", /^text\/html; ?charset=utf-8$/i, path)
          assert.strictEqual(headers.get("strict-transport-security"), "max-age=31536000", path)
        }
        assert.isNull((yield* send("/api/v1/credit-packs")).headers.get("strict-transport-security"))
      })
    )

    it.effect("of credits accepts no return from a payment except its own", () =>
      Effect.gen(function* () {
        for (const payment of ["__proto__", "constructor", "toString", "x"]) {
          const { status, text } = yield* send(`/credits?payment=${payment}`, asBrowser)
          assert.strictEqual(status, 200)
          assert.notMatch(text, /role="status"|native code/)
        }
        assert.include((yield* send("/credits?payment=done", asBrowser)).text, "Thank you")
      })
    )
  })

  layer(httpApplication())("without TLS", (it) => {
    it.effect("does not redirect to HTTPS", () =>
      Effect.map(send("/", asBrowser), ({ headers }) => {
        assert.isNull(headers.get("strict-transport-security"))
      })
    )
  })
})
