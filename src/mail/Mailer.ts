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
 * The headers of a letter, by any provider. `Auto-Submitted` prevents out-of-office replies (RFC 3834). A letter with an
 * unsubscribe link announces it to mail programs, which post to it without opening it (RFC 8058).
 */
export const headersOf = ({ link, unsubscribes }: Letter) => ({
  "Auto-Submitted": "auto-generated",
  ...(unsubscribes && { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" })
})

/** The maximum length of a reason that is stored or shown, in characters. */
export const maxReason = 500

/** The email was not accepted: `reason` has the words of the server or of the system. */
export class NotDelivered extends Schema.TaggedError<NotDelivered>()("NotDelivered", {
  reason: Schema.String,
  isPermanent: Schema.Boolean
}) {}

/** The letters that `Mailer.layerMemory` accepted, and the responses to the next ones; without an entry, acceptance. */
export class Postbox extends Context.Service<
  Postbox,
  { readonly letters: Array<Letter>; readonly responses: Array<Effect.Effect<void, NotDelivered>> }
>()("outreach-forecast/mail/Postbox") {}

/** Delivers letters, each in one attempt: `MailWorker` retries, for two days. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /**
     * Succeeds once a server has accepted the letter, with its Message-ID and `headersOf`.
     *
     * - A failure is permanent only if this letter can never be accepted, because its recipient or its content is
     *   refused: the email is dead at once. One that the operator or time can mend is not: the connection, the login, the
     *   sender, a limit, a fault of the server.
     * - The reason has no password and no token of the provider, even if a server quotes them, in any encoding. The worker
     *   removes the links of the letter from it, and shortens it.
     * - The worker interrupts an attempt after the letter's `timeout`, and then does not know whether it was accepted; so
     *   a timeout of the connection is longer. After two such attempts the email is dead.
     */
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
