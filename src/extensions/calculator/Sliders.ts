import { rateBounds } from "../../forecast/benchmarks/Thresholds.ts"
import type { FormNumber } from "./FormFields.ts"
import { readNumber } from "../tables/readNumber.ts"

/** The range and the step of a slider. Numbers beyond it can be typed. */
export interface Slider {
  readonly minimum: number
  readonly maximum: number
  readonly step: number
}

const between = ({ high, low }: (typeof rateBounds)[keyof typeof rateBounds], step: number): Slider => ({
  minimum: Math.min(...low.map(({ value }) => value)),
  maximum: Math.max(...high.map(({ value }) => value)),
  step
})

/**
 * Sliders from the lowest to the highest published figure: rates up to the bounds of the flags, emails from the
 * measured campaigns up to a month of 30 mailboxes, small to middle deals, costs up to those of an agency.
 */
const sliders: { readonly [name: string]: Slider } = {
  emails_sent: { minimum: 500, maximum: 18_000, step: 100 },
  // From 0, so that there is room below the lowest quartile.
  reply_rate: { ...between(rateBounds.reply_rate, 0.1), minimum: 0 },
  positive_reply_rate: between(rateBounds.positive_reply_rate, 1),
  meeting_booking_rate: between(rateBounds.meeting_booking_rate, 1),
  close_rate: between(rateBounds.close_rate, 0.1),
  average_deal_value: { minimum: 0, maximum: 20_000, step: 100 },
  campaign_cost: { minimum: 0, maximum: 8000, step: 50 }
}

/** The slider of a number, if it has one. */
export const sliderOf = ({ name }: FormNumber): Slider | undefined => sliders[name]

/** The position of a slider for a text; undefined if the text is not a number. */
export const placeOf = ({ bounds, example, unit }: FormNumber, text: string): string | undefined => {
  const reading = readNumber(text.trim(), bounds, example, unit)
  return "value" in reading ? String(reading.value) : undefined
}
