import { BigDecimal } from "effect"
import { clientsTogether, contributionOf, portfolioTotals } from "../../../src/extensions/lists/Portfolio.ts"
import type { Campaign } from "../../../src/forecast/Campaign.ts"
import { toDouble } from "../../../src/forecast/Decimal.ts"
import { publishedReplies } from "../../../src/forecast/outlook/Posterior.ts"
import { takeAllSteps } from "../../../src/workers/Steps.ts"
import { drawing } from "../../calibrate/Calibration.ts"

const decimal = BigDecimal.fromNumberUnsafe

/** A year of one sender, whose campaigns are planned alike. */
const months = 12
const monthlyPlan: Campaign = {
  emails_sent: decimal(3000),
  reply_rate: decimal(1.7),
  positive_reply_rate: decimal(14),
  meeting_booking_rate: decimal(45),
  close_rate: decimal(20)
}

/** The shares of the published variance that are the sender's level; the rest differs from month to month. */
const levelShares: ReadonlyArray<number> = [0, 0.25, 0.5, 0.75, 1]

/** The totals of a year, as forecast by both assumptions. */
const yearsForecast = () => {
  const contributions = Array.from({ length: months }, () => contributionOf(monthlyPlan))
  const totals = (isShared: boolean) => {
    const sums = takeAllSteps(clientsTogether(contributions, isShared))
    return portfolioTotals(contributions, sums, isShared)
  }
  return { shared: totals(true), independent: totals(false) }
}

/**
 * Simulates years of one sender whose level varies, with everything else as planned, and returns how many end within
 * the 80% range of their clients, by both assumptions, and how many win no client.
 */
const calibrateYears = (levelShare: number, years: number, seed: number) => {
  const { count, share } = drawing(seed)
  const { independent, shared } = yearsForecast()
  const mean = toDouble(monthlyPlan.reply_rate) / 100
  const others = [monthlyPlan.positive_reply_rate, monthlyPlan.meeting_booking_rate, monthlyPlan.close_rate]
  const passing = others.reduce((product, rate) => (product * toDouble(rate)) / 100, 1)
  const variance = (1 - mean) / publishedReplies.alpha
  const [ofLevel, ofMonth] = [levelShare, 1 - levelShare].map((part) => Math.sqrt(variance * part))
  const within = (clients: number, range: (typeof shared)["clients"]) =>
    Number(range !== null && clients >= range.low && clients <= range.high)
  let [heldShared, heldIndependent, none] = [0, 0, 0]
  for (let year = 0; year < years; year++) {
    const level = share(mean, ofLevel ?? 0)
    let clients = 0
    for (let month = 0; month < months; month++) {
      clients += count(toDouble(monthlyPlan.emails_sent), share(level, ofMonth ?? 0) * passing)
    }
    heldShared += within(clients, shared.clients)
    heldIndependent += within(clients, independent.clients)
    none += Number(clients === 0)
  }
  return { shared: heldShared / years, independent: heldIndependent / years, none: none / years }
}

/** Measures how often the range of all clients of a year holds, in lines. */
export const years = (campaigns: number, seed: number): ReadonlyArray<string> => {
  const { independent, shared } = yearsForecast()
  const rangeText = ({ clients }: typeof shared) => `${clients?.low} to ${clients?.high}`
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`
  return [
    `Twelve months of one sender: ${rangeText(shared)} clients shared, ${rangeText(independent)} independent.`,
    ...levelShares.map((levelShare) => {
      const held = calibrateYears(levelShare, 10 * campaigns, seed)
      return (
        `level ${percent(levelShare)} of the variance: shared holds ${percent(held.shared)}, ` +
        `independent ${percent(held.independent)}, no client in ${percent(held.none)}`
      )
    })
  ]
}
