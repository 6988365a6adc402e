import { Predicate, Schema, SchemaAST, Struct } from "effect"

/** The wire format of a schema: its encoded side, applied to the fields of an object and the items of a list. */
type Wire<S> =
  S extends Schema.Struct<infer F>
    ? Schema.Struct<WireFields<F>>
    : S extends Schema.$Array<infer I>
      ? Schema.$Array<Wire<I>>
      : S extends Schema.Constraint
        ? Schema.toEncoded<S>
        : never

/** An optional field may also be null. */
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

const isList = (schema: Schema.Constraint): schema is Schema.$Array<Schema.Constraint> =>
  SchemaAST.isArrays(schema.ast) && Predicate.hasProperty(schema, "value")

/** The nested objects of requests, each only once: the document identifies a named schema by its identity. */
const wires = new WeakMap<SchemaAST.AST, Schema.Constraint>()

const wire = (schema: Schema.Constraint): Schema.Constraint => {
  const known = wires.get(schema.ast)
  if (known !== undefined) return known
  const made = isStruct(schema) ? requestSchema(schema) : isList(schema) ? wireList(schema) : Schema.toEncoded(schema)
  wires.set(schema.ast, made)
  return made
}

/** A list keeps its checks, which are on its length. */
const wireList = (list: Schema.$Array<Schema.Constraint>): Schema.Constraint => {
  const items = Schema.Array(wire(list.value)).annotate({ ...list.ast.annotations })
  const [first, ...others] = list.ast.checks ?? []
  return first === undefined ? items : items.check(first, ...others)
}

const toWireField = Struct.lambda<ToWireField>((field) =>
  isOptionalKey(field)
    ? Schema.optionalKey(Schema.NullOr(wire(field.schema)).annotate({ ...field.ast.context?.annotations }))
    : wire(field)
)

/**
 * The checks of an object that appear in the document; `decodeFields` performs them. The last one has the name of the
 * object, which the document uses.
 */
const documented = ({ ast }: Schema.Constraint) => {
  const { identifier } = { ...ast.annotations }
  const named = Predicate.isString(identifier) ? { identifier } : {}
  return (ast.checks ?? []).map(({ annotations }) =>
    Schema.makeFilter<unknown>(() => true, { toJsonSchema: annotations?.toJsonSchema ?? (() => ({})), ...named })
  )
}

/** The annotations of an object: `wireExamples` are its examples as sent, with numbers for exact decimals. */
const annotationsOf = ({ ast }: Schema.Constraint) => {
  const { wireExamples, ...annotations } = { ...ast.annotations }
  return Array.isArray(wireExamples) ? { ...annotations, examples: wireExamples } : annotations
}

/** The schema of the JSON object that `decodeFields` reads with `schema`, for the document and the clients. */
export const requestSchema = <F extends Schema.Struct.Fields>(schema: Schema.Struct<F>) => {
  const struct = Schema.Struct(Struct.map(schema.fields, toWireField)).annotate(annotationsOf(schema))
  const [first, ...others] = documented(schema)
  return first === undefined ? struct : struct.check(first, ...others)
}
