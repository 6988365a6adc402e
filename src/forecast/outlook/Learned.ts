import { Schema } from "effect"
import { membersOf } from "../../campaign/Fields.ts"
import { rateNames } from "../../campaign/Rates.ts"

const learned = Schema.optionalKey(Schema.Struct({ alpha: Schema.Finite, beta: Schema.Finite }))

/** The Beta distributions of rates that were learned from past campaigns. */
export const Learned = Schema.Struct(membersOf(rateNames, () => learned))
export type Learned = typeof Learned.Type
