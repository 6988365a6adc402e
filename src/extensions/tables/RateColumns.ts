import { max, sum } from "d3-array"
import { type CountName, countNames } from "../../campaign/Rates.ts"
import { isSummary } from "../../campaign/Summaries.ts"
import { integer, percent } from "../../text/Figures.ts"
import { firstFew, type Offer, type StepResult } from "./CampaignRows.ts"
import { type Cell, numberIn } from "./Cells.ts"
import { isOfPeople, rateNamed } from "./ColumnNames.ts"
import type { ReadColumn } from "./ColumnUses.ts"
import { labelOf, thingsOf } from "./Columns.ts"
import { notationOf } from "./Notation.ts"
import { ratioIn, symbols } from "./readNumber.ts"
import type { ReadRow } from "./ReadRows.ts"

/** The user's answers on what rates are of: the index of the column with those, by the index of the rate's. */
export type RateBases = { readonly [index: number]: number }

/** A rate that stands for more counts than this share apart is not exact enough. */
const tolerance = 0.025

/** A rate in percent, and half the unit of its last digit. */
interface Rate {
  readonly value: number
  readonly half: number
}

/** The least and the greatest count that a rate can stand for. */
interface Bounds {
  readonly from: number
  readonly to: number
}

/** A column whose counts a rate may be of. */
interface Base {
  readonly index: number
  readonly called: string
  readonly of: (row: ReadRow) => number | undefined
}

/** A column of rates, as far as its name says what they are. */
interface RateColumn {
  readonly column: ReadColumn
  readonly count: CountName
  readonly base: CountName | undefined
}

/** The stages that show and close rates are of: nobody shows up, or becomes a client, without a meeting. */
const meetingStages: ReadonlySet<CountName> = new Set(["meetings", "meetings_held"])

/** Rates are written cut off as well as rounded. */
const bounds = ({ half, value }: Rate, least: number, most = least): Bounds => ({
  from: Math.ceil(Math.max(0, (value - half) * least) / 100 - 1e-9),
  to: Math.floor(((value + 2 * half) * most) / 100 + 1e-9)
})

const nearest = ({ value }: Rate, base: number) => Math.round((value * base) / 100)

/** True if a rate of a base stands for one whole number, or for numbers that are hardly apart. */
const isExact = (rate: Rate, base: number) => {
  const { from, to } = bounds(rate, base)
  return from === to || (rate.value > 0 && rate.half <= rate.value * tolerance)
}

const isSure = ({ text }: Cell) => !/^[<>~≈]/.test(text)

const ratioOf = ({ text }: Cell) => ratioIn(symbols(text))

/** The rate in a cell; a ratio, such as 1 in 4, and a share of 1, such as 0.026, in percent too. */
const rateIn = (cell: Cell | undefined, notation: ReturnType<typeof notationOf>, factor: number): Rate | undefined => {
  const { percentage, whole } = (cell && ratioOf(cell)) ?? {}
  if (percentage !== undefined && whole !== undefined) {
    return { value: percentage, half: (0.5 * percentage) / whole }
  }
  // The count in 56 (4.5%) is no rate.
  if (cell?.kind === "count" && /[^\d.,' ]/.test(cell.text)) return undefined
  const value = cell === undefined || !isSure(cell) ? undefined : numberIn(cell, notation, notation)
  if (cell === undefined || value === undefined || value < 0) return undefined
  const [, decimals = ""] = /\d[.,](\d+)(?=\D*$)/.exec(cell.text) ?? []
  const scale = (cell.text.includes("‰") ? 0.1 : 1) * factor
  return { value: value * factor, half: 0.5 * 10 ** -decimals.length * scale }
}

const isRateKind = ({ example, kind, name }: ReadColumn) =>
  kind === "percentage" ||
  (rateNamed(name)?.isNamedRate === true &&
    (kind === "number" || kind === "count" || ratioIn(symbols(example)) !== undefined))

/** The columns of rates whose counts no other column has, in the order of the funnel. */
const rateColumnsIn = (columns: ReadonlyArray<ReadColumn>): ReadonlyArray<RateColumn> => {
  const found = columns.flatMap((column): ReadonlyArray<RateColumn> => {
    if (column.use !== undefined || !isRateKind(column)) return []
    const named = rateNamed(column.name)
    const count = column.isChosen ? column.chosen : named?.count
    return count === undefined || count === "emails_sent" || columns.some(({ use }) => use === count)
      ? []
      : [{ column, count, base: named?.base }]
  })
  return countNames.flatMap((name) => found.filter(({ count }) => count === name))
}

/** A count that was made of a rate. */
interface MadeCount extends Bounds {
  readonly count: number
  readonly how: string
}

/** The counts that a column of rates stands for, row by row. */
interface Made {
  readonly counts: ReadonlyMap<ReadRow, MadeCount>
  readonly leftOut: ReadonlyArray<string>
}

const quoted = (name: string) => `“${name}”`

/** Makes the counts of one column of rates from a base. */
const madeFrom = (
  { column, count }: RateColumn,
  base: Base,
  rows: ReadonlyArray<ReadRow>,
  rateOf: (row: ReadRow) => Rate | undefined
): Made => {
  const counts = new Map<ReadRow, MadeCount>()
  const vague: Array<{ readonly row: ReadRow; readonly why: string }> = []
  for (const row of rows) {
    const [rate, of] = [rateOf(row), base.of(row)]
    if (rate === undefined || of === undefined) continue
    const made = nearest(rate, of)
    const shown = `${percent(rate.value)} of ${integer(of)}`
    const { from, to } = bounds(rate, of)
    if (isExact(rate, of)) counts.set(row, { count: made, how: `${integer(made)} from ${shown}`, from, to })
    else if (row.isTicked) {
      vague.push({ row, why: `${shown} can be ${integer(from)} to ${integer(to)}` })
    }
  }
  const [first] = vague
  if (first === undefined) return { counts, leftOut: [] }
  const isWhole = vague.length >= rows.filter((row) => row.isTicked && rateOf(row) !== undefined).length
  return {
    counts,
    leftOut: [
      isWhole
        ? `${quoted(column.name)} is not used: ${first.why}. Give the number of ${thingsOf(count)}, or more decimals.`
        : `${quoted(labelOf(count))} is left out in ${firstFew(vague.map(({ row }) => row.shown))}: ${first.why}.`
    ]
  }
}

/**
 * Makes counts of rates, where what they are of is in the table and their digits are enough. Where several columns may be
 * what they are of, and neither name nor numbers say which, it asks.
 */
export const withRates = (
  read: ReadonlyArray<ReadRow>,
  columns: ReadonlyArray<ReadColumn>,
  chosen: RateBases
): StepResult<ReadRow> & { readonly readColumns: ReadonlyMap<number, string> } => {
  const leftOut: Array<string> = []
  const notes: Array<string> = []
  const readColumns = new Map<number, string>()
  const made = new Map<number, Made["counts"]>()
  const countOf = (row: ReadRow, name: CountName): number | undefined =>
    row.counts[name] ??
    rateColumns.flatMap(({ column, count }) =>
      count === name ? (made.get(column.index)?.get(row)?.count ?? []) : []
    )[0]
  const rateColumns = rateColumnsIn(columns)
  const contacts = columns.find(
    ({ isOfContacts, kind, name, tiedFor, use, whatFor }) =>
      use === undefined &&
      tiedFor === undefined &&
      kind === "count" &&
      ((isOfContacts && whatFor === "emails_sent") || isOfPeople(name))
  )
  const isMade = (name: CountName) => rateColumns.some(({ column, count }) => count === name && made.has(column.index))
  const questions: Array<NonNullable<StepResult["questions"]>[number]> = []
  for (const rateColumn of rateColumns) {
    const { base: named, column, count } = rateColumn
    const cells = read.flatMap((row) => (row.isTicked ? (row.cells[column.index] ?? []) : []))
    if (isMade(count) || cells.every(({ kind }) => kind === "empty")) continue
    readColumns.set(column.index, `the rate of ${thingsOf(count)}`)
    const notation = notationOf(cells)
    const before = countNames.slice(0, countNames.indexOf(count))
    const isOfMeetings = named === undefined && !column.isChosen && before.includes("meetings")
    const bases = before.toReversed().flatMap((name): ReadonlyArray<Base> => {
      if (isOfMeetings && !meetingStages.has(name)) return []
      const base =
        columns.find(({ use }) => use === name) ??
        rateColumns.find((each) => each.count === name && isMade(name))?.column
      if (base === undefined) return []
      const called = name === "emails_sent" && base.isOfContacts ? "contacts" : thingsOf(name)
      return [{ index: base.index, called, of: (row) => countOf(row, name) }]
    })
    if (contacts !== undefined && !isOfMeetings) {
      bases.push({ index: contacts.index, called: "contacts", of: ({ place }) => contacts.counts[place] })
    }
    const ofName = named === undefined ? bases : bases.filter(({ called }) => called === thingsOf(named))
    const rateWith = (factor: number) => (row: ReadRow) => rateIn(row.cells[column.index], notation, factor)
    const ticked = read.filter(({ isTicked, label, name }) => isTicked && !isSummary(name === "" ? label : name))
    const isPossible = (base: Base, rateOf: (row: ReadRow) => Rate | undefined) =>
      ticked.some((row) => rateOf(row) !== undefined && base.of(row) !== undefined) &&
      ticked.every((row) => {
        const [rate, of] = [rateOf(row), base.of(row)]
        if (rate === undefined || of === undefined) return true
        // A base that was made of rates may be any of several counts.
        const range = made.get(base.index)?.get(row)
        const { from, to } = bounds(rate, range?.from ?? of, range?.to ?? of)
        const limit = before.toReversed().flatMap((name) => countOf(row, name) ?? [])[0] ?? Infinity
        return rate.value <= 100 && from <= to && from <= limit
      })
    const shares = cells.flatMap((cell) => rateIn(cell, notation, 1)?.value ?? [])
    const mayBeShares = column.kind !== "percentage" && (max(shares) ?? 0) <= 1 && !cells.some(ratioOf)
    const readings = (mayBeShares ? [1, 100] : [1]).flatMap((factor) => {
      const rateOf = rateWith(factor)
      return ofName.filter((base) => isPossible(base, rateOf)).map((base) => ({ base, rateOf, factor }))
    })
    if (new Set(readings.map(({ factor }) => factor)).size > 1) {
      const example = cells.find(({ kind }) => kind !== "empty")?.text ?? ""
      leftOut.push(
        `${quoted(column.name)} is not used: ${example} may be a percentage or a share of 1. Give the number of ${thingsOf(count)}.`
      )
      continue
    }
    const [first, ...others] = readings.toSorted(
      (a, b) => Number(b.base.index === chosen[column.index]) - Number(a.base.index === chosen[column.index])
    )
    if (first === undefined) {
      const [base] = ofName
      const why =
        base === undefined
          ? "no column has what these rates are of"
          : `of the ${base.called}, these rates are no whole numbers of ${thingsOf(count)}`
      leftOut.push(`${quoted(column.name)} is not used: ${why}. Give the number of ${thingsOf(count)}.`)
      continue
    }
    const total = ({ base }: typeof first) =>
      sum(ticked, (row) => (first.rateOf(row)?.value ?? 0) * (base.of(row) ?? 0))
    const differ = others.filter((other) => Math.abs(total(other) - total(first)) > total(first) * tolerance)
    if (first.base.index !== chosen[column.index] && differ.length > 0) {
      const options = [first, ...differ]
      questions.push({
        choice: "rateBases",
        sentence: `“${column.name}”: what are the rates of?`,
        offers: options.map(({ base }): Offer => ({
          label: `Of the ${base.called}`,
          rateBases: { [column.index]: base.index }
        }))
      })
      continue
    }
    const result = madeFrom(rateColumn, first.base, read, first.rateOf)
    leftOut.push(...result.leftOut)
    if (result.counts.size === 0) continue
    made.set(column.index, result.counts)
    notes.push(`${quoted(column.name)} of the ${first.base.called} makes the ${thingsOf(count)}, rounded.`)
  }
  const rows = read.map((row) => {
    const [counts, derived]: [{ [name in CountName]?: number }, { [name in CountName]?: string }] = [{}, {}]
    for (const { column, count } of rateColumns) {
      const own = made.get(column.index)?.get(row)
      if (own === undefined) continue
      counts[count] = own.count
      derived[count] = own.how
    }
    return { ...row, counts: { ...row.counts, ...counts }, derived }
  })
  return { rows, leftOut, notes, questions, readColumns }
}
