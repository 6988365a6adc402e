import { spawnSync } from "node:child_process"
import { createSocket } from "node:dgram"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { Stripe } from "stripe"
import { temporaryDirectory } from "../../test/support/Application.ts"
import { startPostgres } from "../../test/support/PostgresServer.ts"
import { smtpServer } from "../../test/support/Smtp.ts"
import { pause } from "../../test/support/Sockets.ts"
import { tcpProxy } from "../../test/support/TcpProxy.ts"
import { type Attack, change, countOf, forecast, send, startTarget, type Target, valueOf, within } from "./Attack.ts"

/** The number of recipients for which the relay never responds. */
const silent = 100

const requestAccess = ({ server }: Target, email: string, client = "192.0.2.0") =>
  send(`${server.url}/api/v1/access-requests`, {
    body: JSON.stringify({ name: "Ada", email, company: "Acme" }),
    headers: { "x-forwarded-for": client }
  })

export const silentRelay: Attack = {
  name: `a relay that never responds for ${silent} recipients: when the next recipient gets its mail`,
  run: Effect.fnUntraced(function* () {
    const { behaviours, messages, url } = yield* smtpServer
    const target = yield* startTarget(yield* temporaryDirectory, { MAIL_URL: url, TRUSTED_PROXIES: "127.0.0.1" })
    behaviours.push(...Array.from({ length: silent }, () => "hang" as const))
    for (let i = 0; i < silent; i++) yield* requestAccess(target, `a${i}@silent.example`, `192.0.2.${1 + (i >> 4)}`)
    const started = performance.now()
    yield* requestAccess(target, "ada@people.example")
    const isDelivered = yield* within(60_000, () => messages.some((text) => text.includes("ada@people.example")))
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    return {
      figure: `${messages.length - Number(isDelivered)} wait, ${isDelivered ? `delivered after ${seconds} s` : `NOT delivered within ${seconds} s`}`,
      isDefended: isDelivered && Number(seconds) < 20
    }
  })
}

/** A service with a Postgres server of its own, and a client of that. */
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
    reported: `${status} “${/"database":"(\w+)"/.exec(text)?.[1] ?? "?"}”`
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
      figure: `${countOf(replies, 503)} of 4 forecasts 503, /readyz ${ready.reported} after ${ready.millis.toFixed(0)} ms; then ${after.reported}, a forecast ${status}`,
      isDefended:
        countOf(replies, 503) === 4 &&
        ready.reported === "503 “locked”" &&
        after.reported === "200 “ok”" &&
        status === 200
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
      figure: `a current one ${statuses[0]}, the others ${statuses.slice(1).join(", ")}`,
      isDefended: statuses[0] === 200 && statuses.slice(1).every((status) => status === 400)
    }
  })
}

/**
 * Waits until this many mails are sent, for at most this many milliseconds. Returns a text that says how long it took.
 */
const sentWithin = Effect.fnUntraced(function* (target: Target, count: number, millis: number) {
  const started = performance.now()
  const sent = () => valueOf(target, "SELECT count(*) FROM mails WHERE state = 'sent'") === count
  const isSent = yield* within(millis, sent)
  return isSent ? `all sent after ${((performance.now() - started) / 1000).toFixed(1)} s` : "NOT all sent"
})

/** The slowest of some responses to requests that have nothing to do with mails, and whether all were good. */
const others = Effect.fnUntraced(function* (target: Target) {
  const paths = ["/livez", "/readyz", "/", "/docs"]
  const replies = yield* Effect.forEach([...paths, ...paths], (path) => send(`${target.server.url}${path}`))
  replies.push(yield* forecast(target), yield* forecast(target))
  return {
    slowest: Math.max(...replies.map(({ millis }) => millis)),
    areGood: countOf(replies, 200) === replies.length
  }
})

export const silentConnections: Attack = {
  name: "a relay that accepts connections and stays silent, for 15 mails, until it works again",
  run: Effect.fnUntraced(function* () {
    const relay = yield* smtpServer
    const proxy = yield* tcpProxy(relay.url)
    proxy.freeze()
    const target = yield* startTarget(yield* temporaryDirectory, { MAIL_URL: proxy.url })
    for (let i = 0; i < 15; i++) yield* requestAccess(target, `a${i}@people.example`)
    yield* within(30_000, () => target.server.stderr().split("mail deferred").length > 15)
    const { areGood, slowest } = yield* others(target)
    proxy.thaw()
    change(target, "UPDATE mails SET next_attempt_at = 0 WHERE last_error IS NOT NULL")
    const sent = yield* sentWithin(target, 15, 30_000)
    return {
      figure: `other requests ${areGood ? "good" : "BAD"}, the slowest ${slowest.toFixed(0)} ms; then ${sent}, ${relay.messages.length} arrived`,
      isDefended: areGood && sent.startsWith("all") && relay.messages.length === 15
    }
  })
}

/** A UDP socket that never responds, and the number of messages it has received; undefined if it cannot be opened. */
const silentSocket = (address: string, port: number) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly count: () => number; readonly close: () => void } | undefined>((resolve) => {
          let received = 0
          const socket = createSocket("udp4", () => received++)
          socket.once("error", () => resolve(undefined))
          socket.bind(port, address, () => resolve({ count: () => received, close: () => socket.close() }))
        })
    ),
    (socket) => Effect.sync(() => socket?.close())
  )

export const silentNames: Attack = {
  name: "name servers that never respond, with 15 mails to a relay given by name",
  run: Effect.fnUntraced(function* () {
    const directory = yield* temporaryDirectory
    const file = join(directory, "resolv.conf")
    writeFileSync(file, "nameserver 127.0.0.77\n")
    const mount = ["unshare", "-m", "sh", "-c", `mount --bind ${file} /etc/resolv.conf && exec "$@"`, "sh"]
    const names = yield* silentSocket("127.0.0.77", 53)
    if (names === undefined || spawnSync(mount[0] ?? "", [...mount.slice(1), "true"]).status !== 0)
      return { figure: "needs root and Linux", isDefended: true, isSkipped: true }
    const target = yield* startTarget(directory, { MAIL_URL: "smtp://relay.example:25" }, mount)
    for (let i = 0; i < 15; i++) yield* requestAccess(target, `a${i}@people.example`)
    yield* within(10_000, () => names.count() > 0)
    const { areGood, slowest } = yield* others(target)
    const waiting = () => Number(valueOf(target, "SELECT count(*) FROM mails WHERE last_error IS NULL"))
    yield* within(120_000, () => waiting() === 0)
    return {
      figure: `${names.count()} questions; other requests ${areGood ? "good" : "BAD"}, the slowest ${slowest.toFixed(0)} ms; ${15 - waiting()} of 15 mails deferred`,
      isDefended: areGood && slowest < 2000 && names.count() > 0 && waiting() === 0
    }
  })
}

export const exhaustedPool: Attack = {
  name: "60 requests wait for a lock on Postgres and hold all of its connections",
  run: Effect.fnUntraced(function* () {
    const { sql, target } = yield* startOnPostgres({ TRUSTED_PROXIES: "127.0.0.1" })
    yield* forecast(target)
    const request = (i: number) =>
      send(`${target.server.url}/api/v1/access-requests`, {
        body: JSON.stringify({ name: "Ada", email: `a${i}@people.example`, company: "Acme" }),
        headers: { "x-forwarded-for": `192.0.2.${i}` }
      })
    const whileLocked = Effect.gen(function* () {
      yield* sql`LOCK TABLE mails IN EXCLUSIVE MODE`
      yield* Effect.forEach(Array.from({ length: 60 }).keys(), (i) => Effect.forkScoped(request(i)))
      yield* pause(1500)
      const ready = yield* readinessOf(target)
      const live = yield* send(`${target.server.url}/livez`)
      const one = yield* forecast(target)
      return { ready, live, one }
    })
    const { live, one, ready } = yield* Effect.orDie(sql.withTransaction(whileLocked))
    const started = performance.now()
    let after = yield* forecast(target)
    while (after.status !== 200 && performance.now() - started < 30_000) after = yield* forecast(target)
    return {
      figure: `/readyz ${ready.reported} after ${ready.millis.toFixed(0)} ms, /livez ${live.status} after ${live.millis.toFixed(0)} ms, a forecast ${one.status} after ${one.millis.toFixed(0)} ms; once unlocked ${after.status} after ${(performance.now() - started).toFixed(0)} ms`,
      isDefended: ready.reported.startsWith("503") && ready.millis < 5000 && live.millis < 1000 && after.status === 200
    }
  })
}
