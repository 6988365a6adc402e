import { Schema, SchemaAST, Struct } from "effect"

/** What a field of a request is on the wire: a field that may be left out may also be null. */
type WireField<F> =
  F extends Schema.optionalKey<infer S>
    ? Schema.optionalKey<Schema.NullOr<Schema.toEncoded<S>>>
    : F extends Schema.Constraint
      ? Schema.toEncoded<F>
      : never

interface ToWireField extends Struct.Lambda {
  <F extends Schema.Constraint>(field: F): WireField<F>
  readonly "~lambda.out": WireField<this["~lambda.in"]>
}

const isOptionalKey = (field: Schema.Constraint): field is Schema.optionalKey<Schema.Constraint> =>
  SchemaAST.isOptional(field.ast)

const toWireField = Struct.lambda<ToWireField>((field) =>
  isOptionalKey(field) ? Schema.optionalKey(Schema.NullOr(Schema.toEncoded(field.schema))) : Schema.toEncoded(field)
)

/** The schema of the JSON object that `decodeFields` reads with `schema`, for the document and the clients. */
export const requestSchema = <F extends Schema.Struct.Fields>(schema: Schema.Struct<F>) =>
  schema.mapFields(Struct.map(toWireField))
