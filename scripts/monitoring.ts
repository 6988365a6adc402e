// Tries the alerts and the dashboard with a real Prometheus and its promtool, which must be on the PATH: checks the
// rules, lets Prometheus scrape a service that handles some requests, and queries every expression of both. Prints what
// an operator would see, and exits with status 1 if something is missing.
import { execFileSync, spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { parse } from "yaml"
import { freePort } from "../test/support/freePort.ts"

const folder = fileURLToPath(new URL("monitoring", import.meta.url))
const main = fileURLToPath(new URL("../dist/main.js", import.meta.url))
const directory = mkdtempSync(`${tmpdir()}/outreach-forecast-monitoring-`)
const [port, adminPort, prometheusPort] = [await freePort(), await freePort(), await freePort()]

console.log(execFileSync("promtool", ["check", "rules", `${folder}/alerts.yaml`], { encoding: "utf8" }).trim())
console.log(execFileSync("promtool", ["test", "rules", `${folder}/alerts.test.yaml`], { encoding: "utf8" }).trim())
cpSync(folder, directory, { recursive: true })
const config = readFileSync(`${folder}/prometheus.yaml`, "utf8")
  .replace(":9464", `:${adminPort}`)
  .replaceAll("15s", "1s")
writeFileSync(`${directory}/prometheus.yaml`, config)
console.log(execFileSync("promtool", ["check", "config", `${directory}/prometheus.yaml`], { encoding: "utf8" }).trim())

const options = { cwd: directory, stdio: "ignore" } as const
const children = [
  spawn(process.execPath, [main, "serve"], {
    ...options,
    env: { ...process.env, PORT: String(port), ADMIN_PORT: String(adminPort) }
  }),
  spawn(
    "prometheus",
    [
      "--config.file=prometheus.yaml",
      "--storage.tsdb.path=prometheus-data",
      `--web.listen-address=127.0.0.1:${prometheusPort}`
    ],
    options
  )
]
const stop = () => {
  for (const child of children) child.kill()
  rmSync(directory, { recursive: true, force: true })
}
process.on("exit", stop)

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const until = async <A>(what: string, ask: () => Promise<A | undefined>): Promise<A> => {
  for (let tries = 0; tries < 60; tries++) {
    const found = await ask().catch(() => undefined)
    if (found !== undefined) return found
    await pause(500)
  }
  throw new Error(`Waited in vain for ${what}`)
}

const Answer = Schema.Struct({ data: Schema.Struct({ result: Schema.Array(Schema.Unknown) }) })

/** The number of series that an expression returns. */
const series = async (expression: string): Promise<number> => {
  const query = expression.replaceAll("$__rate_interval", "30s").replaceAll("$instance", ".+")
  const answer = await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/query?query=${encodeURIComponent(query)}`)
  return Schema.decodeUnknownSync(Answer)(await answer.json()).data.result.length
}

const forecast = (rate: number) =>
  fetch(`http://127.0.0.1:${port}/api/v1/forecast`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "demo" },
    body: JSON.stringify({
      emails_sent: 5000,
      reply_rate: rate,
      positive_reply_rate: 30,
      meeting_booking_rate: 20,
      close_rate: 25
    })
  })

await until("the service", () => forecast(5))
await until("a scrape", async () => ((await series("up == 1")) > 0 ? true : undefined))
for (let i = 0; i < 20; i++) {
  await forecast(i % 4 === 0 ? 500 : 5)
  await pause(250)
}
await until("two scrapes of the gauges", async () => ((await series("outreach_forecast_mails")) > 0 ? true : undefined))
await pause(3000)

const Dashboard = Schema.Struct({
  panels: Schema.Array(
    Schema.Struct({ title: Schema.String, targets: Schema.Array(Schema.Struct({ expr: Schema.String })) })
  )
})
const Alerts = Schema.Struct({
  groups: Schema.Array(
    Schema.Struct({ rules: Schema.Array(Schema.Struct({ alert: Schema.String, expr: Schema.String })) })
  )
})
const textOf = (name: string) => readFileSync(`${folder}/${name}`, "utf8")

let missing = 0
const { panels } = Schema.decodeUnknownSync(Schema.fromJsonString(Dashboard))(textOf("dashboard.json"))
for (const { targets, title } of panels) {
  for (const { expr } of targets) {
    const count = await series(expr)
    // Without a 5xx response there is no series to divide.
    const isMissing = count === 0 && !expr.includes("5..")
    if (isMissing) missing++
    console.log(`${isMissing ? "MISSING" : "shown  "}  ${title}: ${count} series`)
  }
}
const { groups } = Schema.decodeUnknownSync(Alerts)(parse(textOf("alerts.yaml")))
for (const { alert, expr } of groups.flatMap(({ rules }) => rules)) {
  console.log(`${(await series(expr)) === 0 ? "quiet  " : "FIRES  "}  ${alert}`)
}
process.exitCode = missing === 0 ? 0 : 1
stop()
process.exit()
