import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { adjustCredits } from "../../../src/metering/adjustCredits.ts"
import { Credits } from "../../../src/credits/Credits.ts"
import { Ledger } from "../../../src/credits/Ledger.ts"
import type { KeyId } from "../../../src/KeyStatus.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { KeyStore } from "../../../src/keys/KeyStore.ts"
import * as SmtpMailer from "../../../src/mail/SmtpMailer.ts"
import { Mails } from "../../../src/mail/Mails.ts"
import { deliverDue } from "../../../src/mail/MailWorker.ts"
import * as NoticesModule from "../../../src/extensions/notices/Notices.ts"
import { application, applicationOn, applications, emptyDatabases } from "../../support/Application.ts"
import { Commits, postgresCommits, sqliteCommits } from "../../support/Commits.ts"
import { withMailer } from "../../support/Mail.ts"
import { until, untilFound } from "../../support/Process.ts"
import { oneCredit } from "../../support/Samples.ts"
import { smtpServer, textOf } from "../../support/Smtp.ts"
import { assertAllOrNothing, unaudited } from "../../support/Unaudited.ts"

const { Notices } = NoticesModule

/** Issues a key to another owner each time. */
const issue = Effect.fnUntraced(function* (name: string, credits: number) {
  const apiKeys = yield* ApiKeys
  const { key } = yield* apiKeys.issue({ name, email: `${name}@example.com`, company: "Example" }, credits)
  return key.id
})

const spend = Effect.fnUntraced(function* (keyId: KeyId, count: number) {
  const { charge } = yield* Credits
  yield* Effect.replicateEffect(charge(keyId, oneCredit()), count, { concurrency: "unbounded", discard: true })
})

const queueDue = Effect.flatMap(Notices, (notices) => notices.queueDue)

/** The recipients and subjects of all mails, oldest first. */
const queued = Effect.flatMap(Mails, ({ list }) =>
  Effect.map(list(undefined, 100), (mails) => mails.map(({ subject, to }) => `${to}: ${subject}`).toReversed())
)

const usedUp = "Your forecast credits are used up"

for (const [name, application] of Object.entries(applications)) {
  describe(`Low-credit notices over ${name}`, () => {
    it.effect("become one email below a fifth and one at 0, and again after credits were added", () =>
      Effect.gen(function* () {
        const keyId = yield* issue("ada", 10)
        yield* spend(keyId, 8)
        yield* queueDue
        assert.deepStrictEqual(yield* queued, [])
        yield* spend(keyId, 1)
        yield* queueDue
        yield* queueDue
        const low = ["ada@example.com: You have 1 forecast credit left"]
        assert.deepStrictEqual(yield* queued, low)
        yield* spend(keyId, 1)
        yield* queueDue
        yield* queueDue
        assert.deepStrictEqual(yield* queued, [...low, `ada@example.com: ${usedUp}`])
        yield* adjustCredits(keyId, { action: "credits_granted", delta: 6, reason: "goodwill", reference: undefined })
        yield* spend(keyId, 6)
        yield* queueDue
        assert.deepStrictEqual((yield* queued).slice(2), [`ada@example.com: ${usedUp}`])
      }).pipe(Effect.provide(application()))
    )

    it.effect("estimate the pace from the last seven days", () =>
      Effect.gen(function* () {
        const { list } = yield* Mails
        const keyId = yield* issue("ada", 1500)
        yield* spend(keyId, 400)
        yield* TestClock.adjust("7 days")
        yield* spend(keyId, 300)
        yield* TestClock.adjust("6 days")
        yield* spend(keyId, 500)
        yield* queueDue
        assert.deepStrictEqual(yield* queued, [])
        yield* spend(keyId, 1)
        yield* queueDue
        const [mail] = yield* list(undefined, 1)
        assert.include(mail?.text, "Credits left: 299\nUsed in 7 days: 801\n")
        assert.include(mail?.text, "they last about 2 days.")
      }).pipe(Effect.provide(application()))
    )

    it.effect("become no email if the key is the demo key or unusable, or its owner wants none", () =>
      Effect.gen(function* () {
        const { findDemo } = yield* KeyStore
        const { dueNotices } = yield* Ledger
        const { isOn, set } = yield* Notices
        const apiKeys = yield* ApiKeys
        yield* apiKeys.prepareDemoKey
        const demo = yield* Effect.flatMap(findDemo, Effect.fromOption)
        yield* spend(demo.id, 100)
        const [revoked, inactive, unwanted, wanted] = [
          yield* issue("revoked", 1),
          yield* issue("inactive", 1),
          yield* issue("unwanted", 1),
          yield* issue("wanted", 1)
        ]
        yield* set(unwanted, false)
        yield* set(unwanted, false)
        yield* set(wanted, false)
        yield* set(wanted, true)
        assert.deepStrictEqual([yield* isOn(unwanted), yield* isOn(wanted)], [false, true])
        for (const keyId of [revoked, inactive, unwanted, wanted]) yield* spend(keyId, 1)
        yield* apiKeys.revoke(revoked, "owner")
        yield* apiKeys.setKeyPlan(inactive, "inactive")
        yield* queueDue
        assert.deepStrictEqual(yield* queued, [`wanted@example.com: ${usedUp}`])
        // The earlier notice is no longer sent.
        assert.deepStrictEqual(yield* dueNotices, [])
        yield* set(unwanted, true)
        yield* apiKeys.setKeyPlan(inactive, "active")
        yield* queueDue
        assert.lengthOf(yield* queued, 1)
      }).pipe(Effect.provide(application()))
    )
  })
}

for (const [name, application] of Object.entries({ sqliteCommits, postgresCommits })) {
  it.effect(`a notice stays due if its email could not be committed, over ${name}`, () =>
    Effect.gen(function* () {
      const { before } = yield* Commits
      yield* spend(yield* issue("ada", 1), 1)
      before.push(Effect.die("The process crashed"))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(queueDue)))
      assert.deepStrictEqual(yield* queued, [])
      yield* queueDue
      assert.deepStrictEqual(yield* queued, [`ada@example.com: ${usedUp}`])
    }).pipe(Effect.provide(application))
  )
}

for (const [name, database] of Object.entries(emptyDatabases)) {
  describe(`Low-credit notices of several instances on one database on ${name}`, () => {
    it.live("become one email each, whichever instances debit and check", () =>
      Effect.gen(function* () {
        const url = yield* database
        const instances = yield* Effect.replicateEffect(Layer.build(Layer.fresh(applicationOn(url))), 2)
        const [first = assert.fail("no instance")] = instances
        const names = Array.from({ length: 5 }, (_, i) => `owner${i}`)
        const keys = yield* Effect.provide(
          Effect.forEach(names, (owner) => issue(owner, 20)),
          first
        )
        const debiting = instances.flatMap((instance) =>
          keys.map((keyId) => Effect.provide(spend(keyId, 10), instance))
        )
        const looking = instances.flatMap((instance) =>
          Array.from({ length: 10 }, () => Effect.provide(queueDue, instance))
        )
        yield* Effect.all([...debiting, ...looking], { concurrency: "unbounded", discard: true })
        yield* Effect.provide(queueDue, first)
        const mails = yield* Effect.provide(queued, first)
        for (const owner of names) {
          const own = mails.filter((mail) => mail.startsWith(owner))
          assert.lengthOf(
            own.filter((mail) => mail.endsWith(usedUp)),
            1,
            owner
          )
          assert.isAtMost(own.length, 2)
        }
      }).pipe(Effect.scoped)
    )

    it.live("are queued by the next instance to start, once", () =>
      Effect.gen(function* () {
        const url = yield* database
        yield* Effect.gen(function* () {
          yield* spend(yield* issue("ada", 3), 3)
        }).pipe(Effect.provide(applicationOn(url)))
        for (let start = 0; start < 2; start++) {
          yield* Effect.gen(function* () {
            yield* untilFound(queued, ({ length }) => length > 0)
            yield* queueDue
            assert.deepStrictEqual(yield* queued, [`ada@example.com: ${usedUp}`])
          }).pipe(Effect.provide(NoticesModule.queueing.pipe(Layer.provideMerge(applicationOn(url)))))
        }
      }).pipe(Effect.scoped)
    )
  })
}

describe("a notice sent to a real SMTP server", () => {
  it.live("has its link in the headers of RFC 8058, unlike other emails", () =>
    Effect.gen(function* () {
      const server = yield* smtpServer
      const mailer = SmtpMailer.layer(Redacted.make(server.url), { name: "", address: "no-reply@forecast.example" })
      yield* Effect.gen(function* () {
        yield* spend(yield* issue("ada", 1), 1)
        yield* queueDue
        yield* deliverDue
        yield* (yield* Mails).enqueue("eve@example.com", { subject: "Hello", text: "text", html: "<p>html</p>" })
        yield* deliverDue
        yield* until(() => server.messages.length === 2)
        // A header may be folded before a space.
        const [notice = "", other = ""] = server.messages.map((message) => message.replaceAll(/\r\n(?=[ \t])/g, ""))
        const [, link = "none"] =
          /^List-Unsubscribe: <(https:\/\/forecast\.example\/unsubscribe\/[\w-]{43})>\r?$/m.exec(notice) ?? []
        assert.match(notice, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
        assert.include(textOf(notice), link)
        assert.include(textOf(notice), "https://forecast.example/credits\r\n")
        assert.notInclude(other, "List-Unsubscribe")
        const { inspect } = yield* Notices
        const { isOn, key } = yield* inspect(Redacted.make(link.split("/").at(-1) ?? ""))
        assert.deepStrictEqual([key.owner.name, isOn], ["ada", true])
      }).pipe(Effect.provide(withMailer(mailer, application())))
    })
  )
})

it.effect("notices are not switched off if the entry in the audit log cannot be written", () =>
  Effect.gen(function* () {
    const { set } = yield* Notices
    yield* assertAllOrNothing("unsubscribe", set(yield* issue("ada", 10), false))
  }).pipe(Effect.provide(unaudited))
)
