import { Struct } from "effect"
import { fields } from "../../campaign/Fields.ts"
import type { GoalAnswer } from "./Goals.ts"

/** The answers for each solved input, with its label and its unit. */
export const labelledLevers = (needed: GoalAnswer["needed"]) =>
  Struct.keys(needed).flatMap((name) => {
    const answer = needed[name]
    const { form, unit } = fields[name]
    return answer === undefined
      ? []
      : [{ label: name === "campaign_cost" ? "Cost, at most" : form.label, unit, ...answer }]
  })
