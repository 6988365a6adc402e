import { hash } from "node:crypto"
import { Effect, Option, Schema } from "effect"
import type { IdempotentRequest } from "../idempotency/IdempotentAnswers.ts"
import { decodeFields } from "../input/decodeFields.ts"
import { type ApiKey, Owner } from "../keys/ApiKey.ts"
import { Settings } from "../Settings.ts"

/** A field that is not allowed with a key. */
const impliedByKey = Schema.optionalKey(
  Schema.Unknown.check(
    Schema.makeFilter(() => false, {
      code: "unknown_field",
      message: "must be left out: the key identifies the buyer"
    })
  )
)

/** Creates decoders of orders of existing packs, with and without a key. */
export const makeOrderDecoders = Effect.map(Settings, ({ creditPacks }) => {
  const byId = new Map(creditPacks.map((pack) => [pack.id, pack]))
  const pack = Schema.String.check(
    Schema.makeFilter((id) => byId.has(id), {
      code: "out_of_range",
      message: `must be one of ${[...byId.keys()].join(", ")}`
    })
  )
  return {
    packOf: (id: string) => Effect.fromOption(Option.fromUndefinedOr(byId.get(id))).pipe(Effect.orDie),
    ofKey: decodeFields(Schema.Struct({ pack, name: impliedByKey, email: impliedByKey, company: impliedByKey })),
    ofOwner: decodeFields(Schema.Struct({ pack, ...Owner.fields }))
  }
})

/** Identifies a retried order: its fingerprint covers the pack and the buyer. */
export const requestOf = (key: string, pack: string, buyer: ApiKey | Owner): IdempotentRequest => {
  const { company, email: typed, name } = "owner" in buyer ? buyer.owner : buyer
  const email = typed.toLowerCase()
  return {
    // The stored answer outlives an erased person by a day, so it must not name them.
    scope: "owner" in buyer ? buyer.id : hash("sha256", email, "base64url"),
    operation: "POST /api/v1/orders",
    key,
    fingerprint: hash("sha256", JSON.stringify([pack, name, email, company]), "base64url")
  }
}
