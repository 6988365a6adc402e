import { Schema } from "effect"

/** The adjustment would take more than is left; nothing was changed. */
export class CreditsTooFew extends Schema.TaggedError<CreditsTooFew>()("CreditsTooFew", {
  remaining: Schema.Int,
  delta: Schema.Int
}) {
  override get message() {
    return `The key has ${this.remaining} credits left and ${-this.delta} cannot be taken; take ${this.remaining} at the most`
  }
}

/** The adjustment would bring a key above 2^53 - 1 credits, the largest number that is exact; nothing was changed. */
export class CreditsTooMany extends Schema.TaggedError<CreditsTooMany>()("CreditsTooMany", { granted: Schema.Int }) {
  override get message() {
    return `The key was given ${this.granted} credits; it cannot have more than ${Number.MAX_SAFE_INTEGER} in all. Give fewer`
  }
}

/** The reference stands for another change of credits; nothing was changed. */
export class ReferenceTaken extends Schema.TaggedError<ReferenceTaken>()("ReferenceTaken", {
  reference: Schema.String,
  keyId: Schema.String,
  delta: Schema.Int
}) {
  override get message() {
    return `The reference ${this.reference} stands for a change of ${this.delta} credits of the key ${this.keyId}; take another reference for another change`
  }
}
