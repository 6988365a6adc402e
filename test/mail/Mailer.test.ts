import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import * as FolderMailer from "../../src/mail/FolderMailer.ts"
import { questions } from "../../src/mail/letter.ts"
import { type Letter, Mailer } from "../../src/mail/Mailer.ts"
import * as SmtpMailer from "../../src/mail/SmtpMailer.ts"
import { checkMailServer } from "../../src/mail/SmtpServer.ts"
import { temporaryDirectory } from "../support/Application.ts"
import { plainAuth, refusedSender, smtpPassword, smtpServer, smtpServerWith } from "../support/Smtp.ts"

const letter: Letter = {
  messageId: "one@outreach-forecast",
  to: "ada@example.com",
  subject: "Grüße",
  text: "Hello\n\nhttps://forecast.example/confirm/canary-token",
  html: "<p>Hello <a href='https://forecast.example/confirm/canary-token'>link</a></p>",
  link: "https://forecast.example/confirm/canary-token",
  unsubscribes: false,
  timeout: 60_000
}

const from = { name: "Forecast: Example, Inc.", address: "no-reply@forecast.example" }

const sendBy = (url: string, sender = from) =>
  Effect.flatMap(Mailer, ({ send }) => send(letter)).pipe(Effect.provide(SmtpMailer.layer(Redacted.make(url), sender)))

const failureOf = (url: string) => Effect.flip(sendBy(url))

describe("SmtpMailer", () => {
  it.live("delivers both parts by SMTP", () =>
    Effect.gen(function* () {
      const server = yield* smtpServer
      yield* Effect.flatMap(Mailer, ({ send }) => send(letter)).pipe(
        Effect.provide(SmtpMailer.layer(Redacted.make(server.url), from, "help@forecast.example"))
      )
      assert.lengthOf(server.messages, 1)
      const [message = ""] = server.messages
      assert.match(message, /^Message-ID: <one@outreach-forecast>\r?$/m)
      assert.match(message, /^From: "Forecast: Example, Inc\." <no-reply@forecast\.example>\r?$/m)
      assert.match(message, /^To: ada@example\.com\r?$/m)
      assert.match(message, /^Reply-To: help@forecast\.example\r?$/m)
      assert.match(message, /^Auto-Submitted: auto-generated\r?$/m)
      assert.match(message, /^Subject: =\?UTF-8\?/m)
      assert.match(message, /Content-Type: text\/plain/)
      assert.match(message, /Content-Type: text\/html/)
    })
  )

  it.live("invites replies only where somebody reads them", () =>
    Effect.gen(function* () {
      const server = yield* smtpServer
      const asking = { ...letter, text: `Hello.${questions}`, html: `<p>Hello.${questions}</p>` }
      const sent = Effect.fnUntraced(function* (address: string, replyTo?: string) {
        const sender = SmtpMailer.layer(Redacted.make(server.url), { name: "", address }, replyTo)
        yield* Effect.provide(
          Effect.flatMap(Mailer, ({ send }) => send(asking)),
          sender
        )
        return server.messages.at(-1)?.split("Questions?").length
      })
      assert.strictEqual(yield* sent("no-reply@forecast.example"), 1)
      assert.strictEqual(yield* sent("no-reply@forecast.example", "help@forecast.example"), 3)
      assert.strictEqual(yield* sent("ada@forecast.example"), 3)
    })
  )

  it.live("distinguishes permanent refusals from temporary ones, and reveals nothing of the email", () =>
    Effect.gen(function* () {
      const server = yield* smtpServer
      server.behaviours.push({ code: 451, message: "greylisted" }, { code: 550, message: "no such user" })
      const later = yield* failureOf(server.url)
      assert.deepInclude(later, { isPermanent: false })
      assert.include(later.reason, "greylisted")
      const never = yield* failureOf(server.url)
      assert.deepInclude(never, { isPermanent: true })
      assert.include(never.reason, "no such user")
      const locked = yield* failureOf(server.url.replace("smtp://", "smtp://me:canary-wrong@"))
      assert.deepInclude(locked, { isPermanent: false })
      assert.include(locked.reason, "wrong: (the password) (the password)")
      assert.notInclude(locked.reason, plainAuth("me", "canary-wrong"))
      yield* Effect.promise(server.close)
      const down = yield* failureOf(server.url.replace("smtp://", "smtp://me:canary-password@"))
      assert.deepInclude(down, { isPermanent: false })
      assert.notMatch(JSON.stringify([later, never, locked, down]), /canary/)
      assert.lengthOf(server.messages, 0)
    })
  )

  it.live("does not give an email up because the operator's sender is refused", () =>
    Effect.gen(function* () {
      const { url } = yield* smtpServer
      const refused = yield* Effect.flip(sendBy(url, { name: "", address: refusedSender }))
      assert.include(refused.reason, "not a sender of ours")
      assert.isFalse(refused.isPermanent)
    })
  )

  it.live("trusts no certificate that nobody vouches for, and sends without TLS only where the URL allows it", () =>
    Effect.gen(function* () {
      const selfSigned = yield* smtpServerWith({ disabledCommands: [] })
      assert.include((yield* failureOf(selfSigned.url)).reason, "certificate")
      yield* sendBy(`${selfSigned.url}?ignoreTLS=true`)
      assert.lengthOf(selfSigned.messages, 1)

      const stripped = yield* smtpServer
      assert.isFalse((yield* failureOf(`${stripped.url}?requireTLS=true`)).isPermanent)
      assert.lengthOf(stripped.messages, 0)
    })
  )

  it.live("sends no password without TLS to another machine, unless the URL allows it", () =>
    Effect.gen(function* () {
      const { messages, url } = yield* smtpServer
      const withPassword = url.replace("smtp://", `smtp://me:${smtpPassword}@`)
      // This machine, by an address that is not known to be its own.
      const another = withPassword.replace("127.0.0.1", "0.0.0.0")
      assert.include((yield* failureOf(another)).reason, "STARTTLS")
      assert.include((yield* checkMailServer(Redacted.make(another))) ?? "", "STARTTLS")
      assert.lengthOf(messages, 0)
      for (const allowed of [withPassword, `${another}?requireTLS=false`, `${another}?ignoreTLS=true`]) {
        yield* sendBy(allowed)
      }
      assert.lengthOf(messages, 3)
    })
  )
})

describe("checkMailServer", () => {
  it.live("returns the words of the server or of the system, without the password", () =>
    Effect.gen(function* () {
      const server = yield* smtpServer
      const check = (url: string) => checkMailServer(Redacted.make(url))
      assert.isUndefined(yield* check(server.url))
      const locked = yield* check(server.url.replace("smtp://", "smtp://me:canary-wrong@"))
      assert.strictEqual(locked, "Invalid login: 535 wrong: (the password) (the password)")
      assert.match((yield* check(server.url.replace("smtp://", "smtps://"))) ?? "", /SSL/)
      yield* Effect.promise(server.close)
      assert.match((yield* check(server.url)) ?? "", /^connect ECONNREFUSED 127\.0\.0\.1:/)
    })
  )
})

describe("FolderMailer", () => {
  it("writes files beside the data, and to data/mail where the database is no file", () => {
    assert.strictEqual(FolderMailer.mailFolderOf({ kind: "sqlite", file: "a/b.db" }), "a/mail")
    assert.strictEqual(FolderMailer.mailFolderOf({ kind: "sqlite", file: ":memory:" }), "data/mail")
  })

  it.live("writes a file that mail programs can open, and that appears once it is complete", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const seen: Array<string> = []
      const watched = FileSystem.FileSystem.of({
        ...files,
        rename: (part, file) =>
          Effect.gen(function* () {
            const names = yield* files.readDirectory(folder)
            seen.push(...names.filter((name) => !name.startsWith(".")), yield* files.readFileString(part))
            yield* files.rename(part, file)
          })
      })
      const folder = `${yield* temporaryDirectory}/mail`
      yield* Effect.flatMap(Mailer, ({ send }) => send(letter)).pipe(
        Effect.provide(
          FolderMailer.layer(folder, from, false).pipe(
            Layer.provide(Layer.succeed(FileSystem.FileSystem, watched)),
            Layer.provide(NodeServices.layer)
          )
        )
      )
      assert.deepStrictEqual(yield* files.readDirectory(folder), ["one.eml"])
      assert.strictEqual((yield* files.stat(`${folder}/one.eml`)).mode & 0o777, 0o600)
      const text = yield* files.readFileString(`${folder}/one.eml`)
      assert.deepStrictEqual(seen, [text])
      assert.match(text, /^Message-ID: <one@outreach-forecast>\r?$/m)
      assert.include(text, "multipart/alternative")
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
