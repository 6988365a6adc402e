import { Schema } from "effect"

/** The adjustment would take more than is left; nothing was changed. */
export class CreditsTooFew extends Schema.TaggedError<CreditsTooFew>()("CreditsTooFew", {
  remaining: Schema.Int,
  delta: Schema.Int
}) {
  override get message() {
    return `The key has ${this.remaining} credits left, so ${-this.delta} cannot be taken; the maximum is ${this.remaining}`
  }
}

/** The adjustment would bring a key above 2^53 - 1 credits, the largest number that is exact; nothing was changed. */
export class CreditsTooMany extends Schema.TaggedError<CreditsTooMany>()("CreditsTooMany", { granted: Schema.Int }) {
  override get message() {
    return `The key was granted ${this.granted} credits; its total cannot exceed ${Number.MAX_SAFE_INTEGER}. Grant fewer`
  }
}

/** The reference was already used for a different change of credits; nothing was changed. */
export class ReferenceTaken extends Schema.TaggedError<ReferenceTaken>()("ReferenceTaken", {
  reference: Schema.String,
  keyId: Schema.String,
  delta: Schema.Int
}) {
  override get message() {
    return `The reference ${this.reference} was already used for a change of ${this.delta} credits of the key ${this.keyId}; use a different reference`
  }
}
