import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { watched } from "../../support/Canary.ts"
import { post, send } from "../../support/Http.ts"
import { slowly } from "../../support/slowly.ts"

describe("the secrets of an owner who is signed in", slowly, () => {
  it.effect("are in no page, log, trace or database file", () =>
    watched(({ responses, secrets }) =>
      Effect.gen(function* () {
        const owner = { name: "Ada", email: "ada@example.com", company: "Example" }
        const key = Redacted.value((yield* (yield* ApiKeys).issue(owner)).secret)
        secrets.add(key)
        yield* post("/api/v1/forecast", { key })
        const signedIn = yield* send("/key", {
          method: "POST",
          headers: { "sec-fetch-site": "same-origin" },
          body: new URLSearchParams({ api_key: key })
        })
        const cookie = /^session=([\w-]{43});/.exec(signedIn.headers.get("set-cookie") ?? "")?.[1] ?? ""
        assert.strictEqual(signedIn.status, 303)
        secrets.add(cookie)
        for (const path of ["/key", "/key/ledger.csv", `/key/${cookie}`]) {
          responses.push((yield* send(path, { headers: { cookie: `session=${cookie}` } })).text)
        }
        assert.strictEqual(secrets.size, 3)
      })
    )
  )
})
