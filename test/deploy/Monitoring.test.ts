import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import { debianProgram } from "../support/DebianProgram.ts"
import { adminOf, serve, startCommand, untilFound } from "../support/Process.ts"
import { getFrom, postTo } from "../support/Requests.ts"
import { sample } from "../support/Samples.ts"
import { slowly } from "../support/slowly.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = `${root}deploy/monitoring`
const read = (file: string) => readFileSync(`${root}${file}`, "utf8")

const promtool = debianProgram("promtool", "prometheus")

const metricName = /\b(?:outreach_forecast|http_server|nodejs|process)_\w+/g

describe("the Prometheus rules", slowly, () => {
  it.live.skipIf(promtool === undefined)("fire when they should, and only then, by a valid configuration", () =>
    Effect.gen(function* () {
      for (const args of ["test rules alerts.test.yaml", "check rules alerts.yaml", "check config prometheus.yaml"]) {
        const running = yield* startCommand(promtool ?? "", args.split(" "), folder, {})
        const code = yield* Effect.promise(() => running.exit)
        assert.strictEqual(code, 0, running.stdout() + running.stderr())
      }
    })
  )

  it("are each covered by a rule test", () => {
    const alerts = [...read("deploy/monitoring/alerts.yaml").matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name)
    const tests = read("deploy/monitoring/alerts.test.yaml")
    assert.deepStrictEqual(
      alerts.filter((name) => !tests.includes(name)),
      []
    )
  })

  it.live("and the dashboard use metrics that the service has", () =>
    Effect.gen(function* () {
      const server = yield* serve(yield* temporaryDirectory, { ADMIN_PORT: "0" })
      const admin = adminOf(server)
      // Some metrics appear once a request was refused, others once one was charged.
      for (const body of ["{", sample]) yield* postTo(server.url, "/api/v1/forecast", body, { "x-api-key": "demo" })
      const names = [
        ...new Set(
          ["alerts.yaml", "dashboard.json"].flatMap((file) => read(`deploy/monitoring/${file}`).match(metricName) ?? [])
        )
      ]
      assert.isAbove(names.length, 10)
      // They are measured every few seconds, and the ledger is verified once it has started.
      const metrics = getFrom(admin, "/metrics")
      const { text } = yield* untilFound(metrics, ({ text }) => names.every((name) => text.includes(`\n${name}`)))
      assert.match(text, /^outreach_forecast_version\{version="\d+\.\d+\.\d+"\} 1$/m)
      assert.match(text, /^outreach_forecast_connections [1-9]/m)
      assert.match(text, /^process_cpu_seconds_total \d+\.\d/m)
      assert.match(text, /^process_start_time_seconds 1\d{9}/m)
    })
  )

  it("and the configuration next to them agree with the unit on the port of its first process", () => {
    const [, port = ""] = /ADMIN_PORT=(\d+)%i/.exec(read("deploy/systemd/outreach-forecast@.service")) ?? []
    assert.include(read("deploy/monitoring/prometheus.yaml"), `127.0.0.1:${port}1"`)
  })
})
