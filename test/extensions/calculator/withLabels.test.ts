import { assert, describe, it } from "@effect/vitest"
import { calculate } from "../../../src/extensions/calculator/Calculation.ts"
import { withLabels } from "../../../src/extensions/calculator/withLabels.ts"
import { readForm } from "../../../src/extensions/calculator/readForm.ts"
import { viewsOf } from "../../../src/extensions/calculator/Views.ts"
import { sampleValues } from "../support/sampleValues.ts"
import { computeProgress } from "../../../src/extensions/progress/Progress.ts"
import type { FormValues } from "../../../src/site/form.ts"

const shown = (values: FormValues): string => {
  const { input } = readForm({ ...sampleValues, ...values })
  if (input === undefined) throw new Error("not a campaign")
  const { advice, notes } = viewsOf(calculate(input, computeProgress), { baseUrl: "", hasDemoKey: true })
  return advice.text + notes.text
}

describe("advice and notes on the page", () => {
  it("use the form's names for fields instead of the API's", () => {
    assert.strictEqual(
      withLabels("If 12% is already per contact, set reply_rate to 4."),
      "If 12% is already per contact, set the reply rate to 4."
    )
    assert.strictEqual(
      withLabels("Revenue is null because average_deal_value is missing."),
      "Revenue cannot be computed because the deal value is missing."
    )
    assert.strictEqual(withLabels("campaign_cost is 0."), "The campaign cost is 0.")
    for (const values of [
      {},
      { average_deal_value: "", campaign_cost: "" },
      { average_deal_value: "", emails_sent: "1" },
      { campaign_cost: "0" },
      { campaign_cost: "" },
      { reply_rate: "1", emails_per_contact: "" },
      { reply_rate: "20", emails_per_contact: "4", delivery_rate: "90", show_rate: "80" },
      { positive_reply_rate: "0", campaign_cost: "20000" },
      { spread: "none" },
      { history: "4200..210.58.11..3_3100..96.24.4..0_3600..148" }
    ]) {
      assert.notMatch(shown(values), /\w_\w|\bnull\b|\ba the\b/, JSON.stringify(values))
    }
  })
})
