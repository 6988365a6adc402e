import { countNames } from "../../campaign/Rates.ts"
import type { CampaignRow, LeftOut, Step } from "./CampaignRows.ts"
import type { TableRow } from "./TableRows.ts"

const totalWord =
  "(?:(?:grand|sub|overall|report|campaign|account)[ -]?)?totals?|sums?|summe|gesamt(?:summe|ergebnis)?|insgesamt|overall|all|total g[eé]n[eé]ral|total geral|totaal|totale|suma|somme|zwischensumme"
const averageWord = "average|avg\\.?|median|durchschnitt|mittelwert|moyenne|promedio|ø|∅"
const about =
  "(?: ?(?:of|for|across)? ?(?:all|the)? ?(?:\\d+ )?(?:campaigns?|sequences?|cadences?|rows?|results?|kampagnen))?"
const isLabel = (word: string) => new RegExp(`^[Σ∑=*# ]*(?:${word})${about}[\\s:.*()\\d]*$`, "i")
const total = isLabel(`${totalWord}|[Σ∑]`)
const average = isLabel(averageWord)
const mentionsTotal = new RegExp(`^(?:${totalWord})\\b|\\b(?:${totalWord})[:.]?$`, "i")

/** The counts above 0 of a row that are all sums of those of at least two others; none if one of its counts is not. */
const sumsOf = (row: CampaignRow, others: ReadonlyArray<CampaignRow>): ReadonlyArray<number> => {
  if (others.length < 2) return []
  const given = countNames.filter((name) => row.counts[name] !== undefined)
  const isSum = given.every(
    (name) => row.counts[name] === others.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0)
  )
  return isSum ? given.flatMap((name) => row.counts[name] || []) : []
}

/** True if the emails of a row are the sum of those of the rows right before it. */
const sumsRowsBefore = (rows: ReadonlyArray<CampaignRow>, place: number) => {
  const emails = rows[place]?.counts.emails_sent ?? 0
  let sum = 0
  for (let before = place - 1; before >= 0 && sum < emails; before--) {
    sum += rows[before]?.counts.emails_sent ?? 0
    if (sum === emails && place - before > 1) return true
  }
  return false
}

/** True if a number was hardly chosen: sums of round numbers may be a coincidence. */
const isOdd = (count: number) => count >= 20 && count % 10 !== 0

/** Leaves out totals and averages: rows that say so, and a first or last row that is the sum of the others. */
export const withoutTotals = (rows: ReadonlyArray<TableRow>): Step<TableRow> => {
  const leftOut: Array<LeftOut> = []
  const leave = ({ label, name, shown }: TableRow, why: string) => {
    const called = name === "" && label !== "" && !/^\d/.test(label) ? `“${label}”` : shown
    leftOut.push({ rows: [called], sentence: `${called} is left out: ${why}.` })
    return false
  }
  const labelled = rows.filter((row, place) => {
    const labels = [row.name, row.label]
    if (labels.some((label) => average.test(label))) return leave(row, "it is an average, not a campaign")
    // A first column may say that a campaign went to all.
    if (labels.some((label) => total.test(label) && (label === row.name || !/^all$/i.test(label)))) {
      return leave(row, "it is a total, not a campaign")
    }
    return labels.some((label) => mentionsTotal.test(label)) && sumsRowsBefore(rows, place)
      ? leave(row, "it is the sum of rows before it")
      : true
  })
  const sent = labelled.filter(({ counts }) => (counts.emails_sent ?? 0) > 0)
  const kept = labelled.filter((row) => {
    if (row !== sent[0] && row !== sent.at(-1)) return true
    const others = sent.filter((other) => other !== row)
    const sums = sumsOf(row, others)
    const isNameless = row.name === "" && others.every(({ name }) => name !== "")
    const isSum = isNameless ? sums.length > 0 : sums.length > 1 && (others.length > 2 || sums.some(isOdd))
    return isSum ? leave(row, "it is the sum of the others") : true
  })
  return { rows: kept, leftOut }
}
