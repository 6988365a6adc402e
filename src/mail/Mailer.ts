import { Context, Effect, Layer, Schema } from "effect"
import type { Message } from "./Mail.ts"

/** A message with its recipient. The ID is the same at each attempt, so that the receiver can detect duplicates. */
export interface Letter extends Message {
  readonly messageId: string
  readonly to: string
  /** The link in it, a secret; empty if there is none. */
  readonly link: string
  /** True if the link switches such emails off. */
  readonly unsubscribes: boolean
  /** The timeout of the attempt, in milliseconds. */
  readonly timeout: number
}

/**
 * The email was not accepted. A permanent rejection (SMTP 5xx for the recipient or the message) is final; anything else
 * may be retried.
 */
export class NotDelivered extends Schema.TaggedError<NotDelivered>()("NotDelivered", {
  reason: Schema.String,
  isPermanent: Schema.Boolean
}) {}

/** The letters that `Mailer.layerMemory` accepted, and the responses to the next ones; without an entry, acceptance. */
export class Postbox extends Context.Service<
  Postbox,
  { readonly letters: Array<Letter>; readonly responses: Array<Effect.Effect<void, NotDelivered>> }
>()("outreach-forecast/mail/Postbox") {}

/** Delivers letters. */
export class Mailer extends Context.Service<
  Mailer,
  {
    readonly send: (letter: Letter) => Effect.Effect<void, NotDelivered>
  }
>()("outreach-forecast/mail/Mailer") {
  /** Keeps letters in a postbox, for tests of what sends them. */
  static readonly layerMemory = Layer.effectContext(
    Effect.sync(() => {
      const postbox: Postbox["Service"] = { letters: [], responses: [] }
      const send = (letter: Letter) =>
        Effect.andThen(
          Effect.suspend(() => postbox.responses.shift() ?? Effect.void),
          Effect.sync(() => void postbox.letters.push(letter))
        )
      return Context.make(Postbox, postbox).pipe(Context.add(Mailer, { send }))
    })
  )
}
