import { sum } from "d3-array"
import { type CountName, countNames } from "../../campaign/Rates.ts"
import { integer } from "../../text/Figures.ts"
import { type CampaignRow, type StepResult, unticked } from "./CampaignRows.ts"
import { isOfSteps } from "./ColumnNames.ts"
import { labelOf } from "./Columns.ts"
import type { ReadColumn } from "./ColumnUses.ts"
import type { ReadRow } from "./ReadRows.ts"
import { average, extreme, goal, mentionsTotal, statistic, total } from "../../campaign/Summaries.ts"

/** True if a number was hardly chosen: sums of round numbers may be a coincidence. */
const isOdd = (count: number) => count >= 20 && count % 10 !== 0

/** The counts above 0 of a row that are all sums of those of others; none if one of its counts is not. */
const sumsOf = (row: CampaignRow, others: ReadonlyArray<CampaignRow>): ReadonlyArray<number> => {
  if (others.length === 0) return []
  const given = countNames.filter((name) => row.counts[name] !== undefined)
  // Counts that were made of rates are rounded.
  const isSum = given.every((name) => {
    const difference = Math.abs((row.counts[name] ?? 0) - sum(others, ({ counts }) => counts[name]))
    return difference <= (row.derived?.[name] === undefined ? 0 : others.length)
  })
  return isSum ? given.flatMap((name) => row.counts[name] || []) : []
}

/** The rows right before a row, or after it, whose emails have its emails as their sum; none if they have not. */
const rowsOfSum = (rows: ReadonlyArray<CampaignRow>, place: number, step: -1 | 1): ReadonlyArray<CampaignRow> => {
  const emails = rows[place]?.counts.emails_sent ?? 0
  let sum = 0
  for (let other = place + step; rows[other] !== undefined && sum < emails; other += step) {
    sum += rows[other]?.counts.emails_sent ?? 0
    if (sum === emails) {
      return step < 0 ? rows.slice(other, place) : rows.slice(place + 1, other + 1)
    }
  }
  return []
}

/** True if a row says that it is a total; a first column may say that a campaign went to all. */
const isTotal = ({ label, name }: ReadRow): boolean => total.test(name) || (total.test(label) && !/^all$/i.test(label))

/** True if the counts above 0 of a row are the averages of those of the others. */
const isAverageOf = (row: CampaignRow, others: ReadonlyArray<CampaignRow>): boolean => {
  const given = countNames.flatMap((name) => (row.counts[name] ? [{ name, count: row.counts[name] }] : []))
  const average = (name: CountName) => sum(others, ({ counts }) => counts[name]) / others.length
  return given.length > 1 && given.every(({ count, name }) => Math.abs(count - average(name)) < 1)
}

/** True if each count of a row is that of another one, as the greatest and the least of them are. */
const isOfOthers = (row: CampaignRow, rows: ReadonlyArray<CampaignRow>): boolean =>
  countNames.every(
    (name) =>
      row.counts[name] === undefined || rows.some((other) => other !== row && other.counts[name] === row.counts[name])
  )

/** Says where the total of a table is not what its rows add up to; of several totals, neither one nor all together. */
const unlikeTotal = (totals: ReadonlyArray<ReadRow>, rows: ReadonlyArray<ReadRow>): ReadonlyArray<string> => {
  const sumOf = (name: CountName, of: ReadonlyArray<ReadRow>) => sum(of, ({ counts }) => counts[name])
  const unlike = countNames.find((name) => {
    const given = totals.flatMap(({ counts }) => counts[name] ?? [])
    const own = sumOf(name, rows)
    return given.length > 0 && !given.includes(own) && sumOf(name, totals) !== own
  })
  const greatest = unlike && totals.toSorted((a, b) => (b.counts[unlike] ?? 0) - (a.counts[unlike] ?? 0))[0]
  if (unlike === undefined || greatest === undefined) return []
  const [total, own] = [greatest.counts[unlike] ?? 0, sumOf(unlike, rows)].map(integer)
  return [
    `${greatest.shown} has ${total} in “${labelOf(unlike)}”, but the rows have ${own} together: check that none is missing or there twice.`
  ]
}

/**
 * Unticks totals and averages: rows that say so, also in the column of their step or variant if their campaign has
 * others, and a first or last row that is the sum of the others.
 */
export const withoutTotals = (
  rows: ReadonlyArray<ReadRow>,
  columns: ReadonlyArray<ReadColumn>
): StepResult<ReadRow> => {
  const steps = columns.filter(({ name, use }) => use === undefined && isOfSteps(name))
  const stepsOf = ({ cells }: ReadRow) =>
    steps.flatMap(({ index }) => cells[index]?.text ?? []).filter((text) => text !== "")
  const totalOf = (row: ReadRow) => stepsOf(row).find((text) => total.test(text))
  const withSteps = new Set(
    rows.filter((row) => stepsOf(row).length > 0 && totalOf(row) === undefined).map(({ name }) => name)
  )
  const isSum = (row: ReadRow, place: number, step: -1 | 1, leastParts: number): boolean => {
    const parts = rowsOfSum(rows, place, step)
    const sums = sumsOf(row, parts)
    const isNamedTotal = [row.name, row.label].some((label) => mentionsTotal.test(label))
    if (isNamedTotal && parts.length > 1) return true
    const isLong = parts.length >= (isNamedTotal ? 1 : leastParts)
    return isLong && sums.length > 1 && (leastParts === 1 || sums.some(isOdd))
  }
  // Where groups have their sums above them, a group may have one row.
  const hasSumsAbove = rows.some((row, place) => isSum(row, place, 1, 2))
  const hasOthers = (row: ReadRow) => rows.some((other) => other !== row && (other.counts.emails_sent ?? 0) > 0)
  const areNamed = rows.some(({ name }) => name !== "")
  const labelled = unticked(rows, (row) => {
    const place = rows.indexOf(row)
    const labels = [row.name, row.label]
    const step = totalOf(row)
    if (step !== undefined && (withSteps.has(row.name) || withSteps.has(""))) return `a total of its steps: “${step}”`
    if (labels.some((label) => average.test(label))) return "called an average"
    if (isTotal(row) || (areNamed && row.name === "" && mentionsTotal.test(row.label))) return "called a total"
    if ((hasOthers(row) && statistic.test(row.name)) || (extreme.test(row.name) && isOfOthers(row, rows)))
      return "called a statistic"
    if (goal.test(row.name === "" ? row.label : row.name)) return "called a goal"
    if (isSum(row, place, -1, 2)) return "the sum of rows above"
    return isSum(row, place, 1, hasSumsAbove ? 1 : 2) ? "the sum of rows below" : undefined
  })
  const sent = labelled.filter(({ counts, isTicked }) => isTicked && (counts.emails_sent ?? 0) > 0)
  const marked = unticked(labelled, (row) => {
    if (row !== sent[0] && row !== sent.at(-1)) return undefined
    const others = sent.filter((other) => other !== row)
    const sums = sumsOf(row, others)
    const isNameless = row.name === "" && others.every(({ name }) => name !== "")
    const areSums = isNameless
      ? sums.length > 0 && (others.length > 1 || /^\d/.test(row.label))
      : others.length > 1 && sums.length > 1 && (others.length > 2 || sums.some(isOdd))
    if (areSums) return "the sum of the others"
    if (isNameless && others.length > 1 && isAverageOf(row, others)) return "the average of the others"
    const emails = row.counts.emails_sent ?? 0
    const ofOthers = sum(others, ({ counts }) => counts.emails_sent)
    return isNameless && others.length > 1 && emails > ofOthers * 0.8 && emails < ofOthers * 1.25
      ? "without a name, and about as many emails as the others together"
      : undefined
  })
  const kept = marked.filter(({ isTicked }) => isTicked)
  return { rows: marked, notes: unlikeTotal(rows.filter(isTotal), kept) }
}
