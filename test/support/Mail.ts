import { Context, Effect, Layer } from "effect"
import { type Letter, Mailer, type NotDelivered } from "../../src/mail/Mailer.ts"

/** The letters that a mailer in memory took, and how it shall answer the next ones. */
export class Postbox extends Context.Service<
  Postbox,
  {
    readonly letters: Array<Letter>
    /** The answers to the next letters, in order; without one a letter is taken. */
    readonly answers: Array<Effect.Effect<void, NotDelivered>>
  }
>()("outreach-forecast/test/Postbox") {
  static readonly layer = Layer.sync(Postbox, () => ({ letters: [], answers: [] }))
}

/** A mailer in memory. */
export const mailerMemory = Layer.effect(
  Mailer,
  Effect.map(Postbox, ({ answers, letters }) =>
    Mailer.of({
      send: (letter) =>
        Effect.andThen(
          Effect.suspend(() => answers.shift() ?? Effect.void),
          Effect.sync(() => {
            letters.push(letter)
          })
        )
    })
  )
).pipe(Layer.provideMerge(Postbox.layer))
