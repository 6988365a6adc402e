import { Schema } from "effect"

const learned = Schema.optionalKey(Schema.Struct({ alpha: Schema.Finite, beta: Schema.Finite }))

/** The Beta distributions of rates that were learned from past campaigns. */
export const Learned = Schema.Struct({
  delivery_rate: learned,
  reply_rate: learned,
  positive_reply_rate: learned,
  meeting_booking_rate: learned,
  show_rate: learned,
  close_rate: learned
})
export type Learned = typeof Learned.Type
