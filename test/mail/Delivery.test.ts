import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as SmtpMailer from "../../src/mail/SmtpMailer.ts"
import { Mails } from "../../src/mail/Mails.ts"
import * as MailWorker from "../../src/mail/MailWorker.ts"
import { application } from "../support/Application.ts"
import { until, untilFound } from "../support/Process.ts"
import { smtpServer } from "../support/Smtp.ts"
import { withMailer } from "../support/Mail.ts"

const { deliverDue } = MailWorker

/** The service over SQLite, with its mail sent to a server. */
const deliveringTo = (url: string) =>
  withMailer(SmtpMailer.layer(Redacted.make(url), { name: "", address: "no-reply@forecast.example" }), application())

describe("delivery to a real SMTP server", () => {
  it.effect("loses no email and duplicates at most one after a 4xx, a 5xx, or a server that hangs after DATA", () =>
    Effect.gen(function* () {
      const server = yield* smtpServer
      const layer = deliveringTo(server.url)

      yield* Effect.gen(function* () {
        const mails = yield* Mails
        yield* mails.enqueue("ada@example.com", { subject: "Hello", text: "text", html: "<p>html</p>" })
        const mail = Effect.map(mails.list(undefined, 10), ([first]) => first ?? assert.fail("The mail is lost"))

        server.behaviours.push({ code: 451, message: "greylisted" })
        yield* deliverDue
        const greylisted = yield* mail
        assert.strictEqual(greylisted.state, "queued")
        assert.include(greylisted.lastError, "greylisted")

        yield* TestClock.adjust("15 seconds")
        server.behaviours.push("hang")
        const hanging = yield* Effect.forkChild(deliverDue)
        yield* until(() => server.messages.length === 1)
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(hanging)
        assert.deepInclude(yield* mail, { state: "queued", lastError: "The mail server did not answer in time" })

        yield* TestClock.adjust("30 seconds")
        server.behaviours.push({ code: 550, message: "no such user" })
        yield* deliverDue
        const dead = yield* mail
        assert.strictEqual(dead.state, "dead")
        assert.include(dead.lastError, "no such user")

        yield* mails.retry(dead.id)
        yield* deliverDue
        assert.strictEqual((yield* mail).state, "sent")
        assert.deepStrictEqual(
          server.messages.map((message) => /^Message-ID: (.*?)\r?$/m.exec(message)?.[1]),
          [`<${dead.id}@outreach-forecast>`, `<${dead.id}@outreach-forecast>`]
        )
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("delivers an email while the server does not respond to twelve others", () =>
    Effect.gen(function* () {
      const server = yield* smtpServer
      const layer = deliveringTo(server.url)

      yield* Effect.gen(function* () {
        const mails = yield* Mails
        const message = { subject: "Hello", text: "text", html: "<p>html</p>" }
        server.behaviours.push(...Array.from({ length: 12 }, () => "hang" as const))
        for (let i = 0; i < 12; i++) yield* mails.enqueue(`a${i}@silent.example`, message)
        yield* Layer.build(MailWorker.layer)
        yield* until(() => server.messages.length === 10)
        yield* mails.enqueue("ada@example.com", message)
        const [sent] = yield* untilFound(
          Effect.andThen(TestClock.adjust("1 second"), mails.list("sent", 10)),
          ({ length }) => length > 0
        )
        assert.deepInclude(sent, { to: "ada@example.com", attempts: 1 })
        assert.lengthOf(yield* mails.list("queued", 20), 12)
      }).pipe(Effect.provide(layer))
    })
  )
})
