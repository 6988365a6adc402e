import { betaBinomial } from "./BetaBinomial.ts"
import { binomial, cdf, type Distribution, readBinomial, smallestReaching } from "./Binomial.ts"
import type { Counts } from "./Counts.ts"
import { complement, toDouble } from "./Exact.ts"
import type { Stage } from "./Stages.ts"
import { urn } from "./Urn.ts"

/** Up to so many emails, summing over all outcomes is quick, and better than any integral. */
const fewEmails = 200

/** A share that differs from 1 with a chance of about this changes no digit that is shown. */
const almostNever = 1e-7

/** A mean chance below this leaves 1e8 emails without any result, as far as doubles can tell. */
const hopeless = 1e-25

const tabled = (distribution: Distribution, least: number, most: number): Counts => ({
  least,
  most,
  atLeast: (count) => 1 - cdf(distribution, count - 1),
  smallestReaching: (level) => smallestReaching(distribution, level)
})

/** What `read` makes of how many of `emails` come to a stage, whose rates are without doubt: binomial, and gone then. */
export const readCounts = <A>({ known }: Stage, emails: number, read: (counts: Counts) => A): A => {
  const rest = complement(known)
  const least = rest.value === 0n ? emails : 0
  const most = known.value === 0n ? 0 : emails
  return readBinomial(emails, toDouble(known), toDouble(rest), (distribution) =>
    read(tabled(distribution, least, most))
  )
}

/** How many of `emails` come to a stage: binomial where its rates are without doubt, else a mixture of binomials. */
export const countsOf = ({ known, uncertain }: Stage, emails: number): Counts => {
  if (known.value === 0n) return tabled(binomial(emails, 0, 1), 0, 0)
  const rest = complement(known)
  const p = toDouble(known)
  const q = toDouble(rest)
  if (uncertain.length === 0) return tabled(binomial(emails, p, q), rest.value === 0n ? emails : 0, emails)
  const mean = uncertain.reduce((product, { alpha, beta }) => product * (alpha / (alpha + beta)), p)
  if (mean < hopeless) return tabled(binomial(emails, 0, 1), 0, emails)
  const shares = uncertain.filter(({ beta }) => beta > almostNever)
  return emails > fewEmails && shares.length > 0
    ? betaBinomial({ trials: emails, known: p, shares })
    : tabled(urn(emails, binomial(emails, p, q), shares), 0, emails)
}
