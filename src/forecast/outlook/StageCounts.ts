import type { BigDecimal } from "effect"
import { complement, complementToDouble, minus, toDouble } from "../Decimal.ts"
import { betaBinomial } from "./BetaBinomial.ts"
import { binomial, reading, sumBinomial } from "./Binomial.ts"
import { type Counts, SummedCounts } from "./Counts.ts"
import { meanChance, type Stage } from "./Stages.ts"
import { urn } from "./Urn.ts"
import { VaryingCounts } from "./VaryingBinomial.ts"

/** Up to this many emails, summing over all outcomes is fast, and more accurate than an integral. */
const fewEmails = 200

/** A share that differs from 1 with a chance of about this changes no digit that is shown. */
const almostNever = 1e-7

/** Nor does one whose mean differs from 1 by this. */
const almostNothing = 1e-17

/** Below this mean chance, even 1e8 emails bring no result, to the precision of doubles. */
const hopeless = 1e-25

/** Whether a chance is 1, and not only so near that `q`, the double of what is missing, is 0. */
const isCertain = (chance: BigDecimal.BigDecimal, q: number): boolean => q === 0 && complement(chance).value === 0n

const countsIn = ({ known, uncertain }: Stage, emails: number, isKept: boolean): Counts => {
  const sum = isKept ? binomial : sumBinomial
  if (known.value === 0n) return new SummedCounts(sum(emails, 0, 1), 0, 0)
  const p = toDouble(known)
  const q = complementToDouble(known)
  if (uncertain.length === 0) return new SummedCounts(sum(emails, p, q), isCertain(known, q) ? emails : 0, emails)
  const mean = uncertain.reduce(
    (product, { alpha, beta }) => product * (beta === Infinity ? 0 : alpha / (alpha + beta)),
    p
  )
  if (mean < hopeless) return new SummedCounts(sum(emails, 0, 1), 0, emails)
  const shares = uncertain.filter(({ alpha, beta }) => beta > almostNever && beta / alpha > almostNothing)
  const [share, second] = shares
  if (share === undefined) return new SummedCounts(sum(emails, p, q), 0, emails)
  if (second === undefined) return new VaryingCounts({ trials: emails, known: p, rest: q, share }, isKept)
  return emails > fewEmails
    ? betaBinomial({ trials: emails, known: p, shares })
    : new SummedCounts(urn(emails, binomial(emails, p, q), shares), 0, emails)
}

/** What `read` makes of how many of `emails` come to a stage; the counts are gone when it returns. */
export const readCounts = <A>(stage: Stage, emails: number, read: (counts: Counts) => A): A =>
  reading(() => read(countsIn(stage, emails, false)))

/** The same if every rate were exactly as expected. */
export const readChanceAlone = <A>(stage: Stage, emails: number, read: (counts: Counts) => A): A => {
  const { denominator, numerator } = meanChance(stage)
  const [passed, failed, all] = [toDouble(numerator), toDouble(minus(denominator, numerator)), toDouble(denominator)]
  return reading(() => read(new SummedCounts(sumBinomial(emails, passed / all, failed / all), 0, emails)))
}

/**
 * How many of `emails` come to a stage: binomial where its rates are without doubt, else a mixture of binomials, for one
 * varying rate by sums.
 */
export const countsOf = (stage: Stage, emails: number): Counts => countsIn(stage, emails, true)
