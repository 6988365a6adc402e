import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { Retention } from "../../src/privacy/Retention.ts"
import { settings, configuredStores, temporaryDirectory } from "../../test/support/Application.ts"
import { startPostgres } from "../../test/support/PostgresServer.ts"
import { run, stop } from "../../test/support/Process.ts"
import {
  type Attack,
  change,
  countOf,
  databaseOf,
  forecast,
  issueKey,
  sample,
  send,
  startTarget,
  type Target,
  valueOf,
  within
} from "./Attack.ts"

const day = 86_400_000

/** A server, and a function that sets how many milliseconds its clock is off. */
const startWithClock = Effect.fnUntraced(function* (env: Readonly<Record<string, string>> = {}) {
  const directory = yield* temporaryDirectory
  const file = join(directory, "clock")
  const setClock = (millis: number) => Effect.sync(() => writeFileSync(file, String(millis)))
  yield* setClock(0)
  const target = yield* startTarget(directory, {
    NODE_OPTIONS: `--import ${new URL("clock.mjs", import.meta.url).href}`,
    CLOCK_FILE: file,
    ...env
  })
  return { target, setClock }
})

const request = ({ server }: Target, email: string) =>
  send(`${server.url}/api/v1/access-requests`, {
    body: JSON.stringify({ name: "Ada", email, company: "Acme" })
  })

const repeatable = ({ server }: Target, key: string, idempotencyKey: string) =>
  send(`${server.url}/api/v1/forecast`, { key, body: sample, idempotencyKey })

export const clockBack: Attack = {
  name: "the clock is two days ahead and then set back: who has to wait",
  run: Effect.fnUntraced(function* () {
    const { setClock, target } = yield* startWithClock()
    const key = yield* issueKey(target, "ada")
    const rotate = send(`${target.server.url}/api/v1/keys/rotate`, { method: "POST", key, body: '{"grace_hours":72}' })
    yield* setClock(2 * day)
    const ahead = yield* Effect.forEach(Array.from({ length: 25 }).keys(), (i) =>
      request(target, `a${i}@people.example`)
    )
    yield* Effect.replicateEffect(rotate, 12)
    yield* setClock(0)
    const replies = [yield* request(target, "late@people.example"), yield* rotate, ...ahead]
    const waits = replies.map(({ headers }) => Number(headers.get("retry-after") ?? 0))
    const good = yield* forecast(target, key)
    const ready = yield* send(`${target.admin}/readyz`)
    const isSent = yield* within(
      10_000,
      () => valueOf(target, "SELECT count(*) FROM mails WHERE state = 'queued'") === 0
    )
    return {
      figure: `${countOf(replies, 429)} of ${replies.length} refused, for ${Math.max(...waits)} s at most; mails ${isSent ? "sent" : "QUEUED"}, a forecast ${good.status}`,
      isDefended:
        countOf(ahead, 429) > 0 && Math.max(...waits) <= 3660 && isSent && good.status === 200 && ready.status === 200
    }
  })
}

export const clockAhead: Attack = {
  name: "the clock is 40 days ahead and then set back: the answers stored meanwhile",
  run: Effect.fnUntraced(function* () {
    const { setClock, target } = yield* startWithClock()
    const key = yield* issueKey(target, "ada")
    yield* setClock(40 * day)
    const first = yield* repeatable(target, key, "ahead")
    yield* setClock(0)
    const again = yield* repeatable(target, key, "ahead")
    const isReplayed = again.text === first.text && again.headers.get("idempotent-replayed") === "true"
    yield* stop(target.server, "SIGTERM")
    // An expired answer behind one from the future.
    change(
      target,
      `INSERT INTO idempotent_answers (scope, operation, idempotency_key, fingerprint, answer, created_at)
       SELECT scope, operation, 'old', fingerprint, answer, created_at - 41 * ${day} - 3600000 FROM idempotent_answers`
    )
    yield* purge(target)
    const isPurged = valueOf(target, "SELECT count(*) FROM idempotent_answers WHERE idempotency_key = 'old'") === 0
    const future = valueOf(target, `SELECT max(created_at) - unixepoch() * 1000 FROM idempotent_answers`)
    return {
      figure: `retried: ${isReplayed ? "the same answer" : "ANOTHER answer"}; the old answer ${isPurged ? "gone" : "KEPT"}, the newest is dated ${String(future)} ms ahead`,
      isDefended: first.status === 200 && isReplayed && isPurged && Number(future) <= 60_000
    }
  })
}

export const clockOnPostgres: Attack = {
  name: "the clock of an instance on Postgres jumps 40 days ahead and back, and an hour back",
  run: Effect.fnUntraced(function* () {
    const postgres = yield* Effect.acquireRelease(Effect.promise(startPostgres), ({ stop }) => Effect.promise(stop))
    const { setClock, target } = yield* startWithClock({ DATABASE_URL: postgres.url })
    const statuses: Array<number> = []
    const answered = new Map<string, string>()
    for (const [name, offset] of [
      ["now", 0],
      ["ahead", 40 * day],
      ["back", 0],
      ["hour", -day / 24],
      ["again", 0]
    ] as const) {
      yield* setClock(offset)
      const replies = [
        yield* repeatable(target, "demo", name),
        yield* forecast(target),
        yield* send(`${target.server.url}/readyz`),
        yield* send(`${target.server.url}/api/v1/usage`, { key: "demo" })
      ]
      statuses.push(...replies.map(({ status }) => status))
      answered.set(name, replies[0]?.text ?? "")
    }
    let replayed = 0
    for (const [name, text] of answered) if ((yield* repeatable(target, "demo", name)).text === text) replayed++
    yield* request(target, "ada@people.example")
    const isSent = yield* within(10_000, () => target.server.stderr().includes("mail written"))
    const verified = yield* run(target.directory, ["ledger", "verify"], { DATABASE_URL: postgres.url })
    const good = statuses.filter((status) => status === 200).length
    return {
      figure: `${good} of ${statuses.length} answers 200, ${replayed} of ${answered.size} repeated ones the same, a mail ${isSent ? "sent" : "QUEUED"}, the ledger ${verified.code === 0 ? "sound" : "UNSOUND"}`,
      isDefended: good === statuses.length && replayed === answered.size && isSent && verified.code === 0
    }
  })
}

/** Deletes what the service deletes once its clock has been steady for an hour. */
const purge = (target: Target) =>
  Effect.flatMap(Retention, ({ purge }) => purge).pipe(
    Effect.provide(configuredStores.pipe(Layer.provide(settings({ DATABASE_URL: `sqlite:${databaseOf(target)}` })))),
    Effect.orDie
  )

/** Rows that must be deleted once they are old. */
const passing = {
  mails: "SELECT count(*) FROM mails",
  links: "SELECT count(*) FROM reveal_links",
  tokens: "SELECT count(*) FROM reveal_tokens",
  "unconfirmed keys": "SELECT count(*) FROM api_keys WHERE state = 'unconfirmed'",
  "ended secrets": "SELECT count(*) FROM key_secrets WHERE expires_at IS NOT NULL",
  "unpaid orders": "SELECT count(*) FROM orders",
  "secrets of orders": "SELECT count(*) FROM order_secrets",
  "payment events": "SELECT count(*) FROM payment_events",
  answers: "SELECT count(*) FROM idempotent_answers",
  sessions: "SELECT count(*) FROM account_sessions"
}

const ageing = `
  UPDATE mails SET created_at = created_at - :past;
  UPDATE reveal_links SET created_at = created_at - :past, expires_at = expires_at - :past;
  UPDATE api_keys SET created_at = created_at - :past;
  UPDATE key_secrets SET created_at = created_at - :past, expires_at = expires_at - :past;
  UPDATE orders SET created_at = created_at - :past, due_at = due_at - :past;
  UPDATE payment_events SET created_at = created_at - :past;
  UPDATE idempotent_answers SET created_at = created_at - :past;
  UPDATE account_sessions SET created_at = created_at - :past, expires_at = expires_at - :past`

export const lifetimes: Attack = {
  name: "a hundred days pass: the data that is left",
  run: Effect.fnUntraced(function* (target) {
    const key = yield* issueKey(target, "ada")
    yield* repeatable(target, key, "once")
    yield* send(`${target.server.url}/api/v1/keys/rotate`, { method: "POST", key })
    yield* request(target, "ada@people.example")
    const order = { pack: "starter", name: "Bob", email: "bob@people.example", company: "Acme" }
    yield* send(`${target.server.url}/api/v1/orders`, { body: JSON.stringify(order) })
    yield* within(10_000, () => valueOf(target, "SELECT count(*) FROM mails WHERE state = 'sent'") === 2)
    yield* stop(target.server, "SIGTERM")
    change(target, "INSERT INTO payment_events (id, created_at) VALUES ('evt_1', unixepoch() * 1000)")
    change(
      target,
      `INSERT INTO account_sessions (hash, secret_hash, created_at, expires_at)
       SELECT hex(randomblob(32)), hash, unixepoch() * 1000, unixepoch() * 1000 + 1800000 FROM key_secrets`
    )
    const ledger = () => valueOf(target, "SELECT count(*) || ' entries, ' || sum(delta) FROM credit_ledger")
    const before = { ledger: ledger(), counts: Object.values(passing).map((sql) => valueOf(target, sql)) }
    change(target, ageing.replaceAll(":past", String(100 * day)))
    yield* purge(target)
    const kinds = Object.entries(passing).flatMap(([kind, sql]) => (valueOf(target, sql) === 0 ? [] : [kind]))
    return {
      figure: `${before.counts.length - kinds.length} of ${before.counts.length} kinds of data gone${kinds.length === 0 ? "" : `, but ${kinds.join(", ")}`}; the ledger has ${String(ledger())}`,
      isDefended: before.counts.every((count) => Number(count) > 0) && kinds.length === 0 && ledger() === before.ledger
    }
  })
}
