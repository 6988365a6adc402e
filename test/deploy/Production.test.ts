import { spawnSync } from "node:child_process"
import { chmodSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { basename, dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import { debianProgram } from "../support/DebianProgram.ts"
import { freePort } from "../support/freePort.ts"
import { end, type Running, startCommand, stop, until, untilFound, untilPrinted } from "../support/Process.ts"
import { python } from "../support/Python.ts"
import { getFrom, jsonOf, ServiceResponse } from "../support/Requests.ts"
import { sample } from "../support/Samples.ts"
import { listen, pause } from "../support/Sockets.ts"
import { slowly } from "../support/slowly.ts"
import { linkOf, smtpServer } from "../support/Smtp.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const shipped = `${root}deploy/systemd`
const page = readFileSync(`${root}docs/production.md`, "utf8")

/** A file of the machine in the page, with its folders moved below another one. */
const placed = (file: string, directory: string) =>
  readFileSync(`${shipped}/${file}`, "utf8")
    .replaceAll(/\/(?:opt|etc|var)(?=\/)/g, (folder) => `${directory}${folder}`)
    .replaceAll("/usr/local/bin/", `${directory}/usr/local/bin/`)

/** The folder of the program, which all machines share. */
class Program extends Context.Service<Program, string>()("test/Production/Program") {
  static readonly layer = Layer.effect(
    Program,
    Effect.gen(function* () {
      const program = `${yield* temporaryDirectory}/1.0.0`
      const made = yield* startCommand(process.execPath, ["scripts/runtime.mjs", program], root, {})
      assert.strictEqual((yield* end(made)).code, 0)
      return program
    })
  )
}

/** A machine installed as in the page, in a folder in place of its root. */
const machine = Effect.fnUntraced(function* (settings: ReadonlyArray<string>, mailUrl: string) {
  const directory = yield* temporaryDirectory
  for (const folder of [
    "opt/node/bin",
    "opt/outreach-forecast",
    "etc/outreach-forecast/credentials",
    "var/lib/outreach-forecast",
    "var/backups/outreach-forecast",
    "usr/local/bin"
  ]) {
    mkdirSync(`${directory}/${folder}`, { recursive: true })
  }
  symlinkSync(process.execPath, `${directory}/opt/node/bin/node`)
  symlinkSync(yield* Program, `${directory}/opt/outreach-forecast/current`)
  const environment = [placed("environment", directory), ...settings].join("\n")
  writeFileSync(`${directory}/etc/outreach-forecast/environment`, `${environment}\n`)
  // Some editors leave a copy of what was there before.
  for (const [name, url] of Object.entries({ MAIL_URL: mailUrl, "MAIL_URL~": "smtp://127.0.0.1:1" })) {
    writeFileSync(`${directory}/etc/outreach-forecast/credentials/${name}`, `${url}\n`)
  }
  const command = `${directory}/usr/local/bin/outreach-forecast`
  // The user does not exist on this machine.
  writeFileSync(command, placed("outreach-forecast", directory).replace(/exec setpriv.*--init-groups/, "exec"))
  chmodSync(command, 0o755)
  const start = (...args: ReadonlyArray<string>) => startCommand("sh", [command, ...args], directory, {})
  return {
    directory,
    start,
    run: (...args: ReadonlyArray<string>) => Effect.scoped(Effect.flatMap(start(...args), end)),
    /** Runs the program of a unit, with nothing but the settings that the unit gives it. */
    runUnit: (name: string) => {
      const [, program = ""] = /^ExecStart=(.+)$/m.exec(placed(`${name}.service`, directory)) ?? []
      const line = `set -a; . ${directory}/etc/outreach-forecast/environment; exec ${program.replaceAll("%%", "%")}`
      const env = { PATH: `${directory}/opt/node/bin:/usr/bin:/bin`, NODE_ENV: "production" }
      return Effect.scoped(Effect.flatMap(startCommand("sh", ["-c", line], directory, env), end))
    }
  }
})

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0
if (!hasSystemd) process.stderr.write("\nThe units are not verified: there is no systemd-analyze.\n\n")

const caddy = debianProgram("caddy")

/** The version of a Caddy; undefined if there is no such program. */
const versionOf = (program: string) =>
  /\d+\.\d+/.exec(spawnSync(program, ["version"], { encoding: "utf8" }).stdout)?.[0]

/**
 * Caddy with the page's Caddyfile in front of the service, or of two processes of it; without Caddy on this machine, the
 * service itself.
 */
const proxyOf = Effect.fnUntraced(function* (port: number, program: string | undefined = caddy, second?: number) {
  if (program === undefined) return { url: `http://127.0.0.1:${port}`, log: () => "" }
  const directory = yield* temporaryDirectory
  const url = `http://127.0.0.1:${yield* Effect.promise(freePort)}`
  const [, options = assert.fail("no Caddyfile")] = /```text\n(\{[^]*?)```/.exec(page) ?? []
  const [newer, older] = [...page.matchAll(/```text\n(forecast\.example \{[^]*?)```/g)].map(([, site = ""]) => site)
  const [, several = assert.fail("no lines")] = /```text\n(\treverse_proxy [^]*?)```/.exec(page) ?? []
  const site = (versionOf(program) === "2.6" ? older : newer) ?? assert.fail("no site")
  const config = `${options}${site}`
    .replace("forecast.example", url)
    .replace("\treverse_proxy 127.0.0.1:3001 {\n", (one) => (second === undefined ? one : several))
    .replace("127.0.0.1:3001", `127.0.0.1:${port}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${second}`)
  writeFileSync(`${directory}/Caddyfile`, config.replace("{", "{\n\tadmin off"))
  const args = ["run", "--adapter", "caddyfile", "--config", "Caddyfile"]
  const running = yield* startCommand(program, args, directory, { HOME: directory })
  yield* untilPrinted(running, "serving initial configuration")
  return { url, log: running.stderr }
})

const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

const listens = (server: Running) => untilPrinted(server, '"message":"listening"')

layer(Program.layer, { excludeTestServices: true })((it) => {
  describe("the systemd units", slowly, () => {
    it.effect.skipIf(!hasSystemd)(
      "are valid according to systemd-analyze, and start programs that the page installs",
      () =>
        Effect.gen(function* () {
          const { directory } = yield* machine([], "smtp://127.0.0.1:1")
          const units = globSync(`${shipped}/*.{service,timer}`).map((file) => basename(file))
          assert.lengthOf(units, 3)
          for (const unit of units) writeFileSync(`${directory}/${unit}`, placed(unit, directory))
          const verify = (...files: ReadonlyArray<string>) =>
            spawnSync("systemd-analyze", ["verify", "--man=no", ...files], { cwd: directory, encoding: "utf8" })
          const { status, stderr } = verify(...units.map((unit) => `./${unit}`))
          assert.deepStrictEqual(
            [status, stderr.split("\n").filter((line) => line.includes("outreach-forecast"))],
            [0, []]
          )
          // It would report an unknown setting.
          writeFileSync(
            `${directory}/wrong@.service`,
            placed("outreach-forecast@.service", directory).replace("RestartSec", "Restarts")
          )
          assert.include(verify("./wrong@.service").stderr, "'Restarts'")
        })
    )

    it.effect.skipIf(!hasSystemd)("run confined, by the measure of systemd-analyze, and not as root", () =>
      Effect.gen(function* () {
        const { directory } = yield* machine([], "smtp://127.0.0.1:1")
        for (const [unit, exposure] of [
          ["outreach-forecast@.service", 1.5],
          ["outreach-forecast-backup.service", 1]
        ] as const) {
          writeFileSync(`${directory}/${unit}`, placed(unit, directory))
          assert.match(placed(unit, directory), /^User=outreach-forecast$/m)
          const args = ["security", "--offline=true", "--no-pager", `--threshold=${exposure * 10}`, `./${unit}`]
          const { status, stdout } = spawnSync("systemd-analyze", args, { cwd: directory, encoding: "utf8" })
          assert.strictEqual(status, 0, stdout)
        }
      })
    )

    it("start the service again however it ended, even by a signal that systemd takes for no failure", () => {
      assert.match(readFileSync(`${shipped}/outreach-forecast@.service`, "utf8"), /^Restart=always$/m)
    })

    it("give each process ports of its own, which a setting for all of them would replace", () => {
      assert.match(readFileSync(`${shipped}/outreach-forecast@.service`, "utf8"), / PORT=300%i ADMIN_PORT=946%i$/m)
      assert.notMatch(readFileSync(`${shipped}/environment`, "utf8"), /PORT=/)
    })

    it("are each installed by docs/production.md", () => {
      for (const file of globSync(`${shipped}/*`)) {
        const name = basename(file).replace(/.*(\.(?:service|timer))$/, "outreach-forecast*$1")
        assert.match(page, new RegExp(`^install -m \\d+ .*${name.replaceAll("*", "\\*")}`, "m"))
      }
    })
  })

  describe("the Caddyfile", slowly, () => {
    for (const program of [caddy ?? "caddy", `${dirname(python)}/caddy`]) {
      const version = versionOf(program)
      it.effect.skipIf(version === undefined)(
        `gives no request the answer of another after the service was away, with Caddy ${version ?? ""}`,
        () =>
          Effect.gen(function* () {
            const port = yield* Effect.promise(freePort)
            const { url } = yield* proxyOf(port, program)
            const bodies = Array.from({ length: 40 }, (_, i) => String(100 + i))
            const send = () =>
              Promise.all(bodies.map((body) => fetch(url, { method: "POST", body }).then((answer) => answer.text())))
            const early = send()
            // Each of them has been tried several times.
            yield* pause(600)
            const echo = createServer((request, response) => request.pipe(response))
            yield* listen(echo, port)
            // Caddy 2.6 answers 502 to a request with a body that it could not send at once.
            const answered = yield* Effect.promise(() => early)
            const expected = bodies.map((body, i) => (version === "2.6" && answered[i] === "" ? "" : body))
            assert.deepStrictEqual(answered, expected)
            assert.deepStrictEqual(yield* Effect.promise(send), bodies)
          })
      )

      it.effect.skipIf(version === undefined)(
        `sends each request to one of two processes that is ready, and no POST twice, with Caddy ${version ?? ""}`,
        () =>
          Effect.gen(function* () {
            const sent: Array<string> = []
            /** A process that answers with its name, or loses its response. */
            const process = (name: string, isReady: () => boolean) =>
              createServer((request, response) => {
                if (request.url === "/readyz") return void response.writeHead(isReady() ? 200 : 503).end()
                sent.push(`${request.method} ${name}`)
                if (request.url === "/lost") request.socket.destroy()
                else response.end(name)
              })
            let isReady = true
            const ports = yield* Effect.forEach(
              [process("first", () => isReady), process("second", () => true)],
              (each) => Effect.map(listen(each), (url) => Number(new URL(url).port))
            )
            const { url } = yield* proxyOf(ports[0] ?? 0, program, ports[1])
            const names = Effect.promise(() =>
              Promise.all(Array.from({ length: 20 }, () => post(url, {}).then((answer) => answer.text())))
            )
            yield* untilFound(names, (found) => new Set(found).size === 2 && !found.includes(""))
            isReady = false
            yield* untilFound(names, (found) => found.every((name) => name === "second"))
            sent.length = 0
            const lost = yield* Effect.promise(() => post(`${url}/lost`, {}))
            assert.strictEqual(lost.status, 502)
            assert.deepStrictEqual(sent, ["POST second"])
          })
      )

      it.effect.skipIf(version === undefined)(
        `logs neither links nor keys when a response is lost, with Caddy ${version ?? ""}`,
        () =>
          Effect.gen(function* () {
            const lost = yield* listen(createServer(({ socket }) => socket.destroy()))
            const { log, url } = yield* proxyOf(Number(new URL(lost).port), program)
            const response = yield* Effect.promise(() => post(`${url}/confirm/canary`, {}, { "x-api-key": "canary" }))
            assert.strictEqual(response.status, 502)
            yield* until(() => log().includes('"status":502'))
            assert.notInclude(log(), "canary")
          })
      )
    }
  })

  describe("a day in production", slowly, () => {
    it.effect("survives a restart and a restored backup, from the first key by email to a customer who asks why", () =>
      Effect.gen(function* () {
        const smtp = yield* smtpServer
        const port = yield* Effect.promise(freePort)
        const settings = [`PORT=${port}`, "ADMIN_PORT=0"]
        const home = yield* machine(settings, smtp.url)
        const checked = yield* home.run("config", "check")
        assert.strictEqual(checked.code, 0, checked.stderr)
        assert.match(
          checked.stdout,
          /^mail +sent by the server in MAIL_URL, from Outreach Forecast <no-reply@forecast\.example>$/m
        )
        let server = yield* home.start("serve")
        yield* listens(server)
        const { url } = yield* proxyOf(port)
        const responses = Effect.promise(() =>
          fetch(`${url}/readyz`).then(
            ({ status }) => status,
            () => 0
          )
        )
        yield* untilFound(responses, (status) => status === 200)

        // The first key, by email.
        const owner = { name: "Ada", email: "ada@example.com", company: "Example" }
        yield* Effect.promise(() => post(`${url}/api/v1/access-requests`, owner))
        yield* until(() => smtp.messages.length === 1)
        const link = linkOf(smtp.messages[0] ?? "")
        assert.match(link, /^https:\/\/forecast\.example\/confirm\//)
        const confirmed = yield* Effect.promise(() =>
          post(`${url}/api/v1/access-requests/confirm`, { token: link.split("/").at(-1) })
        )
        const key = String(
          new ServiceResponse(200, new Headers(), yield* Effect.promise(() => confirmed.text())).json["api_key"]
        )
        assert.match(key, /^ofk_live_/)

        // A restart under load: a request without a response is retried with its Idempotency-Key.
        let sent = 0
        const most = 90
        const caller = async () => {
          while (sent < most) {
            const headers = { "x-api-key": key, "idempotency-key": `forecast-${sent++}` }
            const body = { ...sample, emails_sent: sent * 100, reply_rate: 5 }
            for (;;) {
              const { json, status } = await post(`${url}/api/v1/forecast`, body, headers)
                .then(async (response) => ({
                  status: response.status,
                  json: jsonOf((await response.text()) || "{}")
                }))
                .catch(() => ({ status: 0, json: jsonOf("{}") }))
              if (status === 200) {
                assert.strictEqual(json["estimated_replies"], body.emails_sent / 20)
                break
              }
              assert.include([0, 502, 503], status)
              await new Promise((resolve) => setTimeout(resolve, 100))
            }
            await new Promise((resolve) => setTimeout(resolve, 50))
          }
        }
        const load = Promise.all([caller(), caller(), caller()])
        yield* until(() => sent > 30)
        assert.strictEqual((yield* stop(server, "SIGTERM")).code, 0)
        server = yield* home.start("serve")
        yield* listens(server)
        yield* Effect.promise(() => load)

        // A backup while it runs, restored on another machine.
        const backup = yield* home.runUnit("outreach-forecast-backup")
        assert.strictEqual(backup.code, 0, backup.stderr)
        const backups = globSync(`${home.directory}/var/backups/outreach-forecast/20*Z.db`)
        assert.lengthOf(backups, 1)
        const otherPort = yield* Effect.promise(freePort)
        const elsewhere = yield* machine([`PORT=${otherPort}`, "ADMIN_PORT=0"], smtp.url)
        const restored = yield* elsewhere.run("database", "restore", ...backups)
        assert.strictEqual(restored.code, 0, restored.stderr)
        assert.match(restored.stdout, /^faults +0$/m)
        const copy = yield* elsewhere.start("serve")
        yield* listens(copy)
        const usage = yield* getFrom(`http://127.0.0.1:${otherPort}`, "/api/v1/usage", { "x-api-key": key })
        assert.include(usage.json, { credits_granted: 100, credits_remaining: 10 })
        yield* stop(copy, "SIGKILL")

        // The customer uses up the rest, and asks why.
        for (let i = 0; i < 15; i++) {
          const { status } = yield* Effect.promise(() => post(`${url}/api/v1/forecast`, sample, { "x-api-key": key }))
          assert.strictEqual(status, i < 10 ? 200 : 429)
        }
        // The counts of the last minute are written on exit.
        yield* stop(server, "SIGTERM")
        const why = yield* home.run("why", owner.email)
        assert.strictEqual(why.code, 0, why.stderr)
        assert.match(why.stdout, /^credits +0 of 100 left: forecasts get usage_exhausted until it gets more$/m)
        assert.match(why.stdout, /^\d{4}-\d\d-\d\d +usage_exhausted +5 /m)
        assert.match(why.stdout, /^email +\S+\nstate +sent$/m)
        assert.notInclude(why.stdout, key)
      })
    )
  })
})
