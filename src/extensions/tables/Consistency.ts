import { type CountName, countNames } from "../../campaign/Rates.ts"
import { integer } from "../../text/Figures.ts"
import { type CampaignRow, type Counts, firstFew, type StepResult, without } from "./CampaignRows.ts"
import { labelOf, thingsOf } from "./Columns.ts"

/** The counts of a campaign that contradict others: the ones to leave out, each with the one that it is above. */
const contradictions = (row: Counts): ReadonlyArray<{ readonly name: CountName; readonly above: CountName }> => {
  const found: Array<{ readonly name: CountName; readonly above: CountName }> = []
  let before: CountName = "emails_sent"
  for (const name of countNames) {
    const value = row[name]
    const limit = row[before]
    if (value === undefined || limit === undefined) {
      if (value !== undefined) before = name
      continue
    }
    if (value <= limit) before = name
    // More replies than delivered emails: they may still be fewer than those that were sent.
    else if (before === "delivered" && value <= (row.emails_sent ?? 0)) {
      found.push({ name: "delivered", above: name })
      before = name
    } else found.push({ name, above: before })
  }
  return found
}

/** Leaves out counts that contradict others: a column if it does so in more than one of ten campaigns, else in those. */
export const consistent = (rows: ReadonlyArray<CampaignRow>): StepResult => {
  const leftOut: Array<string> = []
  // A column of nothing but 0 was not counted if a later one has more.
  const empty = countNames.filter((name, index) => {
    const known = rows.flatMap(({ counts }) => counts[name] ?? [])
    const later = countNames.slice(index + 1)
    return (
      known.length > 0 &&
      known.every((count) => count === 0) &&
      rows.some(({ counts }) => later.some((each) => (counts[each] ?? 0) > 0))
    )
  })
  for (const name of empty) {
    leftOut.push(`“${labelOf(name)}” is not used: it is 0 everywhere, although later counts are not.`)
  }
  const delivered = rows.filter(({ counts }) => counts.delivered !== undefined)
  const [first] = delivered
  const areRates = delivered.every(({ counts }) => (counts.delivered ?? 0) <= 100 && (counts.emails_sent ?? 0) > 200)
  if (first !== undefined && areRates) {
    empty.push("delivered")
    leftOut.push(`“Delivered” is not used: ${first.counts.delivered} in ${first.shown} looks like a percentage.`)
  }
  let left = rows.map((row) => ({ ...row, counts: without(row.counts, empty) }))
  for (;;) {
    const found = left.flatMap((row) =>
      contradictions(row.counts)
        .slice(0, 1)
        .map((each) => ({ row, ...each }))
    )
    const [first] = found
    if (first === undefined) return { rows: left, leftOut }
    const { name } = first
    const wrong = new Set(found.filter((each) => each.name === name).map(({ row }) => row))
    const having = left.filter(({ counts }) => counts[name] !== undefined).length
    const isWhole = wrong.size > having / 10
    const label = labelOf(name)
    const above = thingsOf(first.above)
    const [shown, value, limit] = [first.row.shown, first.row.counts[name] ?? 0, first.row.counts[first.above] ?? 0]
    const how = value > limit ? `above the ${integer(limit)} ${above}` : `below the ${integer(limit)} ${above}`
    leftOut.push(
      isWhole
        ? `“${label}” is not used: ${integer(value)} in ${shown} is ${how}.`
        : `“${label}” is left out in ${firstFew([...wrong].map((row) => row.shown))}: ${integer(value)} is ${how}.`
    )
    left = left.map((row) => (isWhole || wrong.has(row) ? { ...row, counts: without(row.counts, [name]) } : row))
  }
}
