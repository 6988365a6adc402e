import { Schema, SchemaGetter, Struct } from "effect"

/** Null, which is the same as no field. */
const nothing = Schema.Null.pipe(
  Schema.decodeTo(Schema.optionalKey(Schema.Never), {
    decode: SchemaGetter.omit(),
    encode: SchemaGetter.passthroughSubtype<null, never>()
  })
)

type Optional<S extends Schema.Constraint> = Schema.optionalKey<Schema.Union<readonly [S, typeof nothing]>>

interface ToOptional extends Struct.Lambda {
  <S extends Schema.Constraint>(schema: S): Optional<S>
  readonly "~lambda.out": this["~lambda.in"] extends Schema.Constraint ? Optional<this["~lambda.in"]> : never
}

/** A field that may be left out, or null, which is the same. */
export const optional = Struct.lambda<ToOptional>((schema) => Schema.optionalKey(Schema.Union([schema, nothing])))
