import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Predicate, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { appliedMigration, lastMigration } from "../../src/database/Migrations.ts"
import { Notices } from "../../src/extensions/notices/Notices.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { applicationOn, temporaryDirectory } from "../support/Application.ts"
import { baseUrl, server } from "../support/Http.ts"
import { postgresDatabase } from "../support/Postgres.ts"
import { loadReleased, released, type ReleasedDatabase, writeReleased } from "../support/Released.ts"
import { isReplay, repeat, repeatedPart } from "../support/RepeatedRequests.ts"
import { forecastFrom, getFrom, postTo } from "../support/Requests.ts"

/** The URL of a copy of a released database, of each kind. */
const copies = {
  SQLite: Effect.fnUntraced(function* (database: ReleasedDatabase) {
    const file = `${yield* temporaryDirectory}/released.db`
    yield* writeReleased(database, file)
    return `sqlite:${file}`
  }),
  Postgres: (database: ReleasedDatabase) => Effect.tap(postgresDatabase, (url) => loadReleased(database, url))
}

/** The service over a copy of a released database, at the time at which that was made. */
const serviceOn = (kind: keyof typeof copies, database: ReleasedDatabase) =>
  Layer.unwrap(
    Effect.gen(function* () {
      yield* TestClock.setTime(database.at)
      const url = yield* copies[kind](database)
      return server.pipe(Layer.provideMerge(applicationOn(url)))
    })
  )

const ToolReply = Schema.fromJsonString(Schema.Struct({ result: Schema.Struct({ structuredContent: Schema.Unknown }) }))

/** The answer in the reply of a tool. */
const structuredIn = (reply: string): unknown => Schema.decodeUnknownSync(ToolReply)(reply).result.structuredContent

/** The members of a response that are recorded: later versions may have more. */
const recordedPart = (found: unknown, recorded: unknown): unknown => {
  if (Array.isArray(recorded) && Array.isArray(found))
    return found.map((each: unknown, i) => recordedPart(each, recorded[i]))
  if (!Predicate.isObject(recorded) || !Predicate.isObject(found)) return found
  const members = new Map(Object.entries(found))
  return Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => [name, recordedPart(members.get(name), value)])
  )
}

const read = Effect.fnUntraced(function* (secret: string, path: string) {
  return yield* getFrom(yield* baseUrl, path, { "x-api-key": secret })
})

const creditsOf = (secret: string) =>
  Effect.map(read(secret, "/api/v1/usage"), ({ json }) => Number(json["credits_remaining"]))

const forecast = Effect.fnUntraced(function* (secret: string) {
  const { json, status } = yield* forecastFrom(yield* baseUrl, secret)
  return status === 200 ? status : json["code"]
})

/** The numbers of keys and entries in the ledger, which must be without a fault. */
const audited = Effect.gen(function* () {
  const { entries, faults, keys } = yield* (yield* LedgerAudit).verify
  assert.deepStrictEqual(faults, [])
  return { entries, keys }
})

/** The number of mails in each state. */
const mailStates = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const mails = yield* sql<{ readonly state: string; readonly count: number }>`
    SELECT state, count(*) AS count FROM mails GROUP BY state`
  return Object.fromEntries(mails.map(({ count, state }) => [state, count]))
})

for (const database of released) {
  const { known, name } = database
  for (const kind of ["SQLite", "Postgres"] as const) {
    // One service for all, in this order: the last ones change the database.
    describe(`A database of migration ${name} on ${kind}`, () => {
      layer(serviceOn(kind, database))((it) => {
        it.effect("opens, brought to the last migration, and has a sound ledger and its mails", () =>
          Effect.gen(function* () {
            assert.strictEqual(yield* appliedMigration, yield* lastMigration)
            assert.deepStrictEqual(yield* audited, known.ledger)
            assert.deepStrictEqual(yield* mailStates, known.mails)
          })
        )

        it.effect("replays every stored answer byte for byte, and charges nothing", () =>
          Effect.gen(function* () {
            const base = yield* baseUrl
            for (const request of known.requests) {
              const response = yield* repeat(base, request)
              const { headers, status } = response
              const answer = repeatedPart(request, response)
              // The text for agents is made of the stored answer at each call, so versions may word it in other ways.
              const isTool = request.path === "/mcp"
              const stored = isTool ? structuredIn(request.answer) : request.answer
              assert.deepStrictEqual(
                [
                  status,
                  headers.get("content-type"),
                  isTool ? recordedPart(structuredIn(answer), stored) : answer,
                  isReplay(request, response)
                ],
                [request.status, request.type, stored, true],
                request.name
              )
            }
            assert.deepStrictEqual(yield* audited, known.ledger)
          })
        )

        it.effect("has the balances, usage and orders that were recorded, and refuses the keys that had ended", () =>
          Effect.gen(function* () {
            for (const { json: recorded, name, path, secret, status } of known.reads) {
              const response = yield* read(secret, path)
              assert.deepStrictEqual(
                [response.status, recordedPart(response.json, recorded)],
                [status, recorded],
                `${path} of ${name}`
              )
            }
            for (const { credits, secret } of known.balances) assert.strictEqual(yield* creditsOf(secret), credits)
            const orders = yield* (yield* Orders).list(undefined, 100)
            assert.deepStrictEqual(Object.fromEntries(orders.map(({ id, state }) => [id, state])), known.orders)
          })
        )

        it.effect("sells forecasts to a key, by its earlier secret too, and to a sub-key up to its limit", () =>
          Effect.gen(function* () {
            const { earlierSecret, subKey, unpaid } = known
            const before = yield* creditsOf(unpaid.secret)
            assert.strictEqual(yield* forecast(unpaid.secret), 200)
            assert.strictEqual(yield* creditsOf(unpaid.secret), before - 1)
            assert.strictEqual(yield* forecast(earlierSecret), 200)
            for (let left = subKey.left; left > 0; left--) assert.strictEqual(yield* forecast(subKey.secret), 200)
            assert.strictEqual(yield* forecast(subKey.secret), "sub_key_limit_reached")
            const { entries } = yield* audited
            assert.strictEqual(entries, known.ledger.entries + 2 + subKey.left)
          })
        )

        it.effect("queues an email for the notice that was due", () =>
          Effect.gen(function* () {
            yield* (yield* Notices).queueDue
            const { queued = 0, ...others } = known.mails
            assert.deepStrictEqual(yield* mailStates, { ...others, queued: queued + 1 })
          })
        )

        it.effect("credits an order that awaited its payment, and reveals the key of a link", () =>
          Effect.gen(function* () {
            const { link, unpaid } = known
            const { fulfil } = yield* Orders
            const before = yield* creditsOf(unpaid.secret)
            const { state } = yield* fulfil(unpaid.order, { reference: "bank 1", paidAt: database.at })
            assert.strictEqual(state, "fulfilled")
            assert.strictEqual(yield* creditsOf(unpaid.secret), before + unpaid.credits)
            const revealed = yield* postTo(yield* baseUrl, "/api/v1/access-requests/confirm", { token: link.token })
            assert.strictEqual(yield* creditsOf(String(revealed.json["api_key"])), link.credits)
            yield* audited
          })
        )
      })
    })
  }
}
