import { Clock, Effect, Redacted, type Result, Schema } from "effect"
import type { Charge } from "../../src/credits/Credits.ts"
import { Usage } from "../../src/credits/Balance.ts"
import type { Failure } from "../../src/Problems.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import type { Mail } from "../../src/mail/Mail.ts"
import { type Letter, Mailer, NotDelivered } from "../../src/mail/Mailer.ts"
import { erasedMail } from "../../src/mail/Outbox.ts"
import { monthOf } from "../../src/text/Times.ts"
import { seeded } from "../../test/support/Seeded.ts"
import { type Call, CurrentTask, hold, type Steps, type Task } from "./Steps.ts"
import type { Known } from "./Action.ts"
import { day, type Kept } from "./Invariants.ts"

const decodeAnswer = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ usage: Usage })))

interface Attempt {
  readonly messageId: string
  readonly task: Task | undefined
  /** `cut` until the mail server has decided. */
  fate: "cut" | "accepted" | "refused" | "deferred" | "lost"
}

/** Everything outside the service: chance, its callers and what they know, the mail server. */
export class Outside {
  readonly random: () => number
  readonly secrets: Array<Known> = []
  readonly revoked = new Set<KeyId>()
  readonly answers = new Map<string, Kept>()
  /** The mailbox that each key was issued to, whatever becomes of its address. */
  readonly mailboxes = new Map<KeyId, string>()
  readonly tokens: Array<Redacted.Redacted> = []
  /** The IDs of the orders that are stored, and of those that were paid. */
  orders: ReadonlyArray<string> = []
  readonly paid = new Set<string>()
  readonly attempts: Array<Attempt> = []
  /** True if mails arrive, as they do in the end. */
  isCalm = false
  /** The requests that were answered: their key, number and month. */
  readonly #counted = new Set<string>()
  readonly #steps: Steps

  constructor(seed: number, steps: Steps) {
    this.random = seeded(seed)
    this.#steps = steps
  }

  chance(share: number): boolean {
    return this.random() < share
  }

  /** A whole number from 0 to below `below`. */
  upTo(below: number): number {
    return Math.floor(this.random() * below)
  }

  pick<A>(items: ReadonlyArray<A>): A | undefined {
    return items[this.upTo(items.length)]
  }

  #fate() {
    const drawn = this.isCalm ? 0 : this.random()
    if (drawn < 0.6) return "accepted"
    return drawn < 0.8 ? "deferred" : drawn < 0.9 ? "lost" : "refused"
  }

  /** A mail server that accepts mails, defers or refuses them, or accepts them without confirming. */
  readonly mailer = Mailer.of({
    send: Effect.fnUntraced({ self: this }, function* (this: Outside, { link, messageId }: Letter) {
      const attempt: Attempt = { messageId, fate: "cut", task: yield* CurrentTask }
      this.attempts.push(attempt)
      yield* this.#steps.step("Mailer.send")
      const fate = this.#fate()
      attempt.fate = fate
      if ((fate === "accepted" || fate === "lost") && link.includes("/confirm/")) {
        this.tokens.push(Redacted.make(link.slice(link.lastIndexOf("/") + 1)))
      }
      yield* this.#steps.step(`Mailer.${fate}`)
      if (fate !== "accepted") return yield* new NotDelivered({ reason: fate, isPermanent: fate === "refused" })
    })
  })

  /** Checks that each answer was charged once or is the stored one, and that nothing else was charged. */
  readonly check = Effect.fnUntraced(
    { self: this },
    function* (this: Outside, answered: ReadonlyArray<readonly [Call, Result.Result<Charge, Failure>]>) {
      const task = yield* CurrentTask
      const wrote = task?.wrote ?? []
      let charged = 0
      for (const [{ cost, keyId, repeatId }, result] of answered) {
        if (result._tag === "Failure") {
          const { failure } = result
          hold(failure._tag !== "UsageExhausted" || failure.remaining < failure.cost, "Refused with credits left")
          continue
        }
        const { answer, balance, reference } = result.success
        if (reference === undefined) {
          const kept = this.answers.get(repeatId ?? "")
          hold(kept?.answer === answer, `${repeatId} was answered again, with another answer`)
          continue
        }
        charged++
        const entry = wrote.find((written) => written.reference === reference)
        hold(entry?.keyId === keyId && entry.delta === -cost, `${reference} was answered and not charged`)
        hold(balance.remaining === entry.balanceAfter, `${reference} was answered with another balance`)
        const { credits_remaining, month, requests } = decodeAnswer(answer).usage
        const isRight = credits_remaining === entry.balanceAfter && month === monthOf(entry.createdAt)
        hold(isRight, `${reference} was answered with another usage`)
        const counted = `${keyId} ${requests} ${month}`
        hold(!this.#counted.has(counted), `${reference} was answered as request ${requests} of ${month}, like another`)
        this.#counted.add(counted)
      }
      hold(wrote.length === charged, `${charged} requests were answered, and ${wrote.length} charged`)
    }
  )

  /**
   * Checks that no mail arrived twice, unless an attempt was cut off or its reply was lost, and that each sent mail
   * arrived. If the clock jumps after a worker has read it, the worker takes a mail from another one without a lease,
   * which allows two more deliveries.
   */
  checkMails(mails: ReadonlyArray<Mail>): void {
    for (const { id, state, to } of mails) {
      const attempts = this.attempts.filter(({ messageId }) => messageId.startsWith(id))
      const arrived = attempts.filter(({ fate }) => fate === "accepted" || fate === "lost").length
      const excused = attempts.filter(({ fate, task }) => fate === "lost" || task?.isDisturbed === true).length
      hold(arrived <= 1 + 2 * excused, `The mail ${id} arrived ${arrived} times`)
      hold(state !== "sent" || arrived > 0, `The mail ${id} was noted as sent and never arrived`)
      hold(
        state !== "dead" || to === erasedMail.to || excused > 0 || attempts.some(({ fate }) => fate === "refused"),
        `The mail ${id} is dead, and was never refused`
      )
    }
  }

  /**
   * The lifetime of a stored answer begins now at the latest; once it is over the answer may be deleted, and then stays
   * deleted.
   */
  readonly clockMoved = Effect.map(Clock.currentTimeMillis, (now) => {
    for (const kept of this.answers.values()) kept.at = kept.at + day <= now ? -Infinity : Math.min(kept.at, now)
  })
}
