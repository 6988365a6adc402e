import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Predicate, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { canonicalText } from "../../src/campaign/canonicalText.ts"
import { valuesOf } from "../../src/database/Statements.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { callTool, connectAgent } from "../extensions/support/Agent.ts"
import { httpApplication, issueKey, newClient, post, submitForm } from "../support/Http.ts"
import { pinned, pinnedOrder } from "../support/PinnedRequests.ts"
import { jsonOf } from "../support/Requests.ts"

/** The Idempotency-Keys and the fingerprints of the answers that are stored for an operation of an owner. */
const stored = Effect.fnUntraced(function* (scope: string, operation: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* valuesOf(
    Schema.String,
    sql`
      SELECT idempotency_key || ' ' || fingerprint FROM idempotent_answers
      WHERE scope = ${scope} AND operation = ${operation} ORDER BY id`
  )
})

describe("the fingerprints of requests", () => {
  layer(httpApplication({ env: { TRUSTED_PROXIES: "127.0.0.1" } }))((it) => {
    for (const { accept = "application/json", body, fingerprint, name, path, type = "application/json" } of pinned) {
      it.effect(`stay as they are for ${name}`, () =>
        Effect.gen(function* () {
          const { id, secret } = yield* issueKey()
          const headers = { accept, "content-type": type, "idempotency-key": "once" }
          const response = yield* post(path, { key: secret, body, headers })
          assert.strictEqual(response.status, 200, response.text)
          assert.deepStrictEqual(yield* stored(id, `POST ${path}`), [`once ${fingerprint}`])
        })
      )
    }

    it.effect("stay as they are for tools, and are their keys", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        const agent = yield* connectAgent(secret)
        for (const { body, fingerprint, tool } of pinned) {
          if (tool === undefined) continue
          yield* callTool(agent, tool, jsonOf(body))
          assert.deepStrictEqual(yield* stored(id, `POST /mcp ${tool}`), [`${fingerprint} ${fingerprint}`])
        }
      })
    )

    it.effect("stay as they are for orders, with a key, without one and by a form", () =>
      Effect.gen(function* () {
        const { fingerprint, form, owner, pack, scope } = pinnedOrder
        const { issue } = yield* ApiKeys
        const { key, secret } = yield* issue({ ...owner, email: "Ada@example.com" }, 0)
        const headers = { "idempotency-key": "once", "x-forwarded-for": newClient() }
        yield* post("/api/v1/orders", { key: Redacted.value(secret), body: JSON.stringify({ pack }), headers })
        yield* post("/api/v1/orders", { body: JSON.stringify({ ...owner, pack }), headers })
        yield* submitForm("/credits", { ...owner, pack, idempotency_key: form })
        assert.deepStrictEqual(yield* stored(key.id, "POST /api/v1/orders"), [`once ${fingerprint}`])
        assert.deepStrictEqual(yield* stored(scope, "POST /api/v1/orders"), [
          `once ${fingerprint}`,
          `form ${form} ${fingerprint} ${fingerprint}`
        ])
      })
    )
  })

  it("do not depend on the order in which fields are declared", () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned)
      return Predicate.isObject(value) ? reversed(value) : value
    }
    const reversed = (request: object) => {
      const members = Object.entries(request).map(([name, value]) => [name, turned(value)] as const)
      return Object.fromEntries(members.toReversed())
    }
    const bodies = pinned.filter(({ type }) => type === undefined).map(({ body }) => jsonOf(body))
    for (const request of [...bodies, { z: 1, a: 2, name: "" }]) {
      const text = canonicalText(request)
      assert.deepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(request)))
      assert.strictEqual(canonicalText(reversed(request)), text)
    }
  })
})
