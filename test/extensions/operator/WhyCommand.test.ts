import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { AccessRequests } from "../../../src/keys/AccessRequests.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { CallCounts } from "../../../src/keys/CallCounts.ts"
import { Credits } from "../../../src/credits/Credits.ts"
import { Mails } from "../../../src/mail/Mails.ts"
import { Outbox } from "../../../src/mail/Outbox.ts"
import { OrderStore } from "../../../src/orders/OrderStore.ts"
import { defaultCreditPacks } from "../../../src/settings/CreditPack.ts"
import { applicationOn, installedDirectory, newPostgresDatabase } from "../../support/Application.ts"
import { SubKeys } from "../../../src/extensions/subkeys/SubKeys.ts"
import { runHere } from "../../support/CommandLine.ts"
import { orderOf, placeOrder } from "../../support/Orders.ts"
import { jsonOf } from "../../support/Requests.ts"

const owner = { name: "Ada", email: "ada@example.com", company: "Example" }
const noon = 1_795_435_200_000

/** Ada has used up her credits, has ordered more, and her mail server refuses the email about it. */
const story = Effect.gen(function* () {
  const [pack = assert.fail()] = defaultCreditPacks
  const { key, secret } = yield* (yield* ApiKeys).issue(owner, 1)
  const charge = yield* (yield* Credits).charge(key.id, { cost: 1, answer: () => "" })
  const order = yield* placeOrder(pack, key)
  const [mail = assert.fail()] = yield* (yield* Mails).list(undefined, 2)
  yield* (yield* Outbox).put({ ...mail, state: "dead", attempts: 3, lastError: "550 mailbox full" })
  const call = { prefix: key.secretPrefix, day: "2026-11-23", calls: 12, lastAt: noon }
  yield* (yield* CallCounts).add([
    { ...call, code: "usage_exhausted", lastRequestId: "req-429" },
    { ...call, prefix: "ofk_test_00000000", code: "invalid_key", lastRequestId: "req-401" }
  ])
  const { subKey } = yield* (yield* SubKeys).create(key.id, { name: "CRM", monthlyLimit: null })
  yield* (yield* CallCounts).add([
    { ...call, prefix: subKey.secretPrefix, code: "sub_key", lastRequestId: "req-403", lastAt: noon - 1 }
  ])
  return {
    subKey: subKey.id,
    subKeyPrefix: subKey.secretPrefix,
    prefix: key.secretPrefix,
    keyId: key.id,
    secret: Redacted.value(secret),
    order: order.id,
    mail: mail.id,
    charge: charge.reference ?? assert.fail("no charge")
  }
})

for (const name of ["SQLite", "Postgres"] as const) {
  describe(`why, on ${name}`, () => {
    it.live("shows everything about a customer from any of its identifiers, and what to do", () =>
      Effect.gen(function* () {
        const directory = yield* installedDirectory
        const url = name === "SQLite" ? `sqlite:${directory}/data/outreach-forecast.db` : yield* newPostgresDatabase
        const env = { DATABASE_URL: url }
        const of = yield* Effect.provide(story, applicationOn(url))
        const why = (...args: ReadonlyArray<string>) => runHere(directory, ["why", ...args], env)
        for (const [who, what] of [
          ["Ada@example.com", "an address"],
          [of.prefix, "a key"],
          [of.keyId, "a key"],
          [of.secret, "a key"],
          [of.subKey, "a sub-key"],
          [of.subKeyPrefix, "a sub-key"],
          ["req-403", "a request that was refused with sub_key"],
          [of.order, "an order"],
          [of.mail, "an email: "],
          [of.charge, "an entry of the ledger: forecast, -1 credits"],
          ["req-429", "a request that was refused with usage_exhausted"]
        ] as const) {
          const { code, stderr, stdout } = yield* why(who)
          assert.strictEqual(code, 0, stderr)
          assert.include(stdout, ` is ${what}`)
          assert.include(stdout, "Found: 1 key, 1 order, 1 email.\n")
          assert.match(stdout, /^credits +0 of 1 left: forecasts get usage_exhausted until it gets more$/m)
          assert.match(
            stdout,
            /^limits +1000 requests per second at each instance, .* by the settings of this command$/m
          )
          assert.match(stdout, /^2026-11-23 +usage_exhausted +12 +2026-11-23T12:00:00.000Z +req-429$/m)
          assert.match(stdout, /^2026-11-23 +sub_key +12 +2026-11-23T11:59:59.999Z +req-403$/m)
          assert.match(
            stdout,
            /^waits for +your confirmation of the payment: orders fulfil ord_\w+ --reference PAYMENT$/m
          )
          assert.match(stdout, /^last error +550 mailbox full\nwhat to do +mails retry /m)
          assert.notInclude(stdout, of.secret)
        }
        assert.include(jsonOf((yield* why(of.secret, "--json")).stdout), { who: of.prefix, what: "a key" })
        const json = jsonOf((yield* why(of.order, "--json")).stdout)
        assert.containsSubset(json, {
          what: "an order",
          keys: [
            {
              credits_remaining: 0,
              requests_per_second: 1000,
              calls: [
                { result: "usage_exhausted", calls: 12 },
                { result: "sub_key", calls: 12 }
              ]
            }
          ],
          orders: [
            {
              id: of.order,
              waits_for: `your confirmation of the payment: orders fulfil ${of.order} --reference PAYMENT`
            }
          ],
          mails: [{ id: of.mail, last_error: "550 mailbox full" }],
          has_more: false
        })
      })
    )

    it.live("shows the refusals of a nonexistent key, and says where else to look", () =>
      Effect.gen(function* () {
        const directory = yield* installedDirectory
        const url = name === "SQLite" ? `sqlite:${directory}/data/outreach-forecast.db` : yield* newPostgresDatabase
        yield* Effect.provide(story, applicationOn(url))
        for (const who of ["ofk_test_00000000", `ofk_test_${"0".repeat(38)}`, "req-401"]) {
          const { code, stdout } = yield* runHere(directory, ["why", who], { DATABASE_URL: url })
          assert.strictEqual(code, 0)
          assert.include(stdout, "No key begins with ofk_test_00000000\n")
          assert.match(stdout, /2026-11-23 +invalid_key +12/)
          assert.notInclude(stdout, "0000000000")
        }
        const nothing = yield* runHere(directory, ["why", "req-unknown"], { DATABASE_URL: url })
        assert.strictEqual(nothing.code, 1)
        assert.include(nothing.stderr, "Nothing is stored about req-unknown. For a request, look for its request_id in")
      })
    )

    it.live("suggests the addresses near one that nothing is stored about, and no others", () =>
      Effect.gen(function* () {
        const directory = yield* installedDirectory
        const url = name === "SQLite" ? `sqlite:${directory}/data/outreach-forecast.db` : yield* newPostgresDatabase
        const [pack = assert.fail()] = defaultCreditPacks
        const people = Effect.gen(function* () {
          const keys = yield* ApiKeys
          for (const email of ["Jon.Smith@example.com", "john.smith@example.org", "mary.jones@example.com"])
            yield* keys.issue({ ...owner, email }, 1)
          // The index on addresses does not find those that begin with another letter.
          yield* keys.issue({ ...owner, email: "tohn.smith@example.com" }, 1)
          // Two letters: no piece of the name is left to look for.
          yield* keys.issue({ ...owner, email: "a%@example.com" }, 1)
          yield* placeOrder(pack, { ...owner, email: "john.smyth@example.com" })
          // An address of a key and of an order is that of a key.
          const { key } = yield* keys.issue({ ...owner, email: "joan.smith@example.com" }, 1)
          yield* placeOrder(pack, key)
        })
        yield* Effect.provide(people, applicationOn(url))
        const nothingAbout = Effect.fnUntraced(function* (who: string) {
          const { code, stderr } = yield* runHere(directory, ["why", who], { DATABASE_URL: url })
          assert.strictEqual(code, 1, who)
          return stderr.replaceAll(/\s+/g, " ")
        })
        assert.include(
          yield* nothingAbout("John.Smith@example.com"),
          "Nothing is stored about John.Smith@example.com. Near: joan.smith@example.com (a key), " +
            "john.smyth@example.com (an order), Jon.Smith@example.com (a key), john.smith@example.org (a key)"
        )
        assert.include(yield* nothingAbout("ab@example.com"), "Near: a%@example.com (a key)")
        for (const who of ["nobody@nowhere.example", "@example.com", "mary@example.com"])
          assert.include(yield* nothingAbout(who), `about ${who}. No key and no order has a similar address`)
      })
    )
  })
}

describe("why", () => {
  it.live("names an unconfirmed key by its ID, as it has no prefix yet", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const request = Effect.flatMap(AccessRequests, (requests) => requests.request(owner))
      yield* Effect.provide(request, applicationOn(`sqlite:${directory}/data/outreach-forecast.db`))
      const { stdout } = yield* runHere(directory, ["why", owner.email])
      assert.match(stdout, /^key +key_\w+\nstate +unconfirmed/m)
    })
  )

  it.live("shows what is still stored about an erased person", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const of = yield* Effect.provide(story, applicationOn(`sqlite:${directory}/data/outreach-forecast.db`))
      yield* runHere(directory, ["keys", "erase", of.prefix, "--yes"])
      const { stdout } = yield* runHere(directory, ["why", of.prefix])
      assert.include(stdout, "Found: 1 key, 1 order, 0 emails.")
      assert.match(stdout, /^state +permanently revoked/m)
      assert.match(stdout, /^waits for +nothing$/m)
    })
  )
})

describe("a disputed payment", () => {
  it.live("is what its order waits for, and is in the report of doctor", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const url = `sqlite:${directory}/data/outreach-forecast.db`
      const disputed = orderOf("disputed", { method: "stripe", disputeId: "dp_1", dispute: "open" })
      yield* Effect.provide(
        Effect.flatMap(OrderStore, ({ insert }) => insert(disputed)),
        applicationOn(url)
      )
      const why = yield* runHere(directory, ["why", disputed.id])
      assert.match(why.stdout, /^waits for +Stripe's decision on the dispute dp_1: answer it there$/m)
      const doctor = yield* runHere(directory, ["doctor"], { PORT: "1" })
      assert.match(doctor.stdout, /^note {4}disputes +1 payment disputed: ord_disputed$/m)
      assert.strictEqual(doctor.code, 0)
    })
  )
})

describe("a list", () => {
  it.live("is limited to one person if an address is given, and says if it is truncated", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const url = `sqlite:${directory}/data/outreach-forecast.db`
      const of = yield* Effect.provide(story, applicationOn(url))
      yield* Effect.provide(
        Effect.gen(function* () {
          const mails = yield* Mails
          for (let i = 0; i < 60; i++) yield* mails.enqueue(`${i}@example.com`, { subject: "s", text: "t", html: "h" })
        }),
        applicationOn(url)
      )
      const env = { DATABASE_URL: url }
      const all = yield* runHere(directory, ["mails", "list"], env)
      assert.lengthOf(all.stdout.trim().split("\n"), 51)
      assert.strictEqual(all.stderr, "There are more than 50 rows; to see them, raise --limit.\n")
      const adasMails = yield* runHere(directory, ["mails", "list", "ADA@example.com"], env)
      assert.deepStrictEqual(
        [adasMails.stdout.includes(of.mail), adasMails.stdout.trim().split("\n").length],
        [true, 2]
      )
      assert.strictEqual(adasMails.stderr, "")
      for (const args of [
        ["list", "ada@example.com"],
        ["list", "ada@example.com", "--state", "awaiting_payment"]
      ]) {
        const orders = yield* runHere(directory, ["orders", ...args], env)
        assert.include(orders.stdout, of.order)
      }
      for (const args of [
        ["list", "bob@example.com"],
        ["list", "ada@example.com", "--overdue"]
      ]) {
        const orders = yield* runHere(directory, ["orders", ...args], env)
        assert.strictEqual(orders.stdout, "none\n")
      }
      const none = yield* runHere(directory, ["orders", "list", "--limit", "0"], env)
      assert.strictEqual(none.code, 1)
    })
  )
})
