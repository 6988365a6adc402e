import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { firstMailsPerHour } from "../../src/http/KeylessLimits.ts"
import { keylessMails } from "../../src/Limits.ts"
import { Mails } from "../../src/mail/Mails.ts"
import { applications } from "../support/Application.ts"
import { post, sendAdmin, server } from "../support/Http.ts"

let addresses = 0
const owner = () => ({ name: "x", email: `a${++addresses}@flood.example`, company: "x" })

/** Requests access for an address that was never used before, from a client behind the trusted proxy. */
const request = (client: string) =>
  post("/api/v1/access-requests", { body: JSON.stringify(owner()), headers: { "x-forwarded-for": client } })

const order = (client: string) =>
  post("/api/v1/orders", {
    body: JSON.stringify({ pack: "starter", ...owner() }),
    headers: { "x-forwarded-for": client }
  })

const accepted = (sent: ReadonlyArray<{ readonly status: number }>) => sent.filter(({ status }) => status < 300).length

/** The clients of different networks. */
const clients = (count: number) => Array.from({ length: count }, (_, i) => `203.0.113.${i + 1}`)

const env = { TRUSTED_PROXIES: "127.0.0.1", KEYLESS_MAILS_PER_HOUR: "30", ADMIN_PORT: "0" }

for (const [database, application] of Object.entries(applications)) {
  const running = (changes: Partial<typeof env> = {}) =>
    Effect.provide(server.pipe(Layer.provideMerge(application({ env: { ...env, ...changes } }))))

  describe(`emails for requests without a key, in ${database}`, () => {
    it.effect("are limited to 20 an hour for a /56, whichever of its /64 networks asks for them", () =>
      Effect.gen(function* () {
        const of = (site: string) => Effect.forEach(clients(25), (_, i) => request(`2001:db8:0:${site}${10 + i}::1`))
        assert.strictEqual(accepted(yield* of("a0")), 20)
        assert.strictEqual(accepted(yield* of("b0")), 20)
      }).pipe(running({ KEYLESS_MAILS_PER_HOUR: "200" }))
    )

    it.effect("are limited in all, but who floods shuts out only those that had one already", () =>
      Effect.gen(function* () {
        const flood = yield* Effect.forEach(clients(12), (client) =>
          Effect.replicateEffect(Effect.all([request(client), order(client)]), 5)
        )
        assert.strictEqual(accepted(flood.flat(2)), 12 + 30)
        assert.lengthOf(yield* (yield* Mails).list(undefined, 1000), 12 + 30)
        const refused = yield* request("203.0.113.1")
        assert.include(refused.problem, { status: 429, code: "rate_limited" })
        assert.isAtMost(Number(refused.headers.get("retry-after")), 3600)

        // Others still get their first one.
        const newcomer = "198.51.100.7"
        assert.deepStrictEqual([(yield* request(newcomer)).status, (yield* order(newcomer)).status], [202, 429])
        assert.match(
          (yield* sendAdmin("/metrics")).text,
          /^outreach_forecast_mails_keyless_total\{result="refused"\} [1-9]/m
        )

        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual([(yield* request(newcomer)).status, (yield* order(newcomer)).status], [202, 201])
      }).pipe(running())
    )

    it.effect("do not count with those of all addresses if their own address gets no more", () =>
      Effect.gen(function* () {
        const body = JSON.stringify(owner())
        const again = (client: string) =>
          post("/api/v1/access-requests", { body, headers: { "x-forwarded-for": client } })
        yield* request("203.0.113.1")
        assert.strictEqual(accepted(yield* Effect.replicateEffect(again("203.0.113.1"), 15)), 5)
        assert.deepStrictEqual(
          [(yield* request("203.0.113.1")).status, (yield* request("203.0.113.1")).status],
          [202, 429]
        )
      }).pipe(running({ KEYLESS_MAILS_PER_HOUR: "6" }))
    )

    it.effect("are limited too where each is the first of its network", () =>
      Effect.gen(function* () {
        const limiter = yield* RateLimiter.make
        const many = {
          key: keylessMails.first,
          limit: firstMailsPerHour,
          window: "1 hour" as const,
          tokens: firstMailsPerHour - 1
        }
        yield* Effect.orDie(limiter.consume(many))
        assert.deepStrictEqual(
          [(yield* request("203.0.113.1")).status, (yield* request("203.0.113.2")).status],
          [202, 429]
        )
        assert.strictEqual((yield* request("203.0.113.1")).status, 202)
      }).pipe(running())
    )
  })
}
