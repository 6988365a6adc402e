import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AdminServer } from "../../src/health/AdminHttp.ts"
import * as Servers from "../../src/Servers.ts"
import { application } from "../support/Application.ts"
import { httpApplication, send, sendAdmin, sendRaw, serveHere } from "../support/Http.ts"
import { getFrom } from "../support/Requests.ts"
import { openClient } from "../support/Sockets.ts"
import { slowly } from "../support/slowly.ts"

describe("the operator's listener", () => {
  layer(httpApplication({ env: { ADMIN_PORT: "0" } }))((it) => {
    it.effect("serves metrics, and reports that the process is alive and ready", () =>
      Effect.gen(function* () {
        const metrics = yield* sendAdmin("/metrics")
        assert.strictEqual(metrics.status, 200)
        assert.match(metrics.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
        assert.deepStrictEqual((yield* sendAdmin("/livez")).json, { status: "ok" })
        assert.deepStrictEqual((yield* sendAdmin("/readyz")).json, { status: "ok", draining: false, database: "ok" })
        for (const path of ["/metrics?x", "/livez?x", "/readyz?verbose"]) {
          assert.strictEqual((yield* sendAdmin(path)).status, 200, path)
        }
        assert.strictEqual((yield* send("/readyz?verbose")).status, 200)
        const head = yield* sendAdmin("/livez", { method: "HEAD" })
        assert.deepStrictEqual([head.status, head.text], [200, ""])
      })
    )

    it.effect("answers everything else with 404 or 405 as a problem", () =>
      Effect.gen(function* () {
        for (const path of ["/", "/metrics/", "/docs", "/api/v1/forecast"]) {
          assert.strictEqual((yield* sendAdmin(path)).problem.code, "not_found", path)
        }
        const refused = yield* sendAdmin("/metrics", { method: "POST" })
        assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"])
      })
    )

    it.effect("is the only listener with metrics", () =>
      Effect.gen(function* () {
        const spellings =
          "/metrics /metrics/ //metrics /metrics;x /METRICS /metrics?x /%6detrics /./metrics /livez/../metrics /;/metrics"
        for (const path of [...spellings.split(" "), "http://a/metrics", "http://a//metrics"]) {
          const response = yield* sendRaw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
          assert.match(response, /^HTTP\/1\.1 404 /, path)
        }
      })
    )
  })

  layer(httpApplication())("without a port", (it) => {
    it.effect("does not exist without ADMIN_PORT", () =>
      Effect.gen(function* () {
        assert.isTrue(Option.isNone((yield* AdminServer).url))
        assert.strictEqual((yield* send("/metrics")).status, 404)
      })
    )
  })

  it.effect("reports why the service is not ready", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`PRAGMA query_only = ON`
      const { json, status } = yield* sendAdmin("/readyz")
      assert.strictEqual(status, 503)
      assert.include(json, { status: "unavailable", draining: false })
      assert.strictEqual(json["database"], "unreachable")
      assert.match(String(json["reason"]), /whether the user that runs the service may write .*readonly database/)
      assert.strictEqual((yield* sendAdmin("/livez")).status, 200)
    }).pipe(Effect.provide(Servers.layer.pipe(Layer.provideMerge(application({ env: { ADMIN_PORT: "0" } })))))
  )
})

describe("a server", slowly, () => {
  it.live("answers its operator while incomplete requests occupy all its connections", () =>
    Effect.gen(function* () {
      const { port, services } = yield* serveHere({ ADMIN_PORT: "0", MAX_CONNECTIONS: "200" })
      const admin = Option.getOrThrow(Context.get(services, AdminServer).url)
      const half =
        "POST /api/v1/forecast HTTP/1.1\r\nHost: a\r\nx-api-key: demo\r\n" +
        "content-type: application/json\r\nContent-Length: 9\r\n\r\n"
      yield* Effect.replicateEffect(openClient(port, half), 300, { concurrency: 100 })
      assert.strictEqual((yield* getFrom(admin, "/livez", { connection: "close" })).status, 200)
      assert.strictEqual((yield* getFrom(admin, "/readyz", { connection: "close" })).status, 200)
    })
  )
})
