import { hash } from "node:crypto"
import { assert, describe, it, layer } from "@effect/vitest"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Context, Effect, Layer } from "effect"
import { HttpPlatform, HttpRouter } from "effect/http"
import packageJson from "../../../package.json" with { type: "json" }
import { packClient, readClients } from "../../../src/extensions/guide/ClientPackages.ts"
import { PublicUrl } from "../../../src/http/RequestState.ts"
import { makeLayer } from "../../../src/extensions/guide/ClientPackagesHttp.ts"
import { settings } from "../../support/Application.ts"
import { baseUrl, httpApplication, send } from "../../support/Http.ts"

const address = { baseUrl: "https://forecast.example/behind/proxy", hasDemoKey: true }

/** The package with this name, for a service at that address. */
const packed = Effect.fnUntraced(function* (file: string) {
  const client = (yield* readClients).find(({ name }) => name === file) ?? assert.fail(`There is no ${file}`)
  return Buffer.from(yield* packClient(client, address))
})

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
  layer(httpApplication({ env: { PUBLIC_URL: address.baseUrl } }))((it) => {
    it.effect("lists the package of each language with its size, its hash and the command that installs it", () =>
      Effect.gen(function* () {
        assert.sameMembers(
          (yield* readClients).map(({ name }) => name),
          files
        )
        const { headers, status, text } = yield* send("/clients/")
        assert.strictEqual(status, 200)
        assert.match(headers.get("content-type") ?? "", /^text\/html/)
        for (const file of files) {
          const bytes = yield* packed(file)
          const tool = file.endsWith(".whl") ? "pip" : "npm"
          assert.include(text, `>${tool} install ${address.baseUrl}/clients/${file}</code>`)
          assert.include(text, `<a href="${file}">${file}</a>`)
          assert.include(text, `${Math.ceil(bytes.length / 1000)} kB`)
          assert.include(text, hash("sha256", bytes))
        }
      })
    )

    it.effect("serves the packages with its address, without further compression", () =>
      Effect.gen(function* () {
        for (const file of files) {
          const { bytes, response } = yield* download(file)
          assert.strictEqual(response.status, 200)
          assert.strictEqual(response.headers.get("content-type"), "application/octet-stream")
          assert.isNull(response.headers.get("content-encoding"))
          assert.isTrue(bytes.equals(yield* packed(file)))
          assert.isBelow(bytes.length, 60_000)
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

describe("/clients/ of a second release", () => {
  it.effect("serves the packages of the first, and lists its own", () =>
    Effect.gen(function* () {
      const clients = yield* readClients
      const earlier = clients.map((client) => ({
        ...client,
        version: "0.9.0",
        name: client.name.replace(version, "0.9.0")
      }))
      const routes = makeLayer(Effect.succeed([...earlier, ...clients])).pipe(
        Layer.provide([settings(), Layer.succeed(PublicUrl, address.baseUrl), HttpPlatform.layer]),
        Layer.provide(NodeFileSystem.layer)
      )
      const { dispose, handler } = HttpRouter.toWebHandler(routes, { disableLogger: true })
      const get = (path: string) =>
        Effect.promise(() => handler(new Request(`http://localhost${path}`), Context.empty()))
      const page = yield* Effect.flatMap(get("/clients/"), (response) => Effect.promise(() => response.text()))
      for (const client of clients) assert.include(page, `>${client.name}</a>`)
      assert.notInclude(page, "0.9.0")
      for (const client of earlier) assert.strictEqual((yield* get(`/clients/${client.name}`)).status, 200)
      yield* Effect.promise(dispose)
    })
  )
})
