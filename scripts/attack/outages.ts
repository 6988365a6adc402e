import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { Stripe } from "stripe"
import { temporaryDirectory } from "../../test/support/Application.ts"
import { startPostgres } from "../../test/support/PostgresServer.ts"
import { smtpServer } from "../../test/support/Smtp.ts"
import { pause } from "../../test/support/Sockets.ts"
import { type Attack, countOf, forecast, send, startTarget, type Target, within } from "./Attack.ts"

/** How many recipients never get an answer from the relay, and are asked for one after the other. */
const silent = 15

const requestAccess = ({ server }: Target, email: string) =>
  send(`${server.url}/api/v1/access-requests`, { body: JSON.stringify({ name: "Ada", email, company: "Acme" }) })

export const silentRelay: Attack = {
  name: `a relay that never answers for ${silent} recipients: when another gets its mail`,
  run: Effect.fnUntraced(function* () {
    const { behaviours, messages, url } = yield* smtpServer
    const target = yield* startTarget(yield* temporaryDirectory, { MAIL_URL: url })
    behaviours.push(...Array.from({ length: silent }, () => "hang" as const))
    for (let i = 0; i < silent; i++) yield* requestAccess(target, `a${i}@silent.example`)
    const started = performance.now()
    yield* requestAccess(target, "ada@people.example")
    const isDelivered = yield* within(60_000, () => messages.some((text) => text.includes("ada@people.example")))
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    return {
      figure: `${messages.length - Number(isDelivered)} wait, ${isDelivered ? `delivered after ${seconds} s` : `NOT delivered within ${seconds} s`}`,
      isDefended: isDelivered
    }
  })
}

/** A server on a Postgres server of its own, and what it says about its database. */
const startOnPostgres = Effect.fnUntraced(function* (env: Attack["env"] = {}) {
  const postgres = yield* Effect.acquireRelease(Effect.promise(startPostgres), ({ stop }) => Effect.promise(stop))
  const target = yield* startTarget(yield* temporaryDirectory, { DATABASE_URL: postgres.url, ...env })
  const sql = yield* PgClient.makeClient({ url: Redacted.make(postgres.url) }).pipe(
    Effect.provide(Reactivity.layer),
    Effect.orDie
  )
  return { target, sql }
})

const readinessOf = ({ admin }: Target) =>
  Effect.map(send(`${admin}/readyz`), ({ millis, status, text }) => ({
    millis,
    told: `${status} “${/"database":"(\w+)"/.exec(text)?.[1] ?? "?"}”`
  }))

export const lockedTable: Attack = {
  name: "another session locks the ledger on Postgres",
  run: Effect.fnUntraced(function* () {
    const { sql, target } = yield* startOnPostgres({ DATABASE_STATEMENT_TIMEOUT_MS: "3000" })
    yield* forecast(target)
    const lock = sql`LOCK TABLE credit_ledger IN EXCLUSIVE MODE`
    const whileLocked = Effect.gen(function* () {
      yield* lock
      const replies = yield* Effect.replicateEffect(forecast(target), 4, { concurrency: 4 })
      return { replies, ready: yield* readinessOf(target) }
    })
    const { ready, replies } = yield* Effect.orDie(sql.withTransaction(whileLocked))
    yield* pause(1000)
    const after = yield* readinessOf(target)
    const { status } = yield* forecast(target)
    return {
      figure: `${countOf(replies, 503)} of 4 forecasts 503, /readyz ${ready.told} after ${ready.millis.toFixed(0)} ms; then ${after.told}, a forecast ${status}`,
      isDefended:
        countOf(replies, 503) === 4 && ready.told === "503 “locked”" && after.told === "200 “ok”" && status === 200
    }
  })
}

const webhookSecret = "whsec_of_the_attack"

export const futureSignature: Attack = {
  name: "a signed event of Stripe from the future or the past",
  env: { STRIPE_SECRET_KEY: "sk_test_of_the_attack", STRIPE_WEBHOOK_SECRET: webhookSecret },
  run: Effect.fnUntraced(function* ({ server }) {
    const body = JSON.stringify({ id: "evt_1", object: "event", type: "ping", created: 0, data: { object: {} } })
    const deliver = (secondsAhead: number) => {
      const timestamp = Math.floor((performance.timeOrigin + performance.now()) / 1000) + secondsAhead
      const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret, timestamp })
      return send(`${server.url}/webhooks/stripe`, { body, headers: { "stripe-signature": signature } })
    }
    const replies = yield* Effect.forEach([0, -86_400, -330, 330, 86_400, 10 * 365 * 86_400], deliver)
    const statuses = replies.map(({ status }) => status)
    return {
      figure: `one of now ${statuses[0]}, the others ${statuses.slice(1).join(", ")}`,
      isDefended: statuses[0] === 200 && statuses.slice(1).every((status) => status === 400)
    }
  })
}
