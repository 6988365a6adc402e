import { Effect, Schema } from "effect"
import { temporaryDirectory } from "../../test/support/Application.ts"
import {
  type Attack,
  change,
  countOf,
  forecast,
  issueKey,
  processorMillisOf,
  type Reply,
  sample,
  send,
  startTarget,
  type Target,
  valueOf
} from "./Attack.ts"
import { newSecret } from "./Crowd.ts"

/**
 * The processor time of one response in milliseconds, the least of three rounds, and the responses. No two bodies are
 * alike.
 */
const costOf = Effect.fnUntraced(function* (target: Target, body: string) {
  const replies: Array<Reply> = []
  let least = Infinity
  let sent = 0
  const another = Effect.suspend(() => forecast(target, "demo", `${body}${" ".repeat(sent++)}`))
  for (let round = 0; round < 3; round++) {
    const before = processorMillisOf(target)
    replies.push(...(yield* Effect.replicateEffect(another, 10)))
    least = Math.min(least, (processorMillisOf(target) - before) / 10)
  }
  return { least, replies }
})

const costly = (name: string, body: string): Attack => ({
  name,
  run: Effect.fnUntraced(function* (target) {
    const plain = yield* costOf(target, sample.replace('"reply_rate":5', '"reply_rate":500'))
    const { least, replies } = yield* costOf(target, body)
    const longest = Math.max(...replies.map(({ text }) => text.length))
    return {
      figure: `${countOf(replies, 400)} of ${replies.length} refused, ${least.toFixed(2)} ms each (one wrong field: ${plain.least.toFixed(2)} ms), ${longest} characters`,
      isDefended: countOf(replies, 400) === replies.length && longest < 16_384 && least < 8 * plain.least
    }
  })
})

const unknownFields = Array.from({ length: 2000 }, (_, i) => `"${i.toString(36)}":1`).join(",")
const names = ["emails_sent", "reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"]

export const manyFields = costly("2,000 unknown fields in 16 KiB", `{${unknownFields}}`)
export const manyDigits = costly(
  "numbers of 1,100 digits in a few bytes",
  `{${names.map((name) => `"${name}":1e-1100`).join(",")}}`
)

export const rotations: Attack = {
  name: "30 rotations of one key",
  run: Effect.fnUntraced(function* (target) {
    let key = yield* issueKey(target, "rotating")
    const replies = yield* Effect.replicateEffect(
      Effect.suspend(() => send(`${target.server.url}/api/v1/keys/rotate`, { method: "POST", key })).pipe(
        Effect.tap(({ text }) =>
          Effect.sync(() => {
            key = /"api_key":"([^"]+)"/.exec(text)?.[1] ?? key
          })
        )
      ),
      30
    )
    const made = countOf(replies, 200)
    const refused = countOf(replies, 429)
    return {
      figure: `${made} rotated, ${refused} refused`,
      isDefended: made > 0 && made <= 10 && made + refused === 30
    }
  })
}

const secretsOf = (name: string) =>
  `SELECT count(*) FROM key_secrets s JOIN api_keys k ON k.id = s.key_id WHERE k.email = '${name}@honest.example'`

export const oldSecrets: Attack = {
  name: "a rotation of a key with 4,000 expired secrets and 700 that have not expired",
  run: Effect.fnUntraced(function* (target) {
    const key = yield* issueKey(target, "old")
    const now = Math.round(performance.timeOrigin + performance.now())
    const add = (count: number, expiresAt: number) =>
      change(
        target,
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
         INSERT INTO key_secrets (hash, key_id, prefix, created_at, first_used_at, expires_at)
         SELECT hex(randomblob(32)), id, secret_prefix, 0, 0, ${expiresAt} FROM api_keys, n
         WHERE email = 'old@honest.example'`
      )
    add(4000, now - 1000)
    add(700, now + 72 * 3_600_000)
    const { millis, status } = yield* send(`${target.server.url}/api/v1/keys/rotate`, { method: "POST", key })
    const left = valueOf(target, secretsOf("old"))
    return {
      figure: `${status} after ${millis.toFixed(0)} ms, ${String(left)} secrets left`,
      isDefended: status === 200 && left === 702
    }
  })
}

export const orders: Attack = {
  name: "20 orders by one key",
  run: Effect.fnUntraced(function* (target) {
    const key = yield* issueKey(target, "ordering")
    const order = send(`${target.server.url}/api/v1/orders`, { key, body: '{"pack":"starter"}' })
    const replies = yield* Effect.replicateEffect(order, 20, { concurrency: 20 })
    const placed = countOf(replies, 201)
    const statuses = [...new Set(replies.map(({ status }) => status))].join(", ")
    return {
      figure: `${placed} placed; statuses ${statuses}`,
      isDefended: placed > 0 && placed <= 5 && replies.every(({ status }) => status === 201 || status === 409)
    }
  })
}

const decodeCreated = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ api_key: Schema.String, sub_key_id: Schema.String }))
)

export const subKeyLimit: Attack = {
  name: "200 forecasts at once by a sub-key that may have 20 more",
  run: Effect.fnUntraced(function* (target) {
    const key = yield* issueKey(target, "limiting", 1000)
    const url = `${target.server.url}/api/v1`
    const created = yield* send(`${url}/sub-keys`, { key, body: '{"name":"CRM","monthly_limit":30}' })
    const { api_key } = decodeCreated(created.text)
    const forecast = send(`${url}/forecast`, { key: api_key, body: sample })
    yield* Effect.replicateEffect(forecast, 10)
    const replies = yield* Effect.replicateEffect(forecast, 200, { concurrency: 200 })
    const answered = countOf(replies, 200)
    const refused = replies.filter(({ text }) => text.includes('"sub_key_limit_reached"')).length
    const taken = valueOf(target, "SELECT count(*) FROM credit_ledger WHERE sub_key_id IS NOT NULL")
    return {
      figure: `${answered} answered, ${refused} refused; ${String(taken)} credits taken with the 10 before`,
      isDefended: answered === 20 && refused === 180 && taken === 30
    }
  })
}

export const freeChanges: Attack = {
  name: "500 changes of a sub-key",
  run: Effect.fnUntraced(function* (target) {
    const key = yield* issueKey(target, "changing")
    const url = `${target.server.url}/api/v1/sub-keys`
    const created = yield* send(url, { key, body: '{"name":"CRM"}' })
    const path = `${url}/${decodeCreated(created.text).sub_key_id}`
    const replies = yield* Effect.forEach(
      Array.from({ length: 500 }, (_, i) => i + 1),
      (limit) => send(path, { key, method: "PATCH", body: `{"monthly_limit":${limit}}` }),
      { concurrency: 20 }
    )
    const [changed, refused] = [countOf(replies, 200), countOf(replies, 429)]
    const rows = valueOf(target, "SELECT count(*) FROM audit_log WHERE action = 'sub_key_changed'")
    return {
      figure: `${changed} made, ${refused} refused, in ${String(rows)} entries of the audit log`,
      isDefended: changed + refused === 500 && changed <= 20 && Number(rows) === 1
    }
  })
}

export const revokedSubKeys: Attack = {
  name: "a key with 20,000 revoked sub-keys",
  run: Effect.fnUntraced(function* (target) {
    const key = yield* issueKey(target, "revoking")
    const now = Math.round(performance.timeOrigin + performance.now())
    change(
      target,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
       INSERT INTO sub_keys (id, key_id, name, folded_name, secret_prefix, created_at, revoked_at)
       SELECT 'sub_' || printf('%016d', i), id, 'n' || i, 'n' || i, '', ${now - 1000}, ${now - 1000}
       FROM api_keys, n WHERE email = 'revoking@honest.example'`
    )
    const url = `${target.server.url}/api/v1/sub-keys`
    const spentOn = (sent: Parameters<typeof send>[1]) =>
      Effect.gen(function* () {
        const before = processorMillisOf(target)
        const { status } = yield* send(url, { key, ...sent })
        return { status, millis: processorMillisOf(target) - before }
      })
    yield* send(url, { key })
    const listed = yield* spentOn({})
    const created = yield* spentOn({ body: '{"name":"one more"}' })
    return {
      figure: `a list ${listed.status} in ${listed.millis.toFixed(1)} ms of processor time, one more ${created.status} in ${created.millis.toFixed(1)} ms`,
      isDefended: listed.status === 200 && created.status === 201 && Math.max(listed.millis, created.millis) < 30
    }
  })
}

export const forgedAddresses: Attack = {
  name: "220 wrong keys from as many invented addresses, behind a proxy and without one",
  run: Effect.fnUntraced(function* (target) {
    const behindProxy = yield* startTarget(yield* temporaryDirectory, { TRUSTED_PROXIES: "127.0.0.1" })
    const wrong = yield* Effect.replicateEffect(newSecret, 220)
    const guess = Effect.fnUntraced(function* ({ server }: Target, forwardedFor: (made: string) => string) {
      const started = performance.now()
      const replies = yield* Effect.forEach(
        wrong,
        ({ secret }, i) =>
          send(`${server.url}/api/v1/usage`, {
            key: secret,
            headers: {
              "x-forwarded-for": forwardedFor(`198.51.100.${i}, 203.0.113.${i}`),
              forwarded: `for=198.51.100.${i};host=evil.example;proto=https`,
              "x-real-ip": `198.51.100.${i}`
            },
            timeout: 3000
          }),
        { concurrency: "unbounded" }
      )
      const looked = countOf(replies, 401)
      return { looked, isBounded: looked > 0 && looked <= 101 + (100 * (performance.now() - started)) / 60_000 }
    })
    const direct = yield* guess(target, (made) => made)
    // A proxy appends the address that it sees to the client's header.
    const proxied = yield* guess(behindProxy, (made) => `${made}, 192.0.2.1`)
    return {
      figure: `${direct.looked} and ${proxied.looked} of 220 looked up`,
      isDefended: direct.isBounded && proxied.isBounded
    }
  })
}
