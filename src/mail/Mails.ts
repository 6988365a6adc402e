import { Clock, Context, Data, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { isErased, type Mail, type MailState, type Message } from "./Mail.ts"
import { Outbox } from "./Outbox.ts"

/** No mail has this id. */
export class MailNotFound extends Data.TaggedError("MailNotFound")<{ readonly id: string }> {
  override get message() {
    return `No mail has the id ${this.id}`
  }
}

/** A mail was addressed to an erased person: its content is gone. */
export class MailErased extends Data.TaggedError("MailErased")<{ readonly id: string }> {
  override get message() {
    return `The mail ${this.id} was addressed to an erased person, and cannot be sent again`
  }
}

/** Only a dead mail can be discarded: any other was sent, or still may be. */
export class MailNotDead extends Data.TaggedError("MailNotDead")<{ readonly id: string; readonly state: MailState }> {
  override get message() {
    return `The mail ${this.id} is ${this.state}; only a dead one can be discarded`
  }
}

/** The mails of the service: queued by its other services, and listed and retried by the operator. */
export class Mails extends Context.Service<
  Mails,
  {
    /** Queues a mail, in the caller's transaction, and returns its id; `linkId` names the link at `linkMark` in the message. */
    readonly enqueue: (to: string, message: Message, linkId?: string) => Effect.Effect<string>
    /** The most recent mails, newest first, in one state or all, and to these addresses or all. */
    readonly list: Outbox["Service"]["list"]
    readonly countByState: Outbox["Service"]["countByState"]
    readonly oldestQueuedAt: Outbox["Service"]["oldestQueuedAt"]
    readonly find: (id: string) => Effect.Effect<Mail, MailNotFound>
    /** Queues a mail again, whatever its state, unless its receiver was erased. */
    readonly retry: (id: string) => Effect.Effect<Mail, MailNotFound | MailErased>
    /** Ends a dead mail; nothing is changed where that was done before. */
    readonly discard: (id: string) => Effect.Effect<Mail, MailNotFound | MailNotDead>
  }
>()("outreach-forecast/mail/Mails") {
  static readonly layer = Layer.effect(
    Mails,
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const random = yield* SecureRandom.SecureRandom

      const enqueue = Effect.fn("Mails.enqueue")(function* (to: string, message: Message, linkId?: string) {
        const now = yield* Clock.currentTimeMillis
        const id = yield* random.uuidV7()
        yield* outbox.put({
          ...message,
          id,
          to,
          linkId,
          state: "queued",
          attempts: 0,
          nextAttemptAt: now,
          lastError: undefined,
          createdAt: now,
          sentAt: undefined
        })
        return id
      })

      const find = Effect.fn("Mails.find")(function* (id: string) {
        const mail = yield* outbox.find(id)
        return Option.isSome(mail) ? mail.value : yield* new MailNotFound({ id })
      })

      const retry = Effect.fn("Mails.retry")(function* (id: string) {
        const mail = yield* find(id)
        if (isErased(mail.to)) return yield* new MailErased({ id })
        const queued: Mail = {
          ...mail,
          state: "queued",
          attempts: 0,
          nextAttemptAt: yield* Clock.currentTimeMillis
        }
        yield* outbox.put(queued)
        return queued
      })

      const discard = Effect.fn("Mails.discard")(function* (id: string) {
        const mail = yield* find(id)
        if (mail.state !== "dead" && mail.state !== "discarded")
          return yield* new MailNotDead({ id, state: mail.state })
        const discarded: Mail = { ...mail, state: "discarded" }
        yield* outbox.put(discarded)
        return discarded
      })

      return Mails.of({
        enqueue,
        list: outbox.list,
        countByState: outbox.countByState,
        oldestQueuedAt: outbox.oldestQueuedAt,
        find,
        retry,
        discard
      })
    })
  )
}
