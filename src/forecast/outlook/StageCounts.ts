import type { BigDecimal } from "effect"
import { betaBinomial } from "./BetaBinomial.ts"
import { binomial, cdf, type Distribution, readBinomial, smallestReaching } from "./Binomial.ts"
import type { Counts } from "./Counts.ts"
import { complement, complementToDouble, toDouble } from "./Exact.ts"
import type { Stage } from "./Stages.ts"
import { urn } from "./Urn.ts"

/** Up to so many emails, summing over all outcomes is quick, and better than any integral. */
const fewEmails = 200

/** A share that differs from 1 with a chance of about this changes no digit that is shown. */
const almostNever = 1e-7

/** A mean chance below this leaves 1e8 emails without any result, as far as doubles can tell. */
const hopeless = 1e-25

/** Counts by their running sums. A class, as each forecast makes four, and closures would be made anew for each. */
class Tabled implements Counts {
  readonly least: number
  readonly most: number
  readonly distribution: Distribution

  constructor(distribution: Distribution, least: number, most: number) {
    this.distribution = distribution
    this.least = least
    this.most = most
  }

  atLeast(count: number): number {
    return 1 - cdf(this.distribution, count - 1)
  }

  smallestReaching(level: number): number {
    return smallestReaching(this.distribution, level)
  }
}

/** Whether a chance is 1, and not only so near that `q`, the double of what is missing, is 0. */
const isCertain = (chance: BigDecimal.BigDecimal, q: number): boolean => q === 0 && complement(chance).value === 0n

/** What `read` makes of how many of `emails` come to a stage, whose rates are without doubt: binomial, and gone then. */
export const readCounts = <A>({ known }: Stage, emails: number, read: (counts: Counts) => A): A => {
  const q = complementToDouble(known)
  const least = isCertain(known, q) ? emails : 0
  const most = known.value === 0n ? 0 : emails
  return readBinomial(emails, toDouble(known), q, (distribution) => read(new Tabled(distribution, least, most)))
}

/** How many of `emails` come to a stage: binomial where its rates are without doubt, else a mixture of binomials. */
export const countsOf = ({ known, uncertain }: Stage, emails: number): Counts => {
  if (known.value === 0n) return new Tabled(binomial(emails, 0, 1), 0, 0)
  const p = toDouble(known)
  const q = complementToDouble(known)
  if (uncertain.length === 0) return new Tabled(binomial(emails, p, q), isCertain(known, q) ? emails : 0, emails)
  const mean = uncertain.reduce((product, { alpha, beta }) => product * (alpha / (alpha + beta)), p)
  if (mean < hopeless) return new Tabled(binomial(emails, 0, 1), 0, emails)
  const shares = uncertain.filter(({ beta }) => beta > almostNever)
  if (shares.length === 0) return new Tabled(binomial(emails, p, q), 0, emails)
  return emails > fewEmails
    ? betaBinomial({ trials: emails, known: p, shares })
    : new Tabled(urn(emails, binomial(emails, p, q), shares), 0, emails)
}
