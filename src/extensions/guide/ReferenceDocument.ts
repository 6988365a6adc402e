import { Schema } from "effect"

const JsonSchema = Schema.Record(Schema.String, Schema.Unknown)

/** The formats of a body, by media type. */
const Content = Schema.Record(Schema.String, Schema.Struct({ schema: JsonSchema }))

const Described = { description: Schema.String, schema: JsonSchema, example: Schema.Unknown }

/** The parts of an operation of the API that the reference shows. */
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
      // Refusals of any request are only referenced.
      description: Schema.optionalKey(Schema.String),
      content: Schema.optionalKey(Content),
      headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct(Described)))
    })
  )
})
export interface Operation extends Schema.Schema.Type<typeof Operation> {}

/** The parts of the OpenAPI document that the reference shows. */
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

/** Decodes the document; a missing part is a bug. */
export const decodeReference = Schema.decodeUnknownSync(ReferenceDocument)
