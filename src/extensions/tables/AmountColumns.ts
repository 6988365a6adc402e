import { sum } from "d3-array"
import { type Currency, withSign } from "../../input/Currency.ts"
import { counted, integer, money } from "../../text/Figures.ts"
import { type Amounts, type CampaignRow, type StepResult } from "./CampaignRows.ts"
import type { Cell } from "./Cells.ts"
import { type AmountName, amountNamed, currencyIn } from "./ColumnNames.ts"
import type { ReadColumn } from "./ColumnUses.ts"
import { notationOf, readingsIn, readingsOf } from "./Notation.ts"
import type { ReadRow } from "./ReadRows.ts"

/** An amount that the table proposes for the plan. */
export interface Proposal {
  readonly field: "average_deal_value" | "campaign_cost"
  readonly amount: number
  readonly currency: Currency | undefined
  /** The figures that it stands on. */
  readonly sentence: string
}

/** A column of amounts. */
interface AmountColumn {
  readonly column: ReadColumn
  readonly name: AmountName
  readonly amounts: ReadonlyMap<ReadRow, number>
  readonly currency: Currency | undefined
}

/** The amounts of a table. */
export interface AmountsRead extends StepResult<ReadRow> {
  readonly columns: ReadonlyArray<AmountColumn>
}

/** An amount in a cell, in the notation of its column: one with three digits after its only sign has thousands. */
const amountIn = ({ readings, text }: Cell, notation: ReturnType<typeof notationOf>): number | undefined => {
  // A workbook has ¤ for the currency of the machine.
  const own = readingsIn(readings.length > 0 ? readings : readingsOf(text.replace("¤", "").trim()), notation)
  return (own.find(({ grouping }) => grouping !== undefined) ?? own[0])?.value
}

/** Reads columns of amounts of money, which never are counts: a deal value as revenue of the row's clients. */
export const withAmounts = (rows: ReadonlyArray<ReadRow>, columns: ReadonlyArray<ReadColumn>): AmountsRead => {
  const leftOut: Array<string> = []
  const found: Array<AmountColumn> = []
  for (const column of columns) {
    const name = amountNamed(column.name, column.kind === "money")
    if (name === undefined || column.use !== undefined || found.some((each) => each.name === name)) continue
    if (!["money", "count", "number"].includes(column.kind)) continue
    const filled = rows.flatMap((row) => {
      const cell = row.cells[column.index]
      return cell === undefined || cell.kind === "empty" || cell.kind === "percentage" ? [] : [{ cell, row }]
    })
    const notation = notationOf(filled.map(({ cell }) => cell))
    const amounts = new Map(
      filled.flatMap(({ cell, row }) => {
        const amount = amountIn(cell, notation)
        return amount === undefined ? [] : [[row, amount] as const]
      })
    )
    const ofCells = filled.flatMap(({ cell }) => cell.currency ?? [])
    const currencies = new Set([currencyIn(column.name) ?? [], ofCells].flat())
    if (currencies.size > 1) {
      leftOut.push(
        `“${column.name}” is not used: it has several currencies, such as ${[...currencies].slice(0, 2).join(" and ")}.`
      )
      continue
    }
    if (rows.some((row) => row.isTicked && (amounts.get(row) ?? 0) < 0)) {
      leftOut.push(`“${column.name}” is not used: it has amounts below 0.`)
      continue
    }
    const [currency] = currencies
    found.push({ column, name, amounts, currency })
  }
  const of = (name: AmountName) => found.find((each) => each.name === name)?.amounts
  const [revenue, dealValue, spend] = [of("revenue"), of("deal_value"), of("spend")]
  return {
    columns: found,
    leftOut,
    rows: rows.map((row): ReadRow => {
      const deal = dealValue?.get(row)
      const { clients } = row.counts
      const ofDeals = deal === undefined || clients === undefined ? undefined : deal * clients
      const amounts: Amounts = {
        revenue: revenue === undefined ? ofDeals : revenue.get(row),
        spend: spend?.get(row)
      }
      return { ...row, amounts }
    })
  }
}

/** An amount as it is typed: whole from 100 on. */
const rounded = (amount: number) => (amount >= 100 ? Math.round(amount) : Math.round(amount * 100) / 100)

/** What the amounts of campaigns say about the plan: the mean of won deals, and the cost of its emails. */
export const proposalsOf = (
  ticked: ReadonlyArray<CampaignRow>,
  { columns }: AmountsRead,
  emails: number | undefined
): ReadonlyArray<Proposal> => {
  const columnOf = (...names: ReadonlyArray<AmountName>) =>
    names.flatMap((name) => columns.find((each) => each.name === name) ?? [])[0]
  const proposals: Array<Proposal> = []
  const winning = ticked.filter(({ amounts, counts }) => amounts?.revenue !== undefined && (counts.clients ?? 0) > 0)
  const [revenue, clients] = [
    sum(winning, ({ amounts }) => amounts?.revenue),
    sum(winning, ({ counts }) => counts.clients)
  ]
  const ofDeals = columnOf("revenue", "deal_value")
  if (ofDeals !== undefined && revenue > 0) {
    const { column, currency, name } = ofDeals
    const amount = rounded(revenue / clients)
    const shown = (value: number) => withSign(money(rounded(value)), currency)
    const from = `${counted(clients, "client")} of ${counted(winning.length, "campaign")}`
    const sentence =
      name === "revenue"
        ? `Deal value ${shown(amount)}: ${shown(revenue)} in “${column.name}” from ${from}.`
        : `Deal value ${shown(amount)}: the mean of “${column.name}” over ${from}.`
    proposals.push({ field: "average_deal_value", amount, currency, sentence })
  }
  const paid = ticked.filter(({ amounts, counts }) => amounts?.spend !== undefined && (counts.emails_sent ?? 0) > 0)
  const [spend, sent] = [sum(paid, ({ amounts }) => amounts?.spend), sum(paid, ({ counts }) => counts.emails_sent)]
  const ofCosts = columnOf("spend")
  if (ofCosts !== undefined && spend > 0 && emails !== undefined) {
    const { column, currency } = ofCosts
    const amount = rounded((spend / sent) * emails)
    const shown = (value: number) => withSign(money(rounded(value)), currency)
    const sentence = `Campaign cost ${shown(amount)}: ${shown(spend)} in “${column.name}” for ${integer(sent)} emails of ${counted(paid.length, "campaign")}, so as much for each of ${integer(emails)}.`
    proposals.push({ field: "campaign_cost", amount, currency, sentence })
  }
  return proposals
}
