import { Schema } from "effect"

const JsonSchema = Schema.Record(Schema.String, Schema.Unknown)

/** What a body may be, by media type. A body as JSON has its example in its schema. */
const Content = Schema.Record(
  Schema.String,
  Schema.Struct({ schema: JsonSchema, example: Schema.optionalKey(Schema.String) })
)

const Described = { description: Schema.String, schema: JsonSchema, example: Schema.Unknown }

/** An operation of the API, as the reference shows it. */
const Operation = Schema.Struct({
  tags: Schema.Tuple([Schema.String]),
  summary: Schema.String,
  description: Schema.String,
  deprecated: Schema.optionalKey(Schema.Boolean),
  security: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
  parameters: Schema.Array(
    Schema.Struct({ ...Described, name: Schema.String, in: Schema.String, required: Schema.Boolean })
  ),
  requestBody: Schema.optionalKey(Schema.Struct({ content: Content })),
  "x-codeSamples": Schema.optionalKey(Schema.Array(Schema.Struct({ lang: Schema.String, source: Schema.String }))),
  responses: Schema.Record(
    Schema.String,
    Schema.Struct({
      // What any request may be refused with is only referred to.
      description: Schema.optionalKey(Schema.String),
      content: Schema.optionalKey(Content),
      headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct(Described)))
    })
  )
})
export interface Operation extends Schema.Schema.Type<typeof Operation> {}

/** The OpenAPI document, as far as the reference shows it. */
const ReferenceDocument = Schema.Struct({
  info: Schema.Struct({ description: Schema.String }),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String })),
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, JsonSchema),
    securitySchemes: Schema.Struct({ apiKey: Schema.Struct({ description: Schema.String }) }),
    responses: Schema.Struct({ Refusal: Schema.Struct({ description: Schema.String }) })
  })
})
export interface ReferenceDocument extends Schema.Schema.Type<typeof ReferenceDocument> {}

/** Reads the document; one without what the reference shows is a mistake of its author. */
export const decodeReference = Schema.decodeUnknownSync(ReferenceDocument)
