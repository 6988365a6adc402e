import { Struct } from "effect"
import { fields } from "../../campaign/Fields.ts"
import type { GoalAnswer } from "./Goals.ts"

/** The answers for each input that was solved, with what people call it and what it is counted in. */
export const labelledLevers = (needed: GoalAnswer["needed"]) =>
  Struct.keys(needed).flatMap((name) => {
    const answer = needed[name]
    const { form, unit } = fields[name]
    return answer === undefined
      ? []
      : [{ label: name === "campaign_cost" ? "Cost, at most" : form.label, unit, ...answer }]
  })
