import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { parse } from "yaml"
import packageJson from "../package.json" with { type: "json" }
import { external } from "../scripts/external.mjs"
import { asServed } from "../src/site/Guide.ts"
import { temporaryDirectory } from "./support/Application.ts"
import { runHere } from "./support/CommandLine.ts"
import { lacksTemporaryPrograms } from "./support/Machine.ts"
import { openFolder } from "./support/OpenFolder.ts"
import { type Running, startCommand, stop, until } from "./support/Process.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, "utf8")

/** The instructions of the Dockerfile, one per line; those of its last stage make the image. */
const instructions = read("Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
const image = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")))
const instruction = (name: string) => image.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? ""
const words = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))

const entrypoint = words(instruction("ENTRYPOINT"))
const serve = words(instruction("CMD"))
const healthCheck = words(instruction("HEALTHCHECK").replace(/^.*?CMD /, ""))
const imageVariables = Object.fromEntries(
  instruction("ENV")
    .split(" ")
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])
)

const end = ({ exit, stdout, stderr }: Running) =>
  Effect.map(
    Effect.promise(() => exit),
    (code) => ({ code, stdout: stdout(), stderr: stderr() })
  )

/** A folder with the files that the Dockerfile copies into the build stage, all from the build context. */
const buildContext = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const context = read(".dockerignore").split("\n")
  const left = new Set(context.filter((line) => /^[^*!]/.test(line)).map((line) => root + line))
  for (const [, names = "", target = ""] of instructions.join("\n").matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)) {
    for (const name of names.split(" ")) {
      assert.include(context, `!${name}`)
      for (const file of globSync(name, { cwd: root })) {
        const to = `${directory}/${target}${target.endsWith("/") ? basename(file) : ""}`
        cpSync(root + file, to, { recursive: true, filter: (path) => !left.has(path) })
      }
    }
  }
  symlinkSync(`${root}node_modules`, `${directory}/node_modules`)
  return directory
})

/** Runs a command in a folder, which must succeed without output. */
const runWell = Effect.fnUntraced(function* (directory: string, command: string) {
  const running = yield* startCommand("sh", ["-c", command], directory, { PATH: process.env["PATH"] ?? "" })
  assert.deepStrictEqual(yield* end(running), { code: 0, stdout: "", stderr: "" })
})

/**
 * The build context of a checkout that only its owner can read, built with changed sources while an older build serves
 * at the address `old`, which showed a page before that.
 */
class Built extends Context.Service<
  Built,
  { readonly directory: string; readonly old: string; readonly page: string }
>()("test/Deployment/Built") {
  static readonly layer = Layer.effect(
    Built,
    Effect.gen(function* () {
      const directory = yield* buildContext
      cpSync(`${root}dist`, `${directory}/dist`, { recursive: true })
      const program = `${directory}/dist/main.js`
      const server = yield* startCommand(process.execPath, [program, "serve"], yield* temporaryDirectory, { PORT: "0" })
      yield* until(() => server.stderr().includes('"listening"') || server.process.exitCode !== null)
      const old = /"url":"(http:\/\/[^"]+)"/.exec(server.stderr())?.[1] ?? assert.fail(server.stderr())
      const page = yield* Effect.promise(() => fetch(old).then((response) => response.text()))
      for (const file of ["src/mcp/McpMessage.ts", "src/main.ts", "src/site/browser/page.ts"]) {
        writeFileSync(`${directory}/${file}`, `${read(file)}\nglobalThis.console.debug("another build")\n`)
      }
      yield* runWell(directory, "umask 077 && chmod -R go-rwx [!n]* && node scripts/build.mjs")
      return { directory, old, page }
    })
  )
}

/**
 * The folders of the image, made like in the Dockerfile, in a temporary folder that stands for its root; and what
 * starts a command there, as a user who owns nothing but `data`.
 */
const makeImage = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => openFolder("image-")),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )
  yield* runWell((yield* Built).directory, `umask 077 && node scripts/runtime.mjs ${directory}/app`)
  mkdirSync(`${directory}/bin`)
  copyFileSync(process.execPath, `${directory}/bin/node`)
  // It has the mode with which this checkout was installed; the base image's Node is readable by everybody.
  chmodSync(`${directory}/bin/node`, 0o755)
  symlinkSync("../app/dist/main.js", `${directory}/bin/outreach-forecast`)
  mkdirSync(`${directory}/data`, 0o700)
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(`${directory}/data`, 65_534, 65_534)
  const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {}
  const start = (command: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}, folder = "") => {
    const [first = "", ...args] = command
    const env = {
      ...imageVariables,
      PATH: `${directory}/bin:${process.env["PATH"] ?? ""}`,
      HOST: "127.0.0.1",
      PUBLIC_URL: "https://forecast.example",
      ...variables
    }
    return startCommand(first, args, `${directory}${folder}`, env, "", nobody)
  }
  return { directory, start }
})

class Image extends Context.Service<Image, Effect.Success<typeof makeImage>>()("test/Deployment/Image") {
  static readonly layer = Layer.effect(Image, makeImage).pipe(Layer.provideMerge(Built.layer))
}

describe("Dockerfile", () => {
  it("has the Node that the tests run on", () => {
    const versions = instructions.flatMap((line) => /^FROM node:(\d+\.\d+\.\d+)-/.exec(line)?.[1] ?? [])
    assert.deepStrictEqual(versions, [packageJson.dependencies.node, packageJson.dependencies.node])
  })
})

layer(Image.layer, { excludeTestServices: true })("what the Dockerfile builds", (it) => {
  it.effect("is the program from the files that it copies, all of which the build context has", () =>
    Effect.gen(function* () {
      const { directory } = yield* Built
      // The name of a file that is loaded later contains a hash of its content or path, like its folder.
      const files = (folder: string) =>
        readFileSync(`${folder}/dist/.build`, "utf8")
          .split("\n")
          .slice(1)
          .map((file) => file.replace(/^[0-9a-f]{16}\//, "").replace(/^(\w+)-.{8}\.js$|-[0-9a-f]{16}(?=\.)/, "$1"))
      assert.sameMembers(files(directory), files(root.slice(0, -1)))
    })
  )

  it.effect("is an image that every user can read, from a checkout that only its owner can read", () =>
    Effect.gen(function* () {
      const image = `${(yield* Image).directory}/app`
      const modes = readdirSync(image, { recursive: true, encoding: "utf8" }).map((path) =>
        (statSync(`${image}/${path}`).mode & 0o777).toString(8)
      )
      assert.deepStrictEqual(new Set(modes), new Set(["644", "755"]))
      assert.strictEqual(statSync(image).mode & 0o777, 0o755)
      assert.strictEqual(statSync(`${image}/dist/main.js`).mode & 0o777, 0o755)
    })
  )

  const serves = "is an image that serves as an unprivileged user, reports its health, and exits on SIGTERM"
  it.effect.skipIf(lacksTemporaryPrograms())(serves, () =>
    Effect.gen(function* () {
      const { directory, start } = yield* Image
      const server = yield* start([...entrypoint, ...serve], { PORT: "0", ADMIN_PORT: "0" })
      yield* until(() => server.stderr().includes('"listening"') || server.process.exitCode !== null)
      const port = /"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(server.stderr())?.[1] ?? ""
      assert.notStrictEqual(port, "", server.stderr())
      const alive = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/livez`))
      assert.strictEqual(alive.status, 200)
      const guide = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/docs/errors.md`))
      const address = { hasDemoKey: false, baseUrl: "https://forecast.example" }
      assert.strictEqual(yield* Effect.promise(() => guide.text()), asServed(read("docs/errors.md"), address))
      const demo = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${port}/api/v1/usage`, { headers: { "x-api-key": "demo" } })
      )
      assert.strictEqual(demo.status, 401, "the image has a demo key that everybody knows")
      const admin = /"admin_url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(server.stderr())?.[1] ?? ""
      const check = Effect.flatMap(start(healthCheck, { PORT: port }), end)
      const adminCheck = Effect.flatMap(start(healthCheck, { PORT: "1", ADMIN_PORT: admin }), end)
      assert.deepStrictEqual(yield* check, { code: 0, stdout: "", stderr: "" })
      assert.deepStrictEqual(yield* adminCheck, { code: 0, stdout: "", stderr: "" })
      const listed = yield* Effect.flatMap(start([...entrypoint, "keys", "list"]), end)
      assert.strictEqual(listed.code, 0, listed.stderr)
      assert.include(readdirSync(`${directory}/data`), "outreach-forecast.db")
      assert.strictEqual((yield* stop(server, "SIGTERM")).code, 0)
      assert.strictEqual((yield* check).code, 1)
      assert.strictEqual((yield* adminCheck).code, 1)
    })
  )

  it.effect("is an image with exactly the packages that the program loads", () =>
    Effect.gen(function* () {
      const { directory, start } = yield* Image
      assert.includeMembers(readdirSync(`${directory}/app/node_modules`), external)
      assert.notInclude(readdirSync(`${directory}/app/node_modules`), "effect")
      for (const name of external) {
        const loaded = yield* start(["node", "--input-type=module", "--eval", `import "${name}"`], {}, "/app")
        assert.deepStrictEqual(yield* end(loaded), { code: 0, stdout: "", stderr: "" })
      }
    })
  )

  it.effect("is built while a service runs: files that the service loads later are still there", () =>
    Effect.gen(function* () {
      const { directory, old, page } = yield* Built
      const [script = ""] = /\/assets\/page-\w+\.js/.exec(page) ?? []
      assert.strictEqual((yield* Effect.promise(() => fetch(old + script))).status, 200)
      const response = yield* Effect.promise(() =>
        fetch(`${old}/mcp`, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} })
        })
      )
      assert.include(yield* Effect.promise(() => response.text()), "reach_goal")
      const next = yield* startCommand(process.execPath, [`${directory}/dist/main.js`, "--version"], directory, {})
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
const composeText = read("compose.yaml")
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
        assert.strictEqual(database, "postgres://outreach_forecast:c0ffee@postgres:5432/outreach_forecast")
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
  const caddyfile = read("Caddyfile")

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
