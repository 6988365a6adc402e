import { Context, Effect, Layer, Predicate, type Result, Schema, Struct } from "effect"
import { decodeFields } from "../input/decodeFields.ts"
import { InvalidInput } from "../input/InvalidInput.ts"
import { optional } from "../input/Schemas.ts"
import { Owner } from "../keys/ApiKey.ts"
import type { CreditPack } from "../settings/CreditPack.ts"
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

/** The decoders of orders of the packs for sale. They fail with InvalidInput. */
export class OrderDecoders extends Context.Service<
  OrderDecoders,
  {
    /** Finds a pack by its ID. */
    readonly packOf: (id: string) => Effect.Effect<CreditPack, InvalidInput>
    /** Decodes an order with a key. */
    readonly ofKey: (json: unknown) => Result.Result<{ readonly pack: string }, InvalidInput>
    /** Decodes an order without a key. */
    readonly ofOwner: (json: unknown) => Result.Result<Owner & { readonly pack: string }, InvalidInput>
  }
>()("outreach-forecast/orders/OrderDecoders") {
  static readonly layer = Layer.effect(
    OrderDecoders,
    Effect.map(Settings, ({ creditPacks }) => {
      const byId = new Map(creditPacks.map((each) => [each.id, each]))
      const notForSale = { code: "out_of_range", message: `must be one of ${[...byId.keys()].join(", ")}` } as const
      const known = pack.check(Schema.makeFilter((id) => byId.has(id), notForSale))
      const unknownPack = new InvalidInput({ errors: [{ pointer: "/pack", ...notForSale }] })
      return OrderDecoders.of({
        packOf: (id) => Effect.fromNullishOr(byId.get(id)).pipe(Effect.mapError(() => unknownPack)),
        ofKey: decodeFields(
          Schema.Struct({ pack: known, name: impliedByKey, email: impliedByKey, company: impliedByKey })
        ),
        ofOwner: decodeFields(Schema.Struct({ pack: known, ...Owner.fields }))
      })
    })
  )
}
