// Records what a caller sees of the service that is built in a checkout: about 200 requests to every endpoint and page,
// with their refusals, as text in which whatever differs between two runs is a placeholder. Compare two commits with:
// node scripts/record.ts CHECKOUT FILE
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request as httpRequest } from "node:http"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fields, membersOf } from "../src/campaign/Fields.ts"
import { optionalRates } from "../src/campaign/Rates.ts"

const [checkout = ".", target = "recorded.txt"] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "recorded-"))
const server = spawn(process.execPath, [resolve(checkout, "dist/main.js"), "serve"], {
  cwd: folder,
  env: { HOME: folder, PORT: "0", APP_ENV: "test", SUPPORT_EMAIL: "help@example.com", ROTATIONS_PER_HOUR: "1000" },
  stdio: ["ignore", "ignore", "pipe"]
})
const base = await new Promise<URL>((found, failed) => {
  let log = ""
  server.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    log += chunk
    const url = /"url":"(http:[^"]+)"/.exec(log)?.[1]
    if (url !== undefined) found(new URL(url))
  })
  server.once("exit", (code) => failed(new Error(`serve exited with status ${code}: ${log}`)))
})

interface Recorded {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

const placeholders: ReadonlyArray<readonly [RegExp, string]> = [
  [/ofk_(?:live|test)_[0-9A-Za-z]{38}/g, "{key}"],
  [/ofk_(?:live|test)_[0-9A-Za-z]{4,8}(?![0-9A-Za-z])/g, "{key prefix}"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "{id}"],
  [/\b([a-z]{2,4})_[0-9A-Za-z]{16}\b/g, "$1_{id}"],
  [/----_NmP-\w+-/g, "----{boundary}-"],
  [/\b(confirm|unsubscribe)\/[\w-]{20,}/g, "$1/{token}"],
  [/(orders\/ord_\{id\})\/[\w-]{20,}/g, "$1/{token}"],
  [/session=[\w-]{20,}/g, "session={token}"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, "{time}"],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, "{date}"],
  [/\d{4}-\d\d-\d\d/g, "{day}"],
  [/\b20\d\d-\d\d\b/g, "{month}"],
  [/\b\d{1,2} (?:[A-Z][a-z]+) 20\d\d\b/g, "{day}"],
  [/\b(?:January|February|March|April|May|June|July|August|September|October|November|December) 20\d\d\b/g, "{month}"],
  [/\b\d\d:\d\d(?::\d\d)?(?: UTC)?\b/g, "{clock}"],
  [/;t=\d+/g, ";t={seconds}"],
  [/(assets|clients)\/([\w./-]+?)[.-][\w-]{8,}\.(\w+)/g, "$1/$2.{hash}.$3"],
  [/"[\w+/=-]{16,}"/g, '"{hash}"'],
  [/sha256-[\w+/=]+/g, "sha256-{hash}"],
  [new RegExp(base.host.replaceAll(".", "\\."), "g"), "{host}"],
  [new RegExp(`\\b${base.port}\\b`, "g"), "{port}"]
]
const stable = (text: string) => placeholders.reduce((found, [pattern, name]) => found.replace(pattern, name), text)

/** Pages are recorded as their lines of text and links: a changed word is a changed line. */
const laidOut = (type: string, body: string) =>
  /json/.test(type) && body !== ""
    ? JSON.stringify(JSON.parse(body), null, 1)
    : /html/.test(type)
      ? body
          .replaceAll(/<(?:script|style|svg)[\s\S]*?<\/(?:script|style|svg)>/g, "")
          .replaceAll(/(<[^>]+>)/g, "\n$1\n")
          .split("\n")
          .map((line) => line.trim())
          .filter((line) => line !== "" && !/^<\/?(?:div|span|p|b|i|em|strong|section)\b/.test(line))
          .join("\n")
      : body

/** The text of a field, wherever it is in a JSON document. */
const textAt = (json: string, name: string) => new RegExp(`"${name}": *"([^"]*)"`).exec(json)?.[1] ?? ""

const lines: Array<string> = []
let count = 0

/** Sends a request and records it. */
const send = (
  method: string,
  path: string,
  { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {}
) =>
  new Promise<Recorded>((done, failed) => {
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body)
    const sent = {
      "x-request-id": "recorded",
      ...(text === undefined
        ? {}
        : { "content-type": "application/json", "content-length": `${Buffer.byteLength(text)}` }),
      ...headers
    }
    const call = httpRequest(new URL(path, base), { method, headers: sent }, (response) => {
      const chunks: Array<Buffer> = []
      response
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const whole = Buffer.concat(chunks).toString("utf8")
          const type = response.headers["content-type"] ?? ""
          const { date: _, "content-length": __, ...kept } = response.headers
          count += 1
          lines.push(
            `### ${count} ${method} ${stable(path.slice(0, 160))} ${stable(
              Object.entries(headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join("; ")
            )}`,
            stable((text ?? "").slice(0, 300)),
            `${response.statusCode}`,
            ...Object.entries(kept)
              .map(([name, value]) => stable(`${name}: ${String(value)}`))
              .toSorted(),
            stable(laidOut(type, whole)),
            ""
          )
          done({ status: response.statusCode ?? 0, headers: response.headers, body: whole })
        })
    })
    call.once("error", failed)
    call.end(text)
  })

const sample = {
  emails_sent: 5000,
  reply_rate: 5,
  positive_reply_rate: 30,
  meeting_booking_rate: 20,
  close_rate: 25,
  average_deal_value: 2500,
  campaign_cost: 600
}
const demo = { "x-api-key": "demo" }
const page = { accept: "text/html" }
const form = (key?: string) => ({
  "content-type": "application/x-www-form-urlencoded",
  accept: "text/html",
  origin: base.origin,
  ...(key === undefined ? {} : { cookie: key })
})
const latestMail = () => {
  const mails = readdirSync(join(folder, "data", "mail")).toSorted()
  return readFileSync(join(folder, "data", "mail", mails.at(-1) ?? ""), "utf8")
    .replaceAll("=\r\n", "")
    .replaceAll("=3D", "=")
}
const pause = () => new Promise((done) => setTimeout(done, 1500))

const record = async () => {
  // The paid endpoints, their refusals, and what they take.
  const paid = "/api/v1/forecast"
  await send("POST", paid, { body: sample, headers: demo })
  await send("POST", "/api/v1/service/roi", { body: sample, headers: demo })
  for (const extra of [
    { spread: "none" },
    ...optionalRates.map((name) => ({ [name]: fields[name].example })),
    { emails_per_contact: 3 },
    { campaign_cost: null },
    { average_deal_value: 0 },
    { campaign_cost: 0 },
    { reply_rate: 0 },
    { close_rate: 100 },
    { emails_sent: 1 },
    { emails_sent: 100_000_000 },
    { reply_rate: 0.0001 },
    { reply_rate: 1.71, positive_reply_rate: 14.1 },
    { reply_rate: 0.05, positive_reply_rate: 0.3, meeting_booking_rate: 0.2, close_rate: 0.25 },
    { average_deal_value: 49, campaign_cost: 900 },
    { campaign_cost: 1_000_000_000 },
    { ...membersOf(optionalRates, () => 40), delivery_rate: 78, emails_per_contact: 4 }
  ]) {
    await send("POST", paid, { body: { ...sample, ...extra }, headers: demo })
  }
  await send("POST", paid, {
    body: { emailsSent: 5000, replyRate: 5, positiveReplyRate: 30, meetingBookingRate: 20, closeRate: 25 },
    headers: demo
  })
  for (const wrong of [
    { reply_rate: 500 },
    { reply_rate: "5" },
    { reply_rat: 5 },
    { emails_sent: 0 },
    { emails_sent: 1.5 },
    { spread: "some" },
    { history: [] },
    { emailsSent: 5000 },
    { emails_per_contact: 21 },
    { reply_rate: null },
    { reply_rate: 60, emails_per_contact: 2 }
  ]) {
    await send("POST", paid, { body: { ...sample, ...wrong }, headers: demo })
  }
  for (const text of ["", "{", "[]", "null", "5", '"x"', '{"emails_sent":1e999}']) {
    await send("POST", paid, { body: text, headers: demo })
  }
  await send("POST", paid, { body: sample })
  await send("POST", paid, { body: sample, headers: { "x-api-key": "nonsense" } })
  await send("POST", paid, { body: sample, headers: { "x-api-key": `ofk_test_${"0".repeat(38)}` } })
  await send("POST", paid, { body: sample, headers: { authorization: "Bearer demo" } })
  await send("POST", paid, { body: sample, headers: { ...demo, "content-type": "text/plain" } })
  await send("POST", paid, { body: "x".repeat(70_000), headers: demo })
  for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) await send(method, paid, { headers: demo })
  await send("POST", paid, { body: sample, headers: { ...demo, "idempotency-key": "a" } })
  await send("POST", paid, { body: sample, headers: { ...demo, "idempotency-key": "a" } })
  await send("POST", paid, { body: { ...sample, reply_rate: 4 }, headers: { ...demo, "idempotency-key": "a" } })
  await send("POST", paid, { body: sample, headers: { ...demo, "idempotency-key": "ä b" } })
  await send("POST", paid, { body: sample, headers: { ...demo, accept: "text/html" } })
  // With a history; goals; in flight; lists.
  const history = [
    { name: "May", emails_sent: 4200, replies: 210, positive_replies: 60, meetings: 12, clients: 3 },
    { emails_sent: 3100, replies: 93, positive_replies: 20, meetings: 5, clients: 1 },
    { emails_sent: 3600, replies: 144, positive_replies: 40 }
  ]
  await send("POST", paid, { body: { ...sample, history }, headers: demo })
  await send("POST", paid, { body: { ...sample, history, spread: "none" }, headers: demo })
  await send("POST", paid, { body: { ...sample, history: [{ emails_sent: 5, replies: 6 }] }, headers: demo })
  await send("POST", "/api/v1/service/roi", { body: { ...sample, history }, headers: demo })
  for (const goal of [
    { clients: 4 },
    { clients: 4, chance: 0.8 },
    { revenue: 20_000 },
    { profit: 5000, chance: 0.8 },
    { roi_multiple: 3 },
    { replies: 100, chance: 0.9 },
    { meetings: 10 },
    { clients: 4, chance: 80 },
    { clients: 4, replies: 5 },
    {}
  ]) {
    await send("POST", "/api/v1/goals", { body: { ...sample, goal }, headers: demo })
  }
  await send("POST", "/api/v1/goals", {
    body: { ...sample, spread: "none", goal: { clients: 4, chance: 0.8 } },
    headers: demo
  })
  await send("POST", "/api/v1/goals", { body: sample, headers: demo })
  const so_far = { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 }
  const open = { emails: 0, replies: 7, positive_replies: 4, meetings: 2 }
  await send("POST", "/api/v1/progress", { body: { ...sample, so_far, open, emails_left: 3000 }, headers: demo })
  await send("POST", "/api/v1/progress", { body: { ...sample, so_far }, headers: demo })
  await send("POST", "/api/v1/progress", { body: { ...sample, history, so_far }, headers: demo })
  await send("POST", "/api/v1/progress", { body: { ...sample, so_far: { emails_sent: 5, replies: 6 } }, headers: demo })
  await send("POST", "/api/v1/progress", { body: sample, headers: demo })
  const campaigns = [
    { name: "A", ...sample },
    { name: "B", ...sample, reply_rate: 3 }
  ]
  await send("POST", "/api/v1/forecasts", { body: { campaigns }, headers: demo })
  await send("POST", "/api/v1/forecasts", { body: { campaigns }, headers: { ...demo, accept: "text/csv" } })
  await send("POST", "/api/v1/forecasts", { body: { campaigns, history }, headers: demo })
  await send("POST", "/api/v1/forecasts", { body: { campaigns: [...campaigns, ...campaigns] }, headers: demo })
  await send("POST", "/api/v1/forecasts", { body: { campaigns: [] }, headers: demo })
  await send("POST", "/api/v1/forecasts", {
    body: { campaigns: Array.from({ length: 101 }, () => sample) },
    headers: demo
  })
  const csv = { ...demo, "content-type": "text/csv" }
  const header = "name,emails_sent,reply_rate,positive_reply_rate,meeting_booking_rate,close_rate"
  await send("POST", "/api/v1/forecasts", { body: `${header}\nA,5000,5,30,20,25\n=B,4000,4,30,20,25\n`, headers: csv })
  await send("POST", "/api/v1/forecasts", { body: `${header}\nA,x,500,30,20\n`, headers: csv })
  await send("POST", "/api/v1/forecasts", { body: "nothing", headers: csv })
  // Free and keyless.
  for (const path of [
    "/api/v1/benchmarks",
    "/api/v1/credit-packs",
    "/livez",
    "/readyz",
    "/.well-known/security.txt",
    "/robots.txt"
  ]) {
    await send("GET", path)
  }
  await send("GET", "/nothing")
  await send("GET", "/api/v1/nothing")
  await send("GET", "/nothing", { headers: page })
  await send("HEAD", "/livez")
  await send("POST", "/livez")
  for (const path of [
    "/api/v1/usage",
    "/api/v1/usage?by=day",
    "/api/v1/usage?by=sub_key",
    "/api/v1/usage?month=1",
    "/api/v1/credits/ledger",
    "/api/v1/credits/ledger?limit=2",
    "/api/v1/credits/ledger?limit=x",
    "/api/v1/sub-keys",
    "/api/v1/orders"
  ]) {
    await send("GET", path, { headers: demo })
    await send("GET", path)
  }
  for (const path of ["/api/v1/keys/rotate", "/api/v1/keys/revoke", "/api/v1/sub-keys"]) {
    await send("POST", path, { body: path.endsWith("sub-keys") ? { name: "CRM" } : {}, headers: demo })
  }
  // A key, from the request to its end.
  const access = "/api/v1/access-requests"
  await send("POST", access, { body: { name: "Ada", email: "ada", company: "Example" } })
  await send("POST", access, { body: { name: "Ada", email: "ada@example.com" } })
  await send("POST", access, { body: { name: "Ada", email: "ada@example.com", company: "Example" } })
  await pause()
  lines.push(stable(latestMail().replace(/^[\s\S]*?\r\n\r\n/, "")))
  const link = /\/confirm\/([\w-]+)/.exec(latestMail())?.[1] ?? ""
  await send("GET", `/confirm/${link}`, { headers: page })
  await send("POST", `/confirm/${link}`, { body: "", headers: form() })
  await send("GET", `/confirm/${"x".repeat(43)}`, { headers: page })
  await send("POST", `/confirm/${"x".repeat(43)}`, { body: "", headers: form() })
  await send("POST", `${access}/confirm`, { body: { token: "x".repeat(43) } })
  await send("POST", `${access}/confirm`, { body: {} })
  const revealed = await send("POST", `${access}/confirm`, { body: { token: link } })
  const key = { "x-api-key": textAt(revealed.body, "api_key") }
  await send("POST", paid, { body: sample, headers: key })
  await send("POST", `/confirm/${link}`, { body: "", headers: form() })
  await send("GET", "/api/v1/usage", { headers: key })
  const made = await send("POST", "/api/v1/sub-keys", { body: { name: "CRM", monthly_limit: 2 }, headers: key })
  const subSecret = textAt(made.body, "api_key")
  const subPath = `/api/v1/sub-keys/${textAt(made.body, "sub_key_id")}`
  const subKey = { "x-api-key": subSecret }
  await send("POST", "/api/v1/sub-keys", { body: { name: "crm" }, headers: key })
  await send("POST", "/api/v1/sub-keys", { body: { name: "", monthly_limit: 0 }, headers: key })
  for (let call = 0; call < 3; call += 1) await send("POST", paid, { body: sample, headers: subKey })
  await send("POST", "/api/v1/forecasts", { body: { campaigns }, headers: subKey })
  for (const path of ["/api/v1/usage", "/api/v1/credits/ledger", "/api/v1/sub-keys", "/api/v1/orders"])
    await send("GET", path, { headers: subKey })
  await send("GET", subPath, { headers: key })
  await send("GET", "/api/v1/sub-keys", { headers: key })
  await send("PATCH", subPath, { body: { monthly_limit: 5 }, headers: key })
  await send("PATCH", subPath, { body: {}, headers: key })
  await send("PATCH", "/api/v1/sub-keys/none", { body: { name: "x" }, headers: key })
  await send("GET", "/api/v1/usage?by=sub_key", { headers: { ...key, accept: "text/csv" } })
  await send("GET", "/api/v1/usage?by=day", { headers: key })
  await send("POST", `${subPath}/rotate`, { body: { grace_hours: 0 }, headers: key })
  await send("POST", paid, { body: sample, headers: subKey })
  await send("DELETE", subPath, { headers: key })
  await send("DELETE", subPath, { headers: key })
  await send("PATCH", subPath, { body: { name: "x" }, headers: key })
  await send("GET", "/api/v1/credits/ledger", { headers: key })
  // Orders.
  await send("POST", "/api/v1/orders", { body: { pack: "growth" }, headers: key })
  await send("POST", "/api/v1/orders", { body: { pack: "none" }, headers: key })
  await send("POST", "/api/v1/orders", { body: { pack: "starter" } })
  const ordered = await send("POST", "/api/v1/orders", {
    body: { pack: "starter", name: "Bo", email: "bo@example.com", company: "B" },
    headers: { "idempotency-key": "o" }
  })
  await send("POST", "/api/v1/orders", {
    body: { pack: "starter", name: "Bo", email: "bo@example.com", company: "B" },
    headers: { "idempotency-key": "o" }
  })
  await send("GET", "/api/v1/orders", { headers: key })
  await send("GET", `/api/v1/orders/${textAt(ordered.body, "order_id")}`, {
    headers: key
  })
  await send("GET", "/api/v1/orders/none", { headers: key })
  await pause()
  lines.push(stable(latestMail().replace(/^[\s\S]*?\r\n\r\n/, "")))
  const orderPage = /\/orders\/[\w-]+\/[\w-]+/.exec(latestMail())?.[0] ?? "/orders/none/none"
  await send("GET", orderPage, { headers: page })
  await send("GET", `/orders/none/${"x".repeat(43)}`, { headers: page })
  await send("POST", "/credits", { body: "pack=starter&name=Cy&email=cy%40example.com&company=C", headers: form() })
  await send("POST", "/credits", { body: "pack=starter", headers: form() })
  await send("POST", "/credits", { body: "pack=starter", headers: { ...form(), origin: "https://elsewhere.example" } })
  await send("GET", `/unsubscribe/${"x".repeat(43)}`, { headers: page })
  await send("POST", `/unsubscribe/${"x".repeat(43)}`, { body: "List-Unsubscribe=One-Click", headers: form() })
  // Pages.
  const query = new URLSearchParams(
    Object.entries(sample).map(([name, value]): [string, string] => [name, `${value}`])
  ).toString()
  for (const path of [
    "/",
    `/?${query}`,
    `/?${query}&reply_rate=x`,
    "/?emails_sent=5000",
    `/report?${query}`,
    `/embed?${query}`,
    "/credits",
    "/privacy",
    "/docs",
    "/docs/errors",
    "/docs/first-call",
    "/docs/none",
    "/llms.txt",
    "/clients/",
    "/key",
    "/key",
    "/access",
    "/request-access"
  ]) {
    await send("GET", path, { headers: page })
  }
  const signedIn = await send("POST", "/key", { body: `api_key=${key["x-api-key"]}`, headers: form() })
  const cookie = String(signedIn.headers["set-cookie"] ?? "").split(";")[0] ?? ""
  await send("POST", "/key", { body: "api_key=nonsense", headers: form() })
  await send("POST", "/key", { body: `api_key=${subSecret}`, headers: form() })
  for (const path of ["/key", "/key/revoke", "/key/sub-keys", "/key/ledger.csv", "/key/orders/none", "/"]) {
    await send("GET", path, { headers: { ...page, cookie } })
  }
  await send("POST", "/key/sub-keys", { body: "name=Pages&monthly_limit=", headers: form(cookie) })
  await send("POST", "/key/sub-keys", { body: "name=Pages&monthly_limit=1.000", headers: form(cookie) })
  await send("POST", "/key/emails", { body: "emails=off", headers: form(cookie) })
  await send("POST", "/key/orders", { body: "pack=starter", headers: form(cookie) })
  await send("POST", "/key/rotate", { body: "grace_hours=0", headers: form(cookie) })
  await send("POST", "/key/revoke", { body: "", headers: form(cookie) })
  await send("POST", "/key/sign-out", { body: "", headers: form(cookie) })
  // Agents.
  const rpc = { ...demo, accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" }
  const message = (method: string, params?: unknown) => ({
    jsonrpc: "2.0",
    id: 1,
    method,
    ...(params === undefined ? {} : { params })
  })
  await send("POST", "/mcp", {
    body: message("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "r", version: "1" }
    }),
    headers: rpc
  })
  await send("POST", "/mcp", { body: message("tools/list"), headers: rpc })
  for (const [name, given] of [
    ["forecast", sample],
    ["usage", {}],
    ["forecast", {}],
    ["nothing", {}]
  ] as const) {
    await send("POST", "/mcp", { body: message("tools/call", { name, arguments: given }), headers: rpc })
  }
  await send("POST", "/mcp", {
    body: message("tools/call", { name: "compare_campaigns", arguments: { campaigns } }),
    headers: rpc
  })
  await send("POST", "/mcp", { body: message("nothing"), headers: rpc })
  await send("POST", "/mcp", { body: "{", headers: rpc })
  await send("GET", "/mcp", { headers: rpc })
  await send("POST", "/webhooks/stripe", { body: {} })
  // The end of credits, and of the key.
  for (let left = 0; left < 12; left += 1) await send("POST", paid, { body: sample, headers: demo })
  await send("POST", "/api/v1/forecasts", {
    body: { campaigns: Array.from({ length: 90 }, () => sample) },
    headers: demo
  })
  await send("GET", "/openapi.json")
}

try {
  await record()
  writeFileSync(target, `${lines.join("\n")}\n`)
  console.log(`${count} requests recorded in ${target}`)
} finally {
  server.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true })
}
