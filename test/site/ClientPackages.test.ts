import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import { baseUrl, httpApplication, send } from "../support/Http.ts"

const folder = fileURLToPath(new URL("../../dist/clients/", import.meta.url))
const { version } = packageJson
const files = [`outreach-forecast-${version}.tgz`, `outreach_forecast-${version}-py3-none-any.whl`]

const download = Effect.fnUntraced(function* (file: string, method: "GET" | "HEAD" = "GET") {
  const base = yield* baseUrl
  return yield* Effect.promise(async () => {
    const response = await fetch(`${base}/clients/${file}`, { method, headers: { "accept-encoding": "gzip, br" } })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  })
})

describe("/clients/", () => {
  layer(httpApplication({ env: { PUBLIC_URL: "https://forecast.example/behind/proxy" } }))((it) => {
    it.effect("lists the package of each language with its size, its hash and the command that installs it", () =>
      Effect.gen(function* () {
        assert.sameMembers(readdirSync(folder), files)
        const { headers, status, text } = yield* send("/clients/")
        assert.strictEqual(status, 200)
        assert.match(headers.get("content-type") ?? "", /^text\/html/)
        for (const file of files) {
          const bytes = readFileSync(folder + file)
          const tool = file.endsWith(".whl") ? "pip" : "npm"
          assert.include(text, `>${tool} install https://forecast.example/behind/proxy/clients/${file}</code>`)
          assert.include(text, `<a href="${file}">${file}</a>`)
          assert.include(text, `${Math.ceil(bytes.length / 1000)} kB`)
          assert.include(text, hash("sha256", bytes))
        }
      })
    )

    it.effect("serves the files as they were built, without further compression", () =>
      Effect.gen(function* () {
        for (const file of files) {
          const { bytes, response } = yield* download(file)
          assert.strictEqual(response.status, 200)
          assert.strictEqual(response.headers.get("content-type"), "application/octet-stream")
          assert.isNull(response.headers.get("content-encoding"))
          assert.isTrue(bytes.equals(readFileSync(folder + file)))
          const head = yield* download(file, "HEAD")
          assert.strictEqual(head.response.headers.get("content-length"), String(bytes.length))
        }
      })
    )

    it.effect("serves nothing else, in particular no other version", () =>
      Effect.gen(function* () {
        for (const path of [
          "/clients",
          "/clients//",
          "/clients/outreach-forecast-0.9.0.tgz",
          "/clients/package.json"
        ]) {
          assert.strictEqual((yield* send(path)).problem.code, "not_found", path)
        }
        const posted = yield* send("/clients/", { method: "POST" })
        assert.strictEqual(posted.problem.code, "method_not_allowed")
      })
    )
  })
})
