import { type CountName, countNames } from "../../campaign/Rates.ts"
import { integer } from "../../text/Figures.ts"
import { groupsOf, firstFew, type Question, type StepResult, unticked } from "./CampaignRows.ts"
import { countsContacts, isOfDates, isOfPeopleOnly, isOfRunningTotals, mentionsAutomatic } from "./ColumnNames.ts"
import type { ReadColumn } from "./ColumnUses.ts"
import { labelOf } from "./Columns.ts"
import type { ReadRow } from "./ReadRows.ts"

/** The user's answers on the meaning of counts, where a table leaves it open. */
export interface Meanings {
  /** True if the replies include the automatic ones of another column. */
  readonly automaticReplies?: "included" | "apart"
  /** True if an empty cell is 0. */
  readonly emptyCells?: "zero" | "unknown"
  /** True if each row of a campaign has all that came before it, as running totals do. */
  readonly laterRows?: "include" | "add"
}

/** Takes automatic replies of a column of their own out of the replies; asks where they may be among them or not. */
export const withoutAutomatic = (
  rows: ReadonlyArray<ReadRow>,
  columns: ReadonlyArray<ReadColumn>,
  answer: Meanings["automaticReplies"]
): StepResult<ReadRow> => {
  const replies = columns.find(({ use }) => use === "replies")
  if (replies === undefined || isOfPeopleOnly(replies.name)) return { rows }
  const candidates = columns.filter(
    ({ kind, name, use }) => use === undefined && kind === "count" && mentionsAutomatic(name) && !isOfPeopleOnly(name)
  )
  const automatic =
    candidates.find((each) => countsContacts(each.name) === countsContacts(replies.name)) ?? candidates[0]
  if (automatic === undefined) {
    return mentionsAutomatic(replies.name)
      ? {
          rows,
          notes: [
            `“${replies.name}” includes automatic replies: a reply rate counts people only, so it is less than these counts say.`
          ]
        }
      : { rows }
  }
  const automaticIn = ({ place }: ReadRow) => automatic.counts[place] ?? 0
  const ticked = rows.filter(({ isTicked }) => isTicked)
  const first = ticked.find((row) => row.counts.replies !== undefined && automaticIn(row) > 0)
  // Where fewer people replied than are interested, the automatic replies are not among the replies.
  const areApart = ticked.some(
    (row) =>
      row.counts.replies !== undefined && row.counts.replies - automaticIn(row) < (row.counts.positive_replies ?? 0)
  )
  if (first === undefined || areApart || answer === "apart") return { rows }
  // “Replies (incl. OOO)” says so itself.
  const areIncluded = answer === "included" || mentionsAutomatic(replies.name)
  const subtracted = rows.map((row) =>
    row.counts.replies === undefined
      ? row
      : { ...row, counts: { ...row.counts, replies: row.counts.replies - automaticIn(row) } }
  )
  if (areIncluded) {
    return { rows: subtracted, notes: [`“${automatic.name}” is subtracted from “${replies.name}”.`] }
  }
  const [some, all] = [automaticIn(first), first.counts.replies ?? 0].map(integer)
  const sentence = `Are the ${some} in “${automatic.name}” of ${first.shown} among its ${all} in “${replies.name}”?`
  return { rows, questions: [{ choice: "automaticReplies", sentence }] }
}

/** The stages after the emails that few reach, so that none may: their cells are left empty for 0. */
const rare: ReadonlyArray<CountName> = countNames.filter((name) => name !== "emails_sent" && name !== "delivered")

/** A count that may be 0 in another row. */
const maxRare = 5

/** Reads empty cells as 0 where the user says so; asks where a column of small counts has empty cells but no 0. */
export const withEmptyCells = (
  rows: ReadonlyArray<ReadRow>,
  columns: ReadonlyArray<ReadColumn>,
  answer: Meanings["emptyCells"]
): StepResult<ReadRow> => {
  let filled = rows
  const empty = new Map<CountName, ReadonlyArray<ReadRow>>()
  let before: CountName = "emails_sent"
  for (const stage of rare) {
    const index = columns.find(({ use }) => use === stage)?.index
    if (index === undefined) continue
    const known = filled.flatMap(({ counts }) => counts[stage] ?? [])
    const isEmpty = ({ cells, counts }: ReadRow) =>
      counts[stage] === undefined &&
      counts[before] !== undefined &&
      /^(?:|[-–—]+|none|nil)$/i.test(cells[index]?.text ?? "")
    const those = filled.filter(isEmpty)
    if (those.length > 0 && !known.includes(0) && known.some((count) => count <= maxRare)) {
      empty.set(stage, those)
      filled = filled.map((row) => (isEmpty(row) ? { ...row, counts: { ...row.counts, [stage]: 0 } } : row))
    }
    before = stage
  }
  const [first] = empty
  if (first === undefined || answer === "unknown") return { rows }
  if (answer === "zero") return { rows: filled, notes: ["Empty cells are 0."] }
  const [stage, those] = first
  const question: Question = {
    choice: "emptyCells",
    sentence: `“${labelOf(stage)}” is empty for ${firstFew(those.map(({ shown }) => shown))}, and 0 for none. Does empty mean 0?`
  }
  return { rows, questions: [question] }
}

/** True if values never fall. */
const areGrowing = (values: ReadonlyArray<number>) =>
  values.every((value, place) => value >= (values[place - 1] ?? value))

/** The rows of a campaign by their emails; undefined if they cannot be running totals, as another count or the date falls. */
const asRunning = (group: ReadonlyArray<ReadRow>): ReadonlyArray<ReadRow> | undefined => {
  const emailsIn = ({ counts }: ReadRow) => counts.emails_sent ?? 0
  const timeOf = ({ date, line }: ReadRow) => date ?? line
  const ordered = group.toSorted((a, b) => emailsIn(a) - emailsIn(b) || timeOf(a) - timeOf(b))
  const areCounts = countNames.every((name) => areGrowing(ordered.flatMap(({ counts }) => counts[name] ?? [])))
  const times = ordered.map(timeOf)
  const areUndated = ordered.every(({ date }) => date === undefined)
  return areCounts && (areGrowing(times) || (areUndated && areGrowing(times.toReversed()))) ? ordered : undefined
}

/**
 * Takes the last row of each campaign where rows are running totals; asks where the counts of dated rows only grow, as
 * fast as sums do: single weeks that get better grow more slowly.
 */
export const withoutEarlier = (
  rows: ReadonlyArray<ReadRow>,
  columns: ReadonlyArray<ReadColumn>,
  areOfOne: boolean,
  answer: Meanings["laterRows"]
): StepResult<ReadRow> => {
  if (answer === "add" || !columns.some(({ kind, name }) => kind === "date" || isOfDates(name))) return { rows }
  const groups = (areOfOne ? [rows] : groupsOf(rows)).filter(({ length }) => length > 1)
  const ordered = groups.flatMap((group) => {
    const running = asRunning(group)
    return running === undefined ? [] : [running]
  })
  const areLikeSums = ordered.every((group) => {
    const [start, end] = [group[0], group.at(-1)].map((row) => row?.counts.emails_sent ?? 0)
    return (end ?? 0) >= ((start ?? 0) * (group.length + 1)) / 2
  })
  const saysSo = columns.some(
    ({ kind, name, use }) => (use !== undefined || kind !== "count") && isOfRunningTotals(name)
  )
  if (groups.length === 0 || ordered.length < groups.length || !(saysSo || areLikeSums)) return { rows }
  const last = ordered.flatMap((group) => group.at(-1) ?? [])
  if (answer === undefined) {
    const of = areOfOne ? "The rows" : `The rows of ${firstFew(last.map(({ shown }) => shown))}`
    const sentence = `${of} look like running totals. Does each row include the earlier ones?`
    return { rows, questions: [{ choice: "laterRows", sentence }] }
  }
  const earlier = new Set(groups.flat())
  for (const row of last) earlier.delete(row)
  return { rows: unticked(rows, (row) => (earlier.has(row) ? "included in a later row" : undefined)) }
}
