import { request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assetPath } from "../../src/site/Assets.ts"
import { baseUrl, httpApplication } from "../support/Http.ts"

/** Sends a request as a client that decodes nothing by itself. */
const get = Effect.fnUntraced(function* (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method: string = "GET"
) {
  const base = yield* baseUrl
  return yield* Effect.promise(
    () =>
      new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
        request(`${base}${path}`, { headers, method }, (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
          )
        })
          .on("error", reject)
          .end()
      })
  )
})

const asset = assetPath("calculator.js")
const paths = ["/", "/docs", "/openapi.json", "/llms.txt", "/docs/errors", "/docs/errors.md", asset]
/** A page shows who is signed in. */
const varyOf = (headers: NodeJS.Dict<string | string[]>) =>
  String(headers["content-type"]).startsWith("text/html") ? "Accept-Encoding, Cookie" : "Accept-Encoding"
const cacheControlOf = (path: string) =>
  path === asset ? "public, max-age=31536000, immutable" : "public, max-age=300"

describe("a public response", () => {
  layer(httpApplication())((it) => {
    it.effect("is sent as brotli, gzip or uncompressed, whichever the client accepts", () =>
      Effect.gen(function* () {
        for (const path of paths) {
          const { body, headers, status } = yield* get(path)
          assert.strictEqual(status, 200)
          assert.isUndefined(headers["content-encoding"])
          assert.strictEqual(headers["vary"], varyOf(headers))
          for (const [accepted, encoding] of [
            ["gzip, deflate, br, zstd", "br"],
            ["gzip;q=1.0, br;q=0", "gzip"],
            ["*", "br"],
            ["gzip;q=0, *;q=0.5", "br"],
            ["identity", undefined],
            ["gzip;q=0", undefined],
            ["gzip;q=banana", undefined],
            ["", undefined]
          ] as const) {
            const other = yield* get(path, { "accept-encoding": accepted })
            assert.strictEqual(other.headers["content-encoding"], encoding, `${path} ${accepted}`)
            assert.strictEqual(other.headers["vary"], headers["vary"])
            assert.strictEqual(other.headers["content-type"], headers["content-type"])
            assert.strictEqual(other.headers["content-length"], String(other.body.length))
            const decode =
              encoding === "br" ? brotliDecompressSync : encoding === "gzip" ? gunzipSync : (bytes: Buffer) => bytes
            assert.isTrue(decode(other.body).equals(body), `${path} ${accepted}`)
            const head = yield* get(path, { "accept-encoding": accepted }, "HEAD")
            assert.deepStrictEqual([head.status, head.body.length], [200, 0])
            assert.strictEqual(head.headers["content-length"], other.headers["content-length"])
          }
        }
      })
    )

    it.effect("answers 304 without a body to a client that already has it, in any encoding", () =>
      Effect.gen(function* () {
        for (const path of paths) {
          const { headers } = yield* get(path, { "accept-encoding": "br" })
          const tag = String(headers["etag"])
          assert.match(tag, /^W\/"[\w-]{43}"$/)
          for (const known of [tag, tag.slice(2), `"other", ${tag}`, "*"]) {
            const again = yield* get(path, { "if-none-match": known, "accept-encoding": "gzip" })
            assert.deepStrictEqual([again.status, again.body.length], [304, 0], known)
            assert.deepStrictEqual(
              [again.headers["etag"], again.headers["vary"], again.headers["cache-control"]],
              [tag, varyOf(headers), cacheControlOf(path)]
            )
          }
          assert.strictEqual((yield* get(path, { "if-none-match": 'W/"other"' })).status, 200)
        }
      })
    )

    it.effect("may be cached, unlike any other response", () =>
      Effect.gen(function* () {
        for (const path of paths) {
          assert.strictEqual((yield* get(path)).headers["cache-control"], cacheControlOf(path))
        }
        for (const path of [
          "/confirm/unknown",
          "/unsubscribe/unknown",
          "/credits",
          "/livez",
          "/nope",
          asset.replace("calculator-", "calculator-0"),
          "/assets/assets.json",
          "/api/v1/usage",
          "/api/v1/credit-packs"
        ]) {
          const { headers } = yield* get(path, { "accept-encoding": "br", "if-none-match": "*" })
          assert.strictEqual(headers["cache-control"], "no-store", path)
          assert.isUndefined(headers["content-encoding"], path)
        }
      })
    )
  })
})
