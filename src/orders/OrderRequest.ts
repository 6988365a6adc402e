import { Effect, Predicate, Schema, Struct } from "effect"
import { decodeFields } from "../input/decodeFields.ts"
import { InvalidInput } from "../input/InvalidInput.ts"
import { optional } from "../input/Schemas.ts"
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
  const notForSale = { code: "out_of_range", message: `must be one of ${[...byId.keys()].join(", ")}` } as const
  const known = pack.check(Schema.makeFilter((id) => byId.has(id), notForSale))
  const unknownPack = new InvalidInput({ errors: [{ pointer: "/pack", ...notForSale }] })
  return {
    packOf: (id: string) => Effect.fromNullishOr(byId.get(id)).pipe(Effect.mapError(() => unknownPack)),
    ofKey: decodeFields(Schema.Struct({ pack: known, name: impliedByKey, email: impliedByKey, company: impliedByKey })),
    ofOwner: decodeFields(Schema.Struct({ pack: known, ...Owner.fields }))
  }
})
