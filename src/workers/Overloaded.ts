import { Schema } from "effect"

/** More requests wait than can be answered in good time; nothing was begun. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {}) {}
