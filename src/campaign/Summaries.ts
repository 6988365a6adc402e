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

/**
 * Says which campaigns are not one, but the total of the others or their average: those that are called so, or have no
 * name as only a total has none, and have the emails of all others together, or their average.
 */
export const summariesAmong = (
  campaigns: ReadonlyArray<{ readonly name: string | undefined; readonly emails: number }>
): ReadonlyArray<"total" | "average" | undefined> => {
  const all = sum(campaigns, ({ emails }) => emails)
  const withName = campaigns.filter(({ name }) => name !== undefined).length
  return campaigns.map(({ emails, name }) => {
    if (emails === 0) return undefined
    const mayBeTotal = name === undefined ? withName > 1 && withName === campaigns.length - 1 : total.test(name)
    if (mayBeTotal && emails * 2 === all) return "total"
    const mayBeAverage = name !== undefined && campaigns.length > 1 && average.test(name)
    return mayBeAverage && Math.abs(emails * campaigns.length - all) < campaigns.length ? "average" : undefined
  })
}
