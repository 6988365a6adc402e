import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { isErased, type Mail, type MailLink, MailState, type Message } from "./Mail.ts"
import { Outbox } from "./Outbox.ts"

/** No email has this ID. */
export class MailNotFound extends Schema.TaggedError<MailNotFound>()("MailNotFound", { id: Schema.String }) {
  override get message() {
    return `No email has the ID ${this.id}`
  }
}

/** The email was addressed to an erased person: its content no longer exists. */
export class MailErased extends Schema.TaggedError<MailErased>()("MailErased", { id: Schema.String }) {
  override get message() {
    return `The email ${this.id} was addressed to an erased person, and cannot be sent again`
  }
}

/** Only a dead email can be discarded: any other was sent, or still may be. */
export class MailNotDead extends Schema.TaggedError<MailNotDead>()("MailNotDead", {
  id: Schema.String,
  state: MailState
}) {
  override get message() {
    return `The email ${this.id} is ${this.state}; only a dead one can be discarded`
  }
}

/** The emails of the service: queued by its other services, and listed and retried by the operator. */
export class Mails extends Context.Service<
  Mails,
  {
    /**
     * Queues an email, in the caller's transaction, and returns its ID; `link` is what `linkMark` stands for in
     * the message.
     */
    readonly enqueue: (to: string, message: Message, link?: MailLink) => Effect.Effect<string>
    /** The most recent emails, newest first, in one state or all, and to these addresses or all. */
    readonly list: Outbox["Service"]["list"]
    readonly backlog: Outbox["Service"]["backlog"]
    readonly find: (id: string) => Effect.Effect<Mail, MailNotFound>
    /** Queues an email again, in any state, unless its recipient was erased. */
    readonly retry: (id: string) => Effect.Effect<Mail, MailNotFound | MailErased>
    /** Discards a dead email; a discarded one stays as it is. */
    readonly discard: (id: string) => Effect.Effect<Mail, MailNotFound | MailNotDead>
  }
>()("outreach-forecast/mail/Mails") {
  static readonly layer = Layer.effect(
    Mails,
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const random = yield* SecureRandom.SecureRandom

      const enqueue = Effect.fn("Mails.enqueue")(function* (to: string, message: Message, link?: MailLink) {
        const now = yield* Clock.currentTimeMillis
        const id = yield* random.uuidV7()
        yield* outbox.put({
          ...message,
          id,
          to,
          link,
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
        backlog: outbox.backlog,
        find,
        retry,
        discard
      })
    })
  )
}
