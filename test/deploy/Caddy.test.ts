import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import { debianProgram } from "../support/DebianProgram.ts"
import { freePort } from "../support/freePort.ts"
import { serveHere } from "../support/Http.ts"
import { ledgerFaults } from "../support/Instances.ts"
import { serve, startCommand, stop, until, untilFound, untilPrinted } from "../support/Process.ts"
import { python } from "../support/Python.ts"
import { ServiceResponse, sendTo } from "../support/Requests.ts"
import { sample } from "../support/Samples.ts"
import { listen, openClient } from "../support/Sockets.ts"
import { slowly } from "../support/slowly.ts"

interface Caddy {
  readonly program: string
  readonly version: string
}

/** A Caddy and its version; none if there is no such program. */
const caddyOf = (program: string | undefined): ReadonlyArray<Caddy> => {
  if (program === undefined) return []
  const { error, stdout } = spawnSync(program, ["version"], { encoding: "utf8" })
  return error === undefined ? [{ program, version: /\d+\.\d+/.exec(stdout)?.[0] ?? "" }] : []
}

/** Debian's Caddy, or the one of this machine, and the newer one that compose.yaml runs. */
const caddies: ReadonlyArray<Caddy> = [...caddyOf(debianProgram("caddy")), ...caddyOf(`${dirname(python)}/caddy`)]
const [caddy] = caddies
const caddyfile = readFileSync(fileURLToPath(new URL("../../deploy/Caddyfile", import.meta.url)), "utf8")

/** Caddy with the Caddyfile of this repository, in front of instances on these ports. */
const balancer = Effect.fnUntraced(function* (
  ports: ReadonlyArray<number>,
  patience = "5s",
  of: Caddy | undefined = caddy
) {
  const directory = yield* temporaryDirectory
  const url = `http://127.0.0.1:${yield* Effect.promise(freePort)}`
  const upstreams = ports.map((port) => `127.0.0.1:${port}`).join(" ")
  // Caddy's admin endpoint has a fixed port.
  const config = caddyfile
    .replace(/forecast-1:3000.*(?= \{)/, upstreams)
    .replace(/^\{$/m, "{\n\tadmin off")
    .replace(/lb_try_duration \d+s/, `lb_try_duration ${patience}`)
    .replace(/health_timeout \d+s/, `health_timeout ${patience}`)
  writeFileSync(`${directory}/Caddyfile`, config)
  const args = ["run", "--adapter", "caddyfile", "--config", "Caddyfile"]
  const env = { HOME: directory, PUBLIC_URL: url, ...(of?.version === "2.6" && { CADDY_BUFFERS: "buffers_2_6" }) }
  const running = yield* startCommand(of?.program ?? "", args, directory, env)
  void running.exit.then((code) => code !== "SIGKILL" && process.stderr.write(running.stderr()))
  return { url, stderr: running.stderr }
})

const isReady = (url: string) =>
  untilFound(
    Effect.promise(() =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status === 200,
        () => false
      )
    ),
    Boolean
  )

// They mostly wait for probes and for servers to stop, each with its own.
describe.skipIf(caddy === undefined).concurrent("Caddyfile", slowly, () => {
  for (const { program, version } of caddies) {
    it.live(`keeps slow clients from the service, with Caddy ${version}`, () =>
      Effect.gen(function* () {
        const requests: Array<string> = []
        const large = Buffer.alloc(6_000_000)
        let sent = 0
        const instance = createServer((request, response) => {
          if (request.url === "/readyz") return void response.end()
          requests.push(request.url ?? "")
          request.resume().on("end", () => response.end(large))
          response.on("finish", () => sent++)
        })
        const { port } = new URL(yield* listen(instance))
        const { url } = yield* balancer([Number(port)], "5s", { program, version })
        yield* isReady(url)
        const caddyPort = Number(new URL(url).port)
        const head = "POST /half HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000\r\n"
        const halfHead = yield* openClient(caddyPort, head)
        if (version !== "2.6") yield* openClient(caddyPort, `${head}\r\n{`)
        const unread = `POST /unread HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}`
        yield* Effect.replicateEffect(openClient(caddyPort, unread, { reads: false }), 5)
        yield* until(() => sent === 5)
        yield* until(halfHead.isClosed)
        assert.deepStrictEqual(new Set(requests), new Set(["/unread"]))
      })
    )
  }

  it.live("lets two instances be restarted one after another under load without any caller noticing", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const database = `${directory}/data/outreach-forecast.db`
      const [first, second] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
      const start = (port: number) =>
        serve(directory, {
          PORT: String(port),
          DEMO_CREDITS: "1000000",
          TRUSTED_PROXIES: "127.0.0.1",
          DRAIN_SECONDS: "5"
        })
      let [a, b] = [yield* start(first), yield* start(second)]
      // If other tests use the whole machine, a ready instance may answer its probes late.
      const { url } = yield* balancer([first, second], "600s")
      yield* isReady(url)

      const answers: Array<ServiceResponse> = []
      const over = new AbortController()
      const caller = async () => {
        while (!over.signal.aborted) {
          const response = await fetch(`${url}/api/v1/forecast`, {
            method: "POST",
            headers: { "content-type": "application/json", "x-api-key": "demo" },
            body: JSON.stringify(sample)
          })
          answers.push(new ServiceResponse(response.status, response.headers, await response.text()))
          // Callers that use the whole of a slow machine would leave nothing for the probes. At 35 requests per second,
          // several arrive before Caddy has seen that an instance is about to stop.
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
      const callers = Promise.all(Array.from({ length: 4 }, caller))
      yield* until(() => answers.length > 40)
      assert.strictEqual((yield* stop(a, "SIGTERM")).code, 0)
      a = yield* start(first)
      // Before the other one stops, Caddy has noticed that this one is back.
      yield* untilPrinted(a, '"route":"/api/v1/forecast"')
      assert.strictEqual((yield* stop(b, "SIGTERM")).code, 0)
      b = yield* start(second)
      yield* isReady(b.url)
      over.abort()
      yield* Effect.promise(() => callers)
      assert.deepStrictEqual(
        answers.flatMap(({ status, text }) => (status === 200 ? [] : [text])),
        []
      )
      assert.deepStrictEqual(yield* ledgerFaults(`sqlite:${database}`), [])
    })
  )

  it.live("responds in place of an unreachable service, in the format of its problems, and logs no path", () =>
    Effect.gen(function* () {
      const nobody = yield* Effect.promise(freePort)
      const { stderr, url } = yield* balancer([nobody])
      const answered = yield* untilFound(
        Effect.promise(() =>
          fetch(`${url}/confirm/canary`, { headers: { "x-api-key": "canary" } }).then(
            async (response) => new ServiceResponse(response.status, response.headers, await response.text()),
            () => undefined
          )
        ),
        // Until its first probe ends, Caddy reports that it cannot connect.
        (answer) => answer?.status === 503
      )
      if (answered === undefined) assert.fail("Caddy does not answer")
      assert.strictEqual(answered.headers.get("content-type"), "application/problem+json")
      assert.strictEqual(answered.headers.get("retry-after"), "1")
      assert.include(answered.problem, { code: "unavailable", status: 503, retryable: true })
      assert.strictEqual(answered.problem.type, `${url}/docs/errors#unavailable`)

      const server = yield* serveHere()
      const served = yield* balancer([server.port])
      yield* isReady(served.url)
      const tooLarge = yield* sendTo(served.url, "/api/v1/forecasts", { method: "POST", body: "x".repeat(3_000_000) })
      assert.include(tooLarge.problem, { code: "payload_too_large", status: 413, retryable: false })
      assert.notInclude(stderr(), "canary")
    })
  )
})
