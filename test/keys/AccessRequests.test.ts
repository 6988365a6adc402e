import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Credits } from "../../src/credits/Credits.ts"
import type { Owner } from "../../src/keys/ApiKey.ts"
import { AccessRequests } from "../../src/keys/AccessRequests.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { NotDelivered, Postbox } from "../../src/mail/Mailer.ts"
import { Mails } from "../../src/mail/Mails.ts"
import { deliverDue } from "../../src/mail/MailWorker.ts"
import { applications } from "../support/Application.ts"
import { authenticate } from "../support/Authentication.ts"
import { withPostbox } from "../support/Mail.ts"
import { oneCredit } from "../support/Samples.ts"

const ada = { name: "Ada", email: "ada@example.com", company: "Example" }

/** Requests access, opens the email, and returns the token of its link. */
const requestByMail = Effect.fnUntraced(function* (owner: Owner = ada) {
  const accessRequests = yield* AccessRequests
  const { letters } = yield* Postbox
  yield* accessRequests.request(owner)
  yield* Effect.repeat(deliverDue, { while: (tried) => tried > 0 })
  const letter = letters.at(-1)
  assert.strictEqual(letter?.to, owner.email)
  const link = /https:\/\/forecast\.example\/confirm\/([\w-]{43})\n/.exec(letter?.text ?? "")
  assert.include(letter?.html ?? "", `href="${letter?.link}"`)
  return { token: Redacted.make(link?.[1] ?? ""), subject: letter?.subject }
})

const works = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
  const result = yield* Effect.result(authenticate(secret))
  return result._tag === "Success"
})

/** True if a secret is known, found without using it. */
const reasonOf = Effect.fnUntraced(function* (token: Redacted.Redacted) {
  const accessRequests = yield* AccessRequests
  const failure = yield* Effect.flip(accessRequests.inspect(token))
  return failure._tag === "LinkGone" ? failure.reason : "unknown"
})

for (const [name, application] of Object.entries(applications)) {
  const layer = () => withPostbox(application())

  describe(`AccessRequests over ${name}`, () => {
    it.effect("a usable key is replaced: the old secret works until the new one is used", () =>
      Effect.gen(function* () {
        const accessRequests = yield* AccessRequests
        const apiKeys = yield* ApiKeys
        const credits = yield* Credits
        const confirmed = yield* requestByMail()
        const old = yield* accessRequests.reveal(confirmed.token)
        yield* works(old.secret)
        yield* credits.charge(old.key.id, oneCredit())
        const { subject, token } = yield* requestByMail()
        assert.strictEqual(subject, "You already have an API key")
        assert.strictEqual((yield* accessRequests.inspect(token)).purpose, "replace")
        const replaced = yield* accessRequests.reveal(token)
        assert.strictEqual(replaced.key.id, old.key.id)
        assert.strictEqual(replaced.creditsRemaining, 99)
        assert.isTrue(yield* works(old.secret))
        assert.isTrue(yield* works(replaced.secret))
        assert.isFalse(yield* works(old.secret))
        assert.lengthOf(yield* Stream.runCollect(apiKeys.list), 1)
      }).pipe(Effect.provide(layer()))
    )

    it.effect(
      "a key issued by the operator keeps its credits when revealed, and its secret until the new one is used",
      () =>
        Effect.gen(function* () {
          const accessRequests = yield* AccessRequests
          const issued = yield* (yield* ApiKeys).issue(ada, 5)
          const revealed = yield* accessRequests.reveal((yield* requestByMail()).token)
          assert.strictEqual(revealed.creditsRemaining, 5)
          assert.isTrue(yield* works(issued.secret))
          assert.isTrue(yield* works(revealed.secret))
          assert.isFalse(yield* works(issued.secret))
        }).pipe(Effect.provide(layer()))
    )

    it.effect("an address gets the preview credits once, also with a new key after a revoked one", () =>
      Effect.gen(function* () {
        const accessRequests = yield* AccessRequests
        const apiKeys = yield* ApiKeys
        const first = yield* requestByMail()
        const { key } = yield* accessRequests.reveal(first.token)
        const pending = yield* requestByMail()
        yield* apiKeys.revoke(key.id, "operator")
        assert.strictEqual(yield* reasonOf(pending.token), "revoked")
        const { token } = yield* requestByMail()
        const second = yield* accessRequests.reveal(token)
        assert.notStrictEqual(second.key.id, key.id)
        assert.strictEqual(second.creditsRemaining, 0)
        assert.isTrue(yield* works(second.secret))
      }).pipe(Effect.provide(layer()))
    )

    it.effect("a mailbox gets the preview credits once under all spellings, and email goes to the spelling typed", () =>
      Effect.gen(function* () {
        const accessRequests = yield* AccessRequests
        const apiKeys = yield* ApiKeys
        const { letters } = yield* Postbox
        const credits: Array<number> = []
        for (const email of ["A.da+1@gmail.com", "ada+2@googlemail.com", "ada@gmail.com"]) {
          const { token } = yield* requestByMail({ ...ada, email })
          assert.strictEqual(letters.at(-1)?.to, email)
          assert.strictEqual(letters.at(-1)?.text.includes("comes without any"), credits.length > 0)
          credits.push((yield* accessRequests.reveal(token)).creditsRemaining)
        }
        assert.deepStrictEqual(credits, [100, 0, 0])
        assert.lengthOf(yield* apiKeys.search("ADA+9@gmail.com"), 3)
        const again = yield* requestByMail({ ...ada, email: "a.DA+1@gmail.com" })
        assert.strictEqual(again.subject, "You already have an API key")
      }).pipe(Effect.provide(layer()))
    )

    it.effect("two spellings that are confirmed at the same time get one grant", () =>
      Effect.gen(function* () {
        const accessRequests = yield* AccessRequests
        const one = yield* requestByMail({ ...ada, email: "eva@b\u00FCcher.example" })
        const other = yield* requestByMail({ ...ada, email: "eva@xn--bcher-kva.example" })
        const revealed = yield* Effect.all([accessRequests.reveal(one.token), accessRequests.reveal(other.token)], {
          concurrency: 2
        })
        assert.deepStrictEqual(
          revealed.map(({ creditsRemaining }) => creditsRemaining).toSorted((a, b) => a - b),
          [0, 100]
        )
      }).pipe(Effect.provide(layer()))
    )

    it.effect("two concurrent requests and reveals leave one key and one valid secret", () =>
      Effect.gen(function* () {
        const accessRequests = yield* AccessRequests
        const apiKeys = yield* ApiKeys
        yield* Effect.all([accessRequests.request(ada), accessRequests.request(ada)], { concurrency: 2 })
        assert.lengthOf(yield* Stream.runCollect(apiKeys.list), 1)
        const { token } = yield* requestByMail()
        const revealed = yield* Effect.all(
          Array.from({ length: 5 }, () => accessRequests.reveal(token)),
          { concurrency: "unbounded" }
        )
        const live = yield* Effect.filter(revealed, ({ secret }) => works(secret))
        assert.lengthOf(live, 1)
      }).pipe(Effect.provide(layer()))
    )

    it.effect("a concurrent first use and reveal: a key that was accepted stays valid", () =>
      Effect.gen(function* () {
        const accessRequests = yield* AccessRequests
        for (let round = 0; round < 10; round++) {
          const { token } = yield* requestByMail({ ...ada, email: `race${round}@example.com` })
          const first = yield* accessRequests.reveal(token)
          const [wasAccepted, again] = yield* Effect.all(
            [works(first.secret), Effect.result(accessRequests.reveal(token))],
            { concurrency: 2 }
          )
          assert.strictEqual(wasAccepted, again._tag === "Failure")
          assert.strictEqual(yield* works(first.secret), wasAccepted)
        }
      }).pipe(Effect.provide(layer()))
    )
  })
}

describe("AccessRequests", () => {
  const layer = () => withPostbox(applications.SQLite())

  it.effect("a scanner opens the link and the person presses the button: one key with 100 credits", () =>
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const apiKeys = yield* ApiKeys
      const { subject, token } = yield* requestByMail()
      assert.strictEqual(subject, "Confirm your address to see your API key")
      assert.strictEqual((yield* accessRequests.inspect(token)).purpose, "confirm")
      assert.strictEqual((yield* Stream.runCollect(apiKeys.list))[0]?.state, "unconfirmed")
      const { creditsRemaining, key, secret } = yield* accessRequests.reveal(token)
      assert.strictEqual(creditsRemaining, 100)
      assert.isTrue(yield* works(secret))
      assert.strictEqual(key.state, "usable")
      assert.lengthOf(yield* Stream.runCollect(apiKeys.list), 1)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a scanner presses the button first: the person's key is the valid one, and credits are given once", () =>
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const { token } = yield* requestByMail()
      const scanner = yield* accessRequests.reveal(token)
      const person = yield* accessRequests.reveal(token)
      assert.strictEqual(person.creditsRemaining, 100)
      assert.isFalse(yield* works(scanner.secret))
      assert.isTrue(yield* works(person.secret))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a scanner presses the button after the person, before first use: the person can press it again", () =>
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const { token } = yield* requestByMail()
      const person = yield* accessRequests.reveal(token)
      yield* accessRequests.reveal(token)
      assert.isFalse(yield* works(person.secret))
      const again = yield* accessRequests.reveal(token)
      assert.isTrue(yield* works(again.secret))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a scanner presses the button after first use: the link has expired and the key stays valid", () =>
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const { token } = yield* requestByMail()
      const { secret } = yield* accessRequests.reveal(token)
      assert.isTrue(yield* works(secret))
      const failure = yield* Effect.flip(accessRequests.reveal(token))
      assert.deepInclude(failure, { _tag: "LinkGone", reason: "used" })
      assert.strictEqual(yield* reasonOf(token), "used")
      assert.isTrue(yield* works(secret))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a link works for 24 hours, a newer one replaces it, and an invalid one is unknown", () =>
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const first = yield* requestByMail()
      const second = yield* requestByMail()
      assert.strictEqual(yield* reasonOf(first.token), "replaced")
      assert.strictEqual(yield* reasonOf(Redacted.make("")), "unknown")
      assert.strictEqual(yield* reasonOf(Redacted.make(`${Redacted.value(second.token)}x`)), "unknown")
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* reasonOf(second.token), "expired")
      assert.strictEqual((yield* Effect.flip(accessRequests.reveal(second.token)))._tag, "LinkGone")
      const third = yield* requestByMail()
      yield* TestClock.adjust("23 hours")
      assert.isTrue(yield* works((yield* accessRequests.reveal(third.token)).secret))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a stranger who requests access under another name changes neither the record nor the email", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const { letters } = yield* Postbox
      yield* requestByMail()
      yield* requestByMail({ ...ada, name: "Stranger", company: "Evil" })
      assert.deepStrictEqual((yield* Stream.runCollect(apiKeys.list))[0]?.owner, ada)
      assert.notMatch(letters.at(-1)?.text ?? "", /Stranger|Ada/)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a used link stays used when the key is rotated without grace", () =>
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const apiKeys = yield* ApiKeys
      const { token } = yield* requestByMail()
      const { key, secret } = yield* accessRequests.reveal(token)
      assert.isTrue(yield* works(secret))
      const rotated = yield* apiKeys.rotate(key.id, 0)
      assert.strictEqual(yield* reasonOf(token), "used")
      assert.isTrue(yield* works(rotated.secret))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("an unused key revealed by an older link stops working when a newer link reveals one", () =>
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const older = yield* accessRequests.reveal((yield* requestByMail()).token)
      const newer = yield* accessRequests.reveal((yield* requestByMail()).token)
      assert.isFalse(yield* works(older.secret))
      assert.isTrue(yield* works(newer.secret))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("while two secrets are valid, each is found and reported by its own prefix", () =>
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const apiKeys = yield* ApiKeys
      const old = yield* accessRequests.reveal((yield* requestByMail()).token)
      yield* works(old.secret)
      const unused = yield* accessRequests.reveal((yield* requestByMail()).token)
      const prefixes = [old, unused].map(({ key }) => key.secretPrefix)
      assert.notStrictEqual(prefixes[0], prefixes[1])
      for (const prefix of prefixes) {
        assert.deepStrictEqual(
          (yield* apiKeys.search(prefix)).map(({ id }) => id),
          [old.key.id]
        )
      }
      assert.strictEqual((yield* authenticate(old.secret)).secretPrefix, prefixes[0])
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a link that is mailed late is valid for 24 hours from then", () =>
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const { letters, responses } = yield* Postbox
      responses.push(Effect.fail(new NotDelivered({ reason: "550", isPermanent: true })))
      yield* accessRequests.request(ada)
      yield* deliverDue
      yield* TestClock.adjust("3 days")
      const mails = yield* Mails
      yield* mails.retry((yield* mails.list("dead", 1))[0]?.id ?? "")
      yield* deliverDue
      yield* TestClock.adjust("23 hours")
      const token = Redacted.make(letters.at(-1)?.link.split("/").at(-1) ?? "")
      assert.strictEqual((yield* accessRequests.reveal(token)).creditsRemaining, 100)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* reasonOf(token), "expired")
    }).pipe(Effect.provide(layer()))
  )

  it.effect("every step is in the audit log", () =>
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const apiKeys = yield* ApiKeys
      const audit = yield* AuditLog
      const { token } = yield* requestByMail()
      const { key, secret } = yield* accessRequests.reveal(token)
      yield* works(secret)
      yield* requestByMail()
      yield* apiKeys.rotate(key.id, 24)
      yield* apiKeys.setKeyPlan(key.id, "inactive")
      yield* apiKeys.setKeyPlan(key.id, "active")
      yield* apiKeys.revoke(key.id, "owner")
      assert.deepStrictEqual(
        (yield* audit.entries(key.id, 50)).map(({ action, actor }) => `${actor} ${action}`),
        [
          "owner access_requested",
          "owner revealed",
          "owner first_used",
          "owner replacement_requested",
          "owner rotated",
          "operator deactivated",
          "operator activated",
          "owner revoked"
        ]
      )
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a rotated secret works for its grace period, or not at all", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const { key, secret } = yield* apiKeys.issue(ada)
      const second = yield* apiKeys.rotate(key.id, 24)
      assert.isTrue(yield* works(secret))
      yield* TestClock.adjust("23 hours")
      assert.isTrue(yield* works(secret))
      yield* TestClock.adjust("1 hour")
      assert.isFalse(yield* works(secret))
      assert.isTrue(yield* works(second.secret))
      const third = yield* apiKeys.rotate(key.id, 0)
      assert.isFalse(yield* works(second.secret))
      assert.isTrue(yield* works(third.secret))
    }).pipe(Effect.provide(layer()))
  )
})
