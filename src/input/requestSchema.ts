import { Predicate, Schema, SchemaAST, Struct } from "effect"

/** What a schema reads is on the wire: its encoded side, with the fields of an object in turn. */
type Wire<S> =
  S extends Schema.Struct<infer F>
    ? Schema.Struct<WireFields<F>>
    : S extends Schema.Constraint
      ? Schema.toEncoded<S>
      : never

/** A field that may be left out may also be null. */
type WireField<F> = F extends Schema.optionalKey<infer S> ? Schema.optionalKey<Schema.NullOr<Wire<S>>> : Wire<F>

type WireFields<F> = { readonly [K in keyof F]: WireField<F[K]> }

interface ToWireField extends Struct.Lambda {
  <F extends Schema.Constraint>(field: F): WireField<F>
  readonly "~lambda.out": WireField<this["~lambda.in"]>
}

const isOptionalKey = (field: Schema.Constraint): field is Schema.optionalKey<Schema.Constraint> =>
  SchemaAST.isOptional(field.ast)

const isStruct = (schema: Schema.Constraint): schema is Schema.Struct<Schema.Struct.Fields> =>
  SchemaAST.isObjects(schema.ast) && Predicate.hasProperty(schema, "fields")

const wire = (schema: Schema.Constraint): Schema.Constraint =>
  isStruct(schema) ? requestSchema(schema) : Schema.toEncoded(schema)

const toWireField = Struct.lambda<ToWireField>((field) =>
  isOptionalKey(field) ? Schema.optionalKey(Schema.NullOr(wire(field.schema))) : wire(field)
)

/** The schema of the JSON object that `decodeFields` reads with `schema`, for the document and the clients. */
export const requestSchema = <F extends Schema.Struct.Fields>(schema: Schema.Struct<F>) =>
  Schema.Struct(Struct.map(schema.fields, toWireField)).annotate({ ...SchemaAST.resolve(schema.ast) })
