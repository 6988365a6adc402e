import { Context, Effect, Layer } from "effect"
import type { AccessRequests } from "../../src/keys/AccessRequests.ts"
import { type Letter, Mailer, type NotDelivered } from "../../src/mail/Mailer.ts"
import * as MailLinks from "../../src/MailLinks.ts"
import type { Notices } from "../../src/notices/Notices.ts"
import type { Orders } from "../../src/orders/Orders.ts"

/** The emails that an in-memory mailer accepted, and its responses to the next ones. */
export class Postbox extends Context.Service<
  Postbox,
  {
    readonly letters: Array<Letter>
    /** The responses to the next emails, in order; without one an email is accepted. */
    readonly responses: Array<Effect.Effect<void, NotDelivered>>
  }
>()("outreach-forecast/test/Postbox") {
  static readonly layer = Layer.sync(Postbox, () => ({ letters: [], responses: [] }))
}

/** An in-memory mailer. */
export const mailerMemory = Layer.effect(
  Mailer,
  Effect.map(Postbox, ({ letters, responses }) =>
    Mailer.of({
      send: (letter) =>
        Effect.andThen(
          Effect.suspend(() => responses.shift() ?? Effect.void),
          Effect.sync(() => {
            letters.push(letter)
          })
        )
    })
  )
).pipe(Layer.provideMerge(Postbox.layer))

/** An application with a mailer, and with the links in its emails. */
export const withMailer = <M, A, E, R>(
  mailer: Layer.Layer<M>,
  application: Layer.Layer<A | AccessRequests | Notices | Orders, E, R>
) => Layer.merge(mailer, MailLinks.layer("https://forecast.example")).pipe(Layer.provideMerge(application))

/** An application whose emails go to a postbox. */
export const withPostbox = <A, E, R>(application: Layer.Layer<A | AccessRequests | Notices | Orders, E, R>) =>
  withMailer(mailerMemory, application)
