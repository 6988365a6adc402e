import { Schema } from "effect"

/** Too many requests are waiting to answer this one in time; it was not started. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {}) {}
