import { Schema } from "effect"
import { Assumptions } from "../../../src/campaign/Assumptions.ts"
import { fieldsOf, requestTable } from "../../../src/extensions/guide/fieldTables.ts"
import { withCode, type Tables } from "../../docTables/Page.ts"

const { definitions, schema } = Schema.toJsonSchemaDocument(Schema.toEncoded(Assumptions))

/** The fields of a request without those of its past campaigns; the page itself says what a percentage is. */
const fields = fieldsOf(schema, definitions)
  .filter(({ name }) => !name.includes("["))
  .map(({ description, ...field }) => ({
    ...field,
    description: withCode(description.replace(" 5 means 5 percent.", ""))
  }))

export const firstCall: Tables = { "first-call": [requestTable(fields)] }
