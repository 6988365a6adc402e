import { Clock, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LedgerAudit } from "../../../src/credits/audit/LedgerAudit.ts"
import { Transaction } from "../../../src/database/Transaction.ts"
import { Notices } from "../../../src/extensions/notices/Notices.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { NotDelivered, Postbox } from "../../../src/mail/Mailer.ts"
import { deliverDue } from "../../../src/mail/MailWorker.ts"
import { adjustCredits } from "../../../src/metering/adjustCredits.ts"
import { Orders } from "../../../src/orders/Orders.ts"
import { baseUrl } from "../../../test/support/Http.ts"
import type { Known } from "../../../test/support/Released.ts"
import { repeat, repeatedPart, type RepeatedRequest, repeatedRequests } from "../../../test/support/RepeatedRequests.ts"
import { forecastFrom, getFrom, jsonOf, postTo, sendTo, type ServiceResponse } from "../../../test/support/Requests.ts"

const setTime = (time: string) => TestClock.setTime(Date.parse(time))

/** A response that must not be a refusal. */
const accepted = ({ status, text }: ServiceResponse) =>
  status < 400 ? Effect.succeed(text) : Effect.die(new Error(`Refused with ${status}: ${text}`))

const textAt = (text: string, name: string) => String(jsonOf(text)[name])

/** Issues a key to an owner of this name. */
const issue = Effect.fnUntraced(function* (name: string, credits: number) {
  const { issue } = yield* ApiKeys
  const { key, secret } = yield* issue({ name, email: `${name}@example.com`, company: "Example" }, credits)
  return { id: key.id, secret: Redacted.value(secret) }
})

const forecasts = Effect.fnUntraced(function* (secret: string, count: number) {
  const base = yield* baseUrl
  yield* Effect.replicateEffect(Effect.flatMap(forecastFrom(base, secret), accepted), count, { discard: true })
})

const posted = Effect.fnUntraced(function* (secret: string | undefined, path: string, body: unknown = {}) {
  const base = yield* baseUrl
  return yield* accepted(yield* postTo(base, path, body, secret === undefined ? {} : { "x-api-key": secret }))
})

const subKey = Effect.fnUntraced(function* (secret: string, name: string, monthly_limit?: number) {
  const text = yield* posted(secret, "/api/v1/sub-keys", { name, monthly_limit })
  return { id: textAt(text, "sub_key_id"), secret: textAt(text, "api_key") }
})

/** Orders a pack with a key, or for an owner of a name. */
const order = (secret: string | undefined, name = "") =>
  Effect.map(
    posted(secret, "/api/v1/orders", {
      pack: "starter",
      ...(secret === undefined && { name, email: `${name}@example.com`, company: "Example" })
    }),
    (text) => textAt(text, "order_id")
  )

const fulfil = Effect.fnUntraced(function* (id: string) {
  const { fulfil } = yield* Orders
  yield* fulfil(id, { reference: `bank ${id}`, paidAt: yield* Clock.currentTimeMillis })
})

const refund = Effect.fnUntraced(function* (id: string) {
  const { find, refund } = yield* Orders
  const { run } = yield* Transaction
  yield* run(Effect.flatMap(find(id), (order) => refund(order, undefined)))
})

/** Queues the notices that are due, and sends all emails. */
const deliver = Effect.gen(function* () {
  yield* (yield* Notices).queueDue
  yield* Effect.repeat(deliverDue, { until: (tried) => tried === 0 })
})

/** A request with its response, as it is replayed. */
const answered = Effect.fnUntraced(function* (request: RepeatedRequest) {
  const response = yield* repeat(yield* baseUrl, request)
  yield* accepted(response)
  const { headers, status } = response
  return { ...request, status, type: headers.get("content-type"), answer: repeatedPart(request, response) }
})

/** Reads something of a key; of a refusal only its code. */
const readWith = Effect.fnUntraced(function* (name: string, secret: string, path: string) {
  const { json, status } = yield* getFrom(yield* baseUrl, path, { "x-api-key": secret })
  return { name, path, secret, status, json: status === 200 ? json : { code: json["code"] } }
})

/** The time at which the story ends. */
export const end = "2026-11-27T18:00:00.000Z"

/**
 * Two months of a service: keys that work, that have no credits left, that are revoked, inactive or not confirmed,
 * sub-keys, orders in every state, notices that were sent, are due or are off, emails that were sent, wait or failed,
 * and, in the last hour, every kind of request whose answer is stored. Returns what is known of it from outside.
 */
export const tell = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { set } = yield* Notices
  const { setKeyPlan } = yield* ApiKeys
  const orders = yield* Orders
  const { letters, responses } = yield* Postbox
  const base = yield* baseUrl

  yield* setTime("2026-10-05T09:00:00.000Z")
  const ada = yield* issue("ada", 200)
  const bob = yield* issue("bob", 10)
  const cyd = yield* issue("cyd", 5)
  const crm = yield* subKey(ada.secret, "CRM", 6)
  const agency = yield* subKey(ada.secret, "Agency")
  const old = yield* subKey(ada.secret, "Old")
  yield* forecasts(ada.secret, 3)
  yield* forecasts(crm.secret, 4)
  yield* forecasts(agency.secret, 2)
  yield* forecasts(old.secret, 1)
  yield* forecasts(bob.secret, 9)
  yield* deliver

  yield* setTime("2026-10-20T12:00:00.000Z")
  yield* forecasts(ada.secret, 2)
  yield* forecasts(crm.secret, 2)
  yield* forecasts(bob.secret, 1)
  yield* deliver
  const paid = yield* order(bob.secret)
  const cancelled = yield* order(ada.secret)
  const bought = yield* order(undefined, "dee")

  yield* setTime("2026-10-22T08:00:00.000Z")
  yield* fulfil(paid)
  yield* fulfil(bought)
  yield* orders.cancel(cancelled)
  yield* sendTo(base, `/api/v1/sub-keys/${old.id}`, { method: "DELETE", headers: { "x-api-key": ada.secret } })
  yield* set(bob.id, false)
  yield* deliver

  yield* setTime("2026-10-30T23:59:59.999Z")
  const refunded = yield* order(bob.secret)
  yield* fulfil(refunded)
  yield* forecasts(bob.secret, 1)

  yield* setTime("2026-11-03T10:00:00.000Z")
  yield* refund(refunded)
  yield* forecasts(ada.secret, 4)
  yield* forecasts(crm.secret, 3)
  yield* forecasts(bob.secret, 5)
  yield* forecasts(cyd.secret, 1)
  yield* posted(cyd.secret, "/api/v1/keys/revoke")
  const eve = yield* issue("eve", 20)
  yield* forecasts(eve.secret, 1)
  yield* setKeyPlan(eve.id, "inactive")
  yield* adjustCredits(ada.id, { action: "credits_granted", delta: 7, reason: "goodwill", reference: "case 7" })
  yield* adjustCredits(ada.id, { action: "credits_adjusted", delta: -3, reason: "mistake", reference: undefined })
  yield* deliver

  yield* setTime("2026-11-26T12:00:00.000Z")
  const rotated = textAt(yield* posted(ada.secret, "/api/v1/keys/rotate", { grace_hours: 72 }), "api_key")

  yield* setTime("2026-11-27T17:00:00.000Z")
  const access = (name: string) =>
    posted(undefined, "/api/v1/access-requests", { name, email: `${name}@example.com`, company: "Example" })
  responses.push(Effect.fail(new NotDelivered({ reason: "550 no such user", isPermanent: true })))
  yield* access("fay")
  yield* deliver
  yield* access("gus")
  yield* deliver
  const token =
    letters
      .findLast(({ to }) => to === "gus@example.com")
      ?.link.split("/")
      .at(-1) ?? ""
  yield* access("hal")
  const late = yield* order(undefined, "ike")
  yield* fulfil(late)
  const jan = yield* issue("jan", 5)
  yield* forecasts(jan.secret, 5)

  const bySubKey = repeatedRequests(crm.secret)
    .slice(0, 1)
    .map((first) => ({ ...first, name: `${first.name} by a sub-key` }))
  const requests = yield* Effect.forEach([...repeatedRequests(rotated), ...bySubKey], answered)

  yield* setTime(end)
  const unpaid = textAt(requests.find(({ name }) => name === "an order")?.answer ?? "", "order_id")
  const all = {
    ada: rotated,
    bob: bob.secret,
    cyd: cyd.secret,
    crm: crm.secret,
    agency: agency.secret,
    old: old.secret
  }
  const secrets = Object.entries({ ...all, eve: eve.secret, jan: jan.secret })
  const reads = yield* Effect.all(
    secrets.flatMap(([name, secret]) =>
      ["/api/v1/usage", "/api/v1/usage?by=day"].map((path) => readWith(name, secret, path))
    )
  )
  const creditsOf = (name: string) =>
    Number(jsonOf(JSON.stringify(reads.find((read) => read.name === name)?.json))["credits_remaining"])
  const { entries, faults, keys } = yield* (yield* LedgerAudit).verify
  if (faults.length > 0) return yield* Effect.die(new Error(`The ledger is wrong: ${JSON.stringify(faults)}`))
  const known: Known = {
    requests,
    reads,
    balances: [
      { name: "ada", secret: rotated, credits: creditsOf("ada") },
      { name: "bob", secret: bob.secret, credits: creditsOf("bob") },
      { name: "jan", secret: jan.secret, credits: creditsOf("jan") }
    ],
    ledger: { entries, keys },
    mails: Object.fromEntries(
      (yield* sql<{ readonly state: string; readonly count: number }>`
        SELECT state, count(*) AS count FROM mails GROUP BY state ORDER BY state`).map(({ count, state }) => [
        state,
        count
      ])
    ),
    orders: Object.fromEntries((yield* orders.list(undefined, 100)).map(({ id, state }) => [id, state])),
    unpaid: { order: unpaid, secret: rotated, credits: (yield* orders.find(unpaid)).credits },
    subKey: { secret: crm.secret, left: creditsOf("crm") },
    earlierSecret: ada.secret,
    link: { token, credits: 100 }
  }
  return known
})
