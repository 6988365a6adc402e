import { fields } from "../../campaign/Fields.ts"
import type { Campaign } from "../Campaign.ts"
import { smallestEnough } from "../counts/SmallestEnough.ts"
import { quotient, toDouble } from "../Decimal.ts"
import { countsOf, meanChance, type Stage, stagesOf } from "../outlook/CampaignOutlook.ts"
import { chanceError } from "../benchmarks/Thresholds.ts"

const maxEmails = fields.emails_sent.bounds.maximum

/** A chance that an email wins a client, as a gamma distribution of the same mean and variance: infinite shape if exact. */
const asGamma = (stage: Stage) => {
  const { denominator, numerator } = meanChance(stage)
  const mean = toDouble(quotient(numerator, denominator, 30))
  const square = stage.uncertain.reduce(
    (product, { alpha, beta }) => product * (1 + beta / (alpha * (alpha + beta + 1))),
    1
  )
  return { mean, shape: 1 / (square - 1) }
}

/** The most steps to the emails, and how near they have to come. */
const maxSteps = 8
const nearEnough = 0.5

/**
 * Creates a function to the fewest emails that win a first client with a chance; undefined if no number that a request
 * may have does. If the share of emails that win a client were gamma distributed, none of n would with a chance of
 * (1 + mean n ÷ shape) to the power of −shape: it is the first guess, and gives the slope for the next ones.
 */
export const firstClient = (campaign: Campaign): ((chance: number) => number | undefined) => {
  const stage = stagesOf(campaign).clients
  const { mean, shape } = asGamma(stage)
  const known = new Map<number, number>()
  const noneOf = (emails: number): number => {
    const none = known.get(emails) ?? (emails < 1 ? 1 : 1 - countsOf(stage, emails).atLeast(1))
    known.set(emails, none)
    return none
  }
  return (chance) => {
    const isEnough = (emails: number) => noneOf(emails) <= 1 - chance + chanceError
    const within = (emails: number) => Math.min(Math.max(emails, 1), maxEmails)
    const wanted = Math.log(1 - chance)
    let guess = within(shape < Infinity ? (shape / mean) * Math.expm1(-wanted / shape) : -wanted / mean)
    for (let step = 0; step < maxSteps; step++) {
      const emails = Math.round(guess)
      const next = within(emails + ((Math.log(noneOf(emails)) - wanted) * (1 + (mean * emails) / shape)) / mean)
      const isNear = Math.abs(next - guess) < nearEnough
      guess = next
      if (isNear) break
    }
    const found = [Math.ceil(guess), Math.floor(guess)].find((emails) => isEnough(emails) && !isEnough(emails - 1))
    return found ?? smallestEnough({ least: 1, greatest: maxEmails, guess }, isEnough)
  }
}
