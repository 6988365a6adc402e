import { sum } from "d3-array"

const totalWord =
  "(?:(?:grand|sub|overall|report|campaign|account)[ -]?)?totals?|sums?|summe|gesamt(?:summe|ergebnis)?|insgesamt|overall|all|total g[eé]n[eé]ral|total geral|totaal|totale|suma|somme|zwischensumme|razem|łącznie|celkem|összesen|toplam|totalt|i alt|yhteensä|ukupno|итого|всего|разом|σύνολο|合計|合计|总计|總計|小計|합계|총계"
const averageWord =
  "(?:(?:industry|team|overall|account|campaign)[ -])?(?:average|mean)s?|avg\\.?|median|durchschnitt|mittelwert|moyenne|promedio|ø|∅"
const about =
  "(?: ?(?:of|for|across|per)? ?(?:all|the)? ?(?:\\d+ )?(?:campaigns?|sequences?|cadences?|rows?|results?|kampagnen))?"
/** Signs and digits, or anything from the first bracket on: a try from each bracket would take quadratic time. */
const end = "(?:[\\s:.*()\\d–—-]*|[\\s:.*)\\d–—-]*\\(.*\\))$"
const isLabel = (word: string) => new RegExp(`^[Σ∑=*# –—-]*(?:${word})${about}${end}`, "i")
/** Names of totals. */
export const total = new RegExp(`${isLabel(`${totalWord}|[Σ∑]`).source}|^(?:sub-?total|zwischensumme)\\b`, "i")
/** Names of averages. */
export const average = isLabel(averageWord)
/** Names of other statistics of the rows. */
export const statistic = isLabel(
  "st(?:d|andard)?[. -]*dev(?:iation)?\\.?|variance|count|(?:(?:vs\\.?|compared (?:to|with)|change from) (?:last )?|previous |prior )(?:previous |prior )?(?:period|month|quarter|year)|yoy|[δΔ]"
)
/** Names of the greatest and least counts, which can be those of a person. */
export const extreme = isLabel("max(?:imum)?|min(?:imum)?")
const goalWord = "goals?|targets?|quota|benchmarks?"
const planWord = "forecast|projection|budget"
/** Names of goals, and of plans alone or of a period, as a campaign may be about a budget; names with these in brackets. */
export const goal = new RegExp(
  [
    isLabel(goalWord).source,
    `^(?:${planWord})[\\s:*–—-]*\\(?(?:[qh][1-4])?[ -]?(?:20\\d\\d)?\\)?$`,
    `\\((?:${goalWord}|${planWord}|projected|planned|plan)\\)$`
  ].join("|"),
  "i"
)
/** Names that begin or end with a word for a total. */
export const mentionsTotal = new RegExp(`^(?:${totalWord})\\b|\\b(?:${totalWord})[:.)\\]]?$`, "i")

/** True if a row is called a total or an average. */
export const isSummary = (name: string): boolean => total.test(name) || average.test(name)

/** A campaign, as far as it says that it is none. */
export interface NamedEmails {
  readonly name: string | undefined
  readonly emails: number
}

export type Summary = "total" | "average"

/**
 * Says whether a campaign, beside these or one of them, is not one, but the total of the others or their average: it is
 * called so, or has no name as only a total has none, and has the emails of all others together, or their average.
 */
export const summaryAmong = (campaigns: ReadonlyArray<NamedEmails>): ((own: NamedEmails) => Summary | undefined) => {
  const there = new Set(campaigns)
  const emailsThere = sum(campaigns, ({ emails }) => emails)
  const namesThere = campaigns.filter(({ name }) => name !== undefined).length
  return (own) => {
    const { emails, name } = own
    if (emails === 0) return undefined
    const isThere = there.has(own)
    const all = isThere ? emailsThere : emailsThere + emails
    const count = isThere ? there.size : there.size + 1
    // Names are compared only where numbers say that they may matter.
    if (emails * 2 === all && (name === undefined ? namesThere > 1 && namesThere === count - 1 : total.test(name))) {
      return "total"
    }
    const mayBeAverage = count > 1 && Math.abs(emails * count - all) < count
    return mayBeAverage && name !== undefined && average.test(name) ? "average" : undefined
  }
}

/** The same for each of these campaigns. */
export const summariesAmong = (campaigns: ReadonlyArray<NamedEmails>): ReadonlyArray<Summary | undefined> =>
  campaigns.map(summaryAmong(campaigns))
