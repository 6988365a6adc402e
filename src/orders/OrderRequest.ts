import { Effect, Option, Predicate, Schema, Struct } from "effect"
import { decodeFields } from "../input/decodeFields.ts"
import { optional } from "../input/optional.ts"
import { Owner } from "../keys/ApiKey.ts"
import { Settings } from "../Settings.ts"

const pack = Schema.String.annotate({ description: "The ID of a pack.", examples: ["starter"] })

/** The body of an order, for the document: what the two decoders accept together. */
export const OrderRequest = Schema.Struct({ pack, ...Struct.map(Owner.fields, optional) }).annotate({
  identifier: "OrderRequest",
  description:
    "With a key, only the pack: the key identifies the buyer. Without one, also name, email and company, all three.",
  examples: [{ pack: "starter", name: "Ada Lovelace", email: "ada@example.com", company: "Example Ltd" }]
})

/** A field that is not allowed with a key. */
const impliedByKey = Schema.optionalKey(
  Schema.Unknown.check(
    Schema.makeFilter(Predicate.isNull, {
      code: "unknown_field",
      message: "must be left out: the key identifies the buyer"
    })
  )
)

/** Creates decoders of orders of existing packs, with and without a key. */
export const makeOrderDecoders = Effect.map(Settings, ({ creditPacks }) => {
  const byId = new Map(creditPacks.map((each) => [each.id, each]))
  const known = pack.check(
    Schema.makeFilter((id) => byId.has(id), {
      code: "out_of_range",
      message: `must be one of ${[...byId.keys()].join(", ")}`
    })
  )
  return {
    packOf: (id: string) => Effect.fromOption(Option.fromUndefinedOr(byId.get(id))).pipe(Effect.orDie),
    ofKey: decodeFields(Schema.Struct({ pack: known, name: impliedByKey, email: impliedByKey, company: impliedByKey })),
    ofOwner: decodeFields(Schema.Struct({ pack: known, ...Owner.fields }))
  }
})
