import { BigDecimal } from "effect"
import { refinements } from "../campaign/Fields.ts"
import { requiredRates } from "../campaign/Rates.ts"
import * as Sources from "../forecast/benchmarks/Sources.ts"
import { compare, showExact, times } from "../forecast/Decimal.ts"
import { greatestRate } from "../forecast/outlook/Campaign.ts"
import { toDouble } from "../forecast/outlook/Exact.ts"
import { evidenceFields, spreadField } from "./Fields.ts"
import { historyField, shortened } from "./history/PastRows.ts"
import { type CalculatorInput, exampleValues, type FormValues } from "./readForm.ts"

/** Figures that are published, as a start. Emails and cost stay as they are. */
export interface Preset {
  readonly name: string
  readonly values: FormValues
  /** What was published, and by whom. */
  readonly sources: ReadonlyArray<{ readonly text: string; readonly source: Sources.Source }>
}

const plan = (name: string, tier: string, values: FormValues): Preset => ({
  name,
  values: { delivery_rate: "94.9", ...values },
  sources: [
    { text: `all rates: ${tier} planning figures`, source: Sources.alchemail },
    { text: "delivery: 100 less a mean bounce rate of 5.1 %", source: Sources.cleanlist }
  ]
})

const byDeal = (name: string, deals: string, closed: string, values: FormValues): Preset => ({
  name,
  values: { reply_rate: "3.43", positive_reply_rate: "55", meeting_booking_rate: "55", ...values },
  sources: [
    { text: "replies: mean per contact, one email to each", source: Sources.instantly },
    {
      text: `positive replies and meetings: middle of 50–60 %; clients: middle of ${closed} for deals ${deals}`,
      source: Sources.importantEmails
    }
  ]
})

export const presets: ReadonlyArray<Preset> = [
  plan("Cautious plan", "conservative", {
    reply_rate: "1.5",
    positive_reply_rate: "40",
    meeting_booking_rate: "35",
    show_rate: "70",
    close_rate: "3.75"
  }),
  plan("Average plan", "average", {
    reply_rate: "3",
    positive_reply_rate: "50",
    meeting_booking_rate: "45",
    show_rate: "80",
    close_rate: "7.26"
  }),
  plan("Ambitious plan", "aggressive", {
    reply_rate: "5",
    positive_reply_rate: "60",
    meeting_booking_rate: "55",
    show_rate: "85",
    close_rate: "12"
  }),
  byDeal("Small deals", "below 5,000 USD", "20–30 %", { close_rate: "25", average_deal_value: "2500" }),
  byDeal("Mid-size deals", "of 5,000–20,000 USD", "15–25 %", { close_rate: "20", average_deal_value: "12000" }),
  byDeal("Large deals", "of 20,000–100,000 USD", "10–20 %", { close_rate: "15", average_deal_value: "50000" })
]

const replaced = [
  ...requiredRates,
  ...refinements,
  ...evidenceFields.flatMap(({ observed, outOf }) => [observed.name, outOf.name])
]

/** The form as a preset fills it: all rates are replaced, and what else is there stays. */
export const withPreset = (values: FormValues, preset: FormValues): FormValues => ({
  ...exampleValues,
  ...Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== "" && !replaced.some((other) => other === name))
  ),
  ...preset
})

/** The preset that the form is filled with, if it is one. */
export const presetOf = (values: FormValues): Preset | undefined =>
  presets.find(
    ({ values: preset }) =>
      Object.entries(preset).every(([name, value]) => values[name] === value) &&
      replaced.every((name) => name in preset || (values[name] ?? "") === "")
  )

/** A second campaign to begin with: half the emails, to a list that replies twice as often. */
export const withSecond = ({ first: { assumptions }, values }: CalculatorInput): FormValues => {
  const { emails_sent: emails, reply_rate: replies } = assumptions
  const doubled = times(replies, BigDecimal.make(2n, 0))
  const greatest = BigDecimal.make(BigInt(greatestRate(assumptions, "reply_rate")), 2)
  return {
    ...values,
    b_name: "Half the emails, a better list",
    b_emails_sent: String(Math.ceil(toDouble(emails) / 2)),
    b_reply_rate: showExact(compare(doubled, greatest) > 0 ? greatest : doubled)
  }
}

/** The address of the calculator with these numbers. */
export const addressOf = (values: FormValues): string => {
  const given = Object.entries(values).flatMap(([name, value]) => {
    if (value === "" || (name === spreadField.name && value === "published")) return []
    return [[name, name === historyField ? shortened(value) : value] as const]
  })
  return `/?${new URLSearchParams(Object.fromEntries(given)).toString()}`
}
