import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Option, Queue, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import { Mailer, maxReason, NotDelivered, Postbox } from "../../src/mail/Mailer.ts"
import { Mails } from "../../src/mail/Mails.ts"
import * as MailWorker from "../../src/mail/MailWorker.ts"
import { Outbox } from "../../src/mail/Outbox.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { defaultCreditPacks } from "../../src/settings/CreditPack.ts"
import { applications } from "../support/Application.ts"
import { withMailer, withPostbox } from "../support/Mail.ts"
import { placeOrder } from "../support/Orders.ts"
import { untilFound } from "../support/Process.ts"

const { deliverDue } = MailWorker

const message = { subject: "Hello", text: "text", html: "<p>html</p>" }
const down = Effect.fail(new NotDelivered({ reason: "connection refused", isPermanent: false }))
const refused = Effect.fail(new NotDelivered({ reason: "550 no such user", isPermanent: true }))

/** A server that quotes the link of each letter in a reason so long that the end of the link would be cut. */
const quoting = Layer.succeed(Mailer, {
  send: ({ link }) => {
    const reason = `${"-".repeat(maxReason - link.length + 1)}${link}${"-".repeat(maxReason)}`
    return Effect.fail(new NotDelivered({ reason, isPermanent: false }))
  }
})

const onlyMail = Effect.gen(function* () {
  const mails = yield* Mails
  const [mail, ...others] = yield* mails.list(undefined, 10)
  assert.lengthOf(others, 0)
  return mail ?? assert.fail("There is no mail")
})

/** Makes the mail server silent for this many emails; returns when it becomes silent for each. */
const makeSilent = Effect.fnUntraced(function* (count: number) {
  const { responses } = yield* Postbox
  const started = yield* Queue.unbounded<void>()
  const silence = Effect.andThen(Queue.offer(started, undefined), Effect.never)
  responses.push(...Array.from({ length: count }, () => silence))
  return started
})

/** Advances the clock second by second until it finds the value. */
const secondsUntil = <A, E, R>(look: Effect.Effect<A, E, R>, isFound: (found: A) => boolean) =>
  untilFound(Effect.andThen(TestClock.adjust("1 second"), look), isFound)

for (const [name, application] of Object.entries(applications)) {
  const layer = () => withPostbox(application())

  describe(`MailWorker over ${name}`, () => {
    it.effect("sends an email once and records it", () =>
      Effect.gen(function* () {
        const mails = yield* Mails
        const { letters } = yield* Postbox
        yield* mails.enqueue("ada@example.com", message)
        assert.strictEqual(yield* deliverDue, 1)
        assert.strictEqual(yield* deliverDue, 0)
        assert.lengthOf(letters, 1)
        assert.deepInclude(yield* onlyMail, { state: "sent", attempts: 1, to: "ada@example.com" })
      }).pipe(Effect.provide(layer()))
    )

    it.effect("keeps no part of a link in a long reason", () =>
      Effect.gen(function* () {
        const mails = yield* Mails
        const urls = {
          site: "https://a.example",
          make: () => Effect.succeed(Redacted.make("https://a.example/canary"))
        }
        yield* mails.enqueue("ada@example.com", message, { kind: "order", id: "1" })
        assert.strictEqual(yield* Effect.provideService(deliverDue, MailWorker.MailUrls, urls), 1)
        const { lastError = "" } = yield* onlyMail
        assert.lengthOf(lastError, maxReason)
        assert.match(lastError, /^-+\(the link\)-+$/)
      }).pipe(Effect.provide(withMailer(quoting, application())))
    )

    it.effect("ignores a late failure if another worker has sent the email in the meantime", () =>
      Effect.gen(function* () {
        const mails = yield* Mails
        const { letters, responses } = yield* Postbox
        yield* TestClock.setTime(40 * 86_400_000)
        yield* mails.enqueue("ada@example.com", message)
        const arrived = yield* Deferred.make<void>()
        const mayFail = yield* Deferred.make<void>()
        responses.push(
          Deferred.succeed(arrived, undefined).pipe(Effect.andThen(Deferred.await(mayFail)), Effect.andThen(down))
        )
        const slow = yield* Effect.forkChild(deliverDue)
        yield* Deferred.await(arrived)
        // The clock was ahead: the lease of the slow worker is longer than possible.
        yield* TestClock.setTime(0)
        assert.strictEqual(yield* deliverDue, 1)
        yield* Deferred.succeed(mayFail, undefined)
        yield* Fiber.join(slow)
        assert.deepInclude(yield* onlyMail, { state: "sent", attempts: 2 })
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* deliverDue, 0)
        assert.lengthOf(letters, 1)
      }).pipe(Effect.provide(layer()))
    )

    it.effect("retries at most three emails without a response at a time, and sends others in the meantime", () =>
      Effect.gen(function* () {
        const mails = yield* Mails
        const { letters } = yield* Postbox
        const started = yield* makeSilent(11)
        for (let i = 0; i < 8; i++) yield* mails.enqueue(`a${i}@silent.example`, message)
        yield* Layer.build(MailWorker.layer)
        yield* Queue.takeN(started, 8)
        yield* TestClock.adjust("1 minute")
        yield* untilFound(mails.list("queued", 10), (found) => found.every(({ lastError }) => lastError !== undefined))
        yield* secondsUntil(Queue.size(started), (size) => size === 3)
        // The next one that is tried is sent, whichever it is.
        yield* mails.enqueue("ada@example.com", message)
        yield* secondsUntil(mails.list("sent", 10), ({ length }) => length > 0)
        assert.deepStrictEqual(
          letters.map(({ to }) => to),
          ["ada@example.com"]
        )
      }).pipe(Effect.provide(layer()))
    )

    it.effect("sends once more after a crash between sending and recording, with the same Message-ID", () =>
      Effect.gen(function* () {
        const mails = yield* Mails
        const outbox = yield* Outbox
        const { letters } = yield* Postbox
        yield* mails.enqueue("ada@example.com", message)
        // The crashed worker had claimed the email and recorded nothing.
        const claimed = yield* outbox.claim(0, 720_000, false)
        assert.strictEqual(yield* deliverDue, 0)
        yield* TestClock.adjust("12 minutes")
        assert.strictEqual(yield* deliverDue, 1)
        assert.strictEqual(letters[0]?.messageId, `${Option.getOrThrow(claimed).id}@outreach-forecast`)
        assert.strictEqual(yield* deliverDue, 0)
      }).pipe(Effect.provide(layer()))
    )

    it.effect("records no failure of an attempt after whose lease another one began, but its success", () =>
      Effect.gen(function* () {
        const { claim, find, record } = yield* Outbox
        const id = yield* (yield* Mails).enqueue("ada@example.com", message)
        const first = Option.getOrThrow(yield* claim(0, 1000, false))
        yield* claim(1000, 2000, false)
        const claimed = yield* find(id)
        yield* record({ ...first, state: "dead", nextAttemptAt: 1500, lastError: "550 no such user" })
        assert.deepStrictEqual(yield* find(id), claimed)
        yield* record({ ...first, state: "sent", sentAt: 1500 })
        assert.deepInclude(Option.getOrThrow(yield* find(id)), { state: "sent", sentAt: 1500 })
      }).pipe(Effect.provide(layer()))
    )

    it.effect("sends an email from only one of two workers", () =>
      Effect.gen(function* () {
        const mails = yield* Mails
        const { letters } = yield* Postbox
        for (let i = 0; i < 20; i++) yield* mails.enqueue(`a${i}@example.com`, message)
        const deliverAll = Effect.repeat(deliverDue, { while: (tried) => tried > 0 })
        yield* Effect.all([deliverAll, deliverAll, deliverAll], { concurrency: 3 })
        assert.lengthOf(letters, 20)
        assert.strictEqual(new Set(letters.map(({ to }) => to)).size, 20)
      }).pipe(Effect.provide(layer()))
    )
  })
}

describe("MailWorker", () => {
  const layer = () => withPostbox(applications.SQLite())

  it.effect("does not delay emails after a clock that was ahead", () =>
    Effect.gen(function* () {
      const mails = yield* Mails
      yield* TestClock.setTime(40 * 86_400_000)
      yield* mails.enqueue("ada@example.com", message)
      yield* TestClock.setTime(0)
      yield* deliverDue
      assert.strictEqual((yield* onlyMail).state, "sent")
    }).pipe(Effect.provide(layer()))
  )

  it.effect("survives an outage of the mail server for an hour, with growing pauses and the same Message-ID", () =>
    Effect.gen(function* () {
      const mails = yield* Mails
      const { letters, responses } = yield* Postbox
      yield* mails.enqueue("ada@example.com", message)
      let attempts = 0
      for (let minute = 0; minute < 60; minute++) {
        responses.splice(0, responses.length, down)
        attempts += yield* deliverDue
        yield* TestClock.adjust("1 minute")
      }
      assert.isAtLeast(attempts, 5)
      assert.isAtMost(attempts, 12)
      assert.deepInclude(yield* onlyMail, { state: "queued", lastError: "connection refused" })
      responses.length = 0
      yield* TestClock.adjust("30 minutes")
      yield* deliverDue
      assert.lengthOf(letters, 1)
      const { id, state } = yield* onlyMail
      assert.strictEqual(state, "sent")
      assert.strictEqual(letters[0]?.messageId, `${id}@outreach-forecast`)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("gives up at once on a permanent refusal, and retries when asked to", () =>
    Effect.gen(function* () {
      const mails = yield* Mails
      const { letters, responses } = yield* Postbox
      assert.deepStrictEqual(yield* mails.backlog, { queued: 0, dead: 0, oldestQueuedAt: undefined })
      yield* TestClock.setTime(9)
      yield* mails.enqueue("nobody@example.com", message)
      assert.deepStrictEqual(yield* mails.backlog, { queued: 1, dead: 0, oldestQueuedAt: 9 })
      responses.push(refused)
      yield* deliverDue
      assert.deepStrictEqual(yield* mails.backlog, { queued: 0, dead: 1, oldestQueuedAt: undefined })
      const dead = yield* onlyMail
      assert.deepInclude(dead, { state: "dead", lastError: "550 no such user" })
      assert.deepStrictEqual(
        (yield* mails.list("dead", 10)).map(({ id }) => id),
        [dead.id]
      )
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* deliverDue, 0)
      yield* mails.discard(dead.id)
      assert.strictEqual((yield* mails.discard(dead.id)).state, "discarded")
      assert.lengthOf(yield* mails.list("dead", 10), 0)
      yield* mails.retry(dead.id)
      assert.strictEqual((yield* Effect.flip(mails.discard(dead.id)))._tag, "MailNotDead")
      assert.strictEqual(yield* deliverDue, 1)
      assert.lengthOf(letters, 1)
      assert.strictEqual((yield* onlyMail).state, "sent")
      assert.strictEqual((yield* Effect.flip(mails.retry("no such mail")))._tag, "MailNotFound")
    }).pipe(Effect.provide(layer()))
  )

  it.effect("keeps an address quoted by the server for the operator, but out of the log", () => {
    const lines: Array<string> = []
    const logger = Logger.make<unknown, void>(({ fiber, message }) => {
      lines.push(JSON.stringify([message, fiber.getRef(References.CurrentLogAnnotations)]))
    })
    return Effect.gen(function* () {
      const mails = yield* Mails
      const { responses } = yield* Postbox
      yield* mails.enqueue("ada@b\u00FCcher.example", message)
      const reason = "550 5.1.1 <ADA@xn--bcher-kva.example>: no such user"
      responses.push(Effect.fail(new NotDelivered({ reason, isPermanent: true })))
      yield* deliverDue
      assert.strictEqual((yield* onlyMail).lastError, reason)
      assert.match(lines.join(), /550 5\.1\.1 <\(an address\)>: no such user/)
      assert.notMatch(lines.join(), /ada@/i)
    }).pipe(Effect.provide(layer().pipe(Layer.provideMerge(Logger.layer([logger])))))
  })

  it.effect("keeps no link that is quoted by the server, whatever it leads to", () => {
    const quoting = Layer.succeed(Mailer, {
      send: ({ text }) => Effect.fail(new NotDelivered({ reason: `554 no links as in ${text}`, isPermanent: true }))
    })
    return Effect.gen(function* () {
      const [pack = assert.fail()] = defaultCreditPacks
      const order = yield* placeOrder(pack, { name: "Ada", email: "ada@example.com", company: "Example" })
      yield* (yield* Orders).fulfil(order.id, { reference: "bank 7", paidAt: 0 })
      yield* Effect.repeat(deliverDue, { while: (tried) => tried > 0 })
      const mails = yield* (yield* Mails).list("dead", 10)
      // A link to the order, and one that reveals the key beside another one to the receipt.
      assert.deepStrictEqual(
        mails.map(({ lastError = "" }) => [
          new Set(lastError.match(/\(the link\)|https:\S+\/(?:confirm|orders)\S+/g)),
          lastError.includes("the receipt")
        ]),
        [
          [new Set(["(the link)"]), true],
          [new Set(["(the link)"]), false]
        ]
      )
    }).pipe(Effect.provide(withMailer(quoting, applications.SQLite({ env: { PAYMENT_INSTRUCTIONS: "To account 1" } }))))
  })

  it.effect("keeps an email erased that is erased while being sent, whatever the server responds", () =>
    Effect.gen(function* () {
      const mails = yield* Mails
      const { erase } = yield* Outbox
      const { responses } = yield* Postbox
      const whileErased = erase(["ADA@example.com"])
      const quoting = Effect.fail(new NotDelivered({ reason: "451 ada@example.com: try later", isPermanent: false }))
      for (const response of [quoting, Effect.void]) {
        yield* mails.enqueue("ada@example.com", message)
        responses.push(Effect.andThen(whileErased, response))
        assert.strictEqual(yield* deliverDue, 1)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* deliverDue, 0)
      }
      const found = yield* mails.list(undefined, 10)
      assert.deepStrictEqual(
        found.map(({ state }) => state),
        ["discarded", "discarded"]
      )
      assert.notInclude(JSON.stringify(found), "ada@example.com")
      for (const { id } of found) assert.strictEqual((yield* Effect.flip(mails.retry(id)))._tag, "MailErased")
    }).pipe(Effect.provide(layer()))
  )

  it.effect("marks an email as dead after its last attempt, and never loses it", () =>
    Effect.gen(function* () {
      const mails = yield* Mails
      const { responses } = yield* Postbox
      yield* mails.enqueue("ada@example.com", message)
      for (let i = 0; i < 100; i++) {
        responses.push(down)
        assert.strictEqual(yield* deliverDue, 1)
        yield* TestClock.adjust("30 minutes")
      }
      assert.strictEqual((yield* onlyMail).state, "dead")
      assert.strictEqual(yield* deliverDue, 0)
    }).pipe(Effect.provide(layer()))
  )

  it.effect(
    "marks an email as dead after two attempts without a response, because the recipient may already have it twice",
    () =>
      Effect.gen(function* () {
        const mails = yield* Mails
        const { responses } = yield* Postbox
        yield* mails.enqueue("ada@example.com", message)
        const started = yield* Queue.unbounded<void>()
        const silence = Effect.andThen(Queue.offer(started, undefined), Effect.never)
        responses.push(silence, silence)
        for (const [state, attempts, timeout] of [
          ["queued", 1, "1 minute"],
          ["dead", 2, "10 minutes"]
        ] as const) {
          const hanging = yield* Effect.forkChild(deliverDue)
          yield* Queue.take(started)
          yield* TestClock.adjust(timeout)
          yield* Fiber.join(hanging)
          assert.deepInclude(yield* onlyMail, { state, attempts })
          yield* TestClock.adjust("1 minute")
        }
      }).pipe(Effect.provide(layer()))
  )

  it.effect("sends an email within seconds while the server does not respond to a hundred others", () =>
    Effect.gen(function* () {
      const mails = yield* Mails
      const { letters } = yield* Postbox
      const started = yield* makeSilent(100)
      for (let i = 0; i < 100; i++) yield* mails.enqueue(`a${i}@silent.example`, message)
      yield* Layer.build(MailWorker.layer)
      yield* Queue.takeN(started, 10)
      yield* mails.enqueue("ada@example.com", message)
      for (let second = 1; second < 10; second++) {
        yield* TestClock.adjust("1 second")
        yield* Queue.takeN(started, 10)
      }
      yield* TestClock.adjust("1 second")
      yield* untilFound(mails.list("sent", 10), ({ length }) => length > 0)
      assert.deepStrictEqual(
        letters.map(({ to }) => to),
        ["ada@example.com"]
      )
      const waiting = yield* mails.list("queued", 200)
      assert.lengthOf(waiting, 100)
      assert.isTrue(waiting.every(({ lastError }) => lastError === undefined))
    }).pipe(Effect.provide(layer()))
  )
})
