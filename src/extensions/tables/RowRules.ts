import { sum } from "d3-array"
import { countNames } from "../../campaign/Rates.ts"
import { average, extreme, goal, mentionsTotal, statistic, total } from "../../campaign/Summaries.ts"
import { type CampaignRow, unticked } from "./CampaignRows.ts"
import { isOfChannels, isOfStates, isOfSteps, otherChannel } from "./ColumnNames.ts"
import type { ReadColumn } from "./ColumnUses.ts"
import type { ReadRow } from "./ReadRows.ts"

/** The rows that a rule is about, and what its columns say. */
interface Rows {
  readonly all: ReadonlyArray<ReadRow>
  /** Their names in lower case. */
  readonly called: ReadonlyArray<string>
  readonly placeOf: ReadonlyMap<ReadRow, number>
  /** The first row with the cells of another. */
  readonly firstLike: (row: ReadRow) => ReadRow | undefined
  /** True if every row is there twice, as in a table that was pasted twice. */
  readonly areRepeated: boolean
  /** True if a column of channels has emails. */
  readonly haveEmails: boolean
  /** The totals of steps; none if the rows are nothing else. */
  readonly totalsOfSteps: ReadonlySet<ReadRow>
  /** True if a row is the sum of several below it. */
  readonly haveSumsAbove: boolean
  /** The cells of a row in the columns whose names say something, such as that they have channels. */
  readonly cellsOf: (row: ReadRow, isOf: (name: string) => boolean) => ReadonlyArray<string>
}

/** A reason why a row is hardly a campaign to learn from: it is not ticked, unless the user does. */
interface RowRule {
  readonly name: string
  /** The reason, if the rule matches the row. */
  readonly reason: (row: ReadRow, rows: Rows) => string | undefined
  /** A table, whose row on this line it matches. */
  readonly example: readonly [table: ReadonlyArray<string>, line: number]
}

/** The name of a row, else its first cell, as the column of names may be another one. */
const calledOf = ({ label, name }: ReadRow) => (name === "" ? label : name)

/** Counts that are hardly equal by chance. */
const isTelling = (count: number) => count >= 20

/** True if a number was hardly chosen: sums of round numbers may be a coincidence. */
const isOdd = (count: number) => isTelling(count) && count % 10 !== 0

/** The counts above 0 of a row that are all sums of those of others; none if one of its counts is not. */
const sumsOf = (row: CampaignRow, others: ReadonlyArray<CampaignRow>): ReadonlyArray<number> => {
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
    if (sum === emails) return step < 0 ? rows.slice(other, place) : rows.slice(place + 1, other + 1)
  }
  return []
}

/** True if a row is the sum of those before or after it; `leastParts` says of how many at least. */
const isSum = (
  row: ReadRow,
  { all, placeOf }: Pick<Rows, "all" | "placeOf">,
  step: -1 | 1,
  leastParts: number
): boolean => {
  const parts = rowsOfSum(all, placeOf.get(row) ?? -1, step)
  const isNamedTotal =
    [row.name, row.label].some((label) => mentionsTotal.test(label)) ||
    // Of a campaign, Alpha – A and Alpha – B are parts.
    (row.name !== "" && parts.length > 1 && parts.every(({ name }) => name !== row.name && name.startsWith(row.name)))
  const sums = sumsOf(row, parts)
  if (isNamedTotal) return parts.length > 1 || sums.length > 1
  return parts.length >= leastParts && sums.length > 1 && (leastParts === 1 || sums.some(isOdd))
}

const ofOthers =
  /(?<!\p{L})(?:average|avg|median|moyenne|promedio|gemiddelde?|średnia|mittelwert|benchmarks?|^competitors?$|norms?|typical|(?:best|worst) case|goals?|targets?|quotas?|kpis?|objectifs?|objetivos?|obiettiv[oi]|doel(?:en|stelling)?|ziele?|zielwert|(?:last|previous|prior) (?:year|quarter|period)|vor(?:jahr|quartal)|letztes jahr|année (?:dernière|précédente)|a[ñn]o (?:pasado|anterior|passado)|anno (?:scorso|precedente)|vorig jaar|zeszły rok)(?!\p{L})|(?:branchen|durch)schnitt/iu

const ofEmails = /mail/i

/** All steps, in the languages of the columns. */
const allOf = /^(?:all|alle|tou(?:te)?s|tod[oa]s|tutt[ie]|wszystkie) /i

const planned =
  /^(?:plan(?:ned|ning)?|drafts?|draft(?:ed)|scheduled|not[ _]started|upcoming|geplant|entwurf|brouillon|borrador|rascunho|bozza|concept|szkic)$/i

const running =
  /^(?:active|running|in[ _]progress|ongoing|live|sending|started|aktiv|läuft|en cours|en curso|em andamento|in corso|loopt|w toku|acti[fv][eo]?|activa|ativ[oa]|attiv[oa]|actief|aktywn[ay])$/i

const header = "Campaign,Sent,Replies"

/** The reasons why rows are not ticked; of several, the first one is given. */
export const rowRules: ReadonlyArray<RowRule> = [
  {
    name: "the same row again",
    reason: (row, { areRepeated, firstLike }) => {
      const isTold = row.name !== "" && Object.values(row.counts).filter(isTelling).length > 1
      const first = isTold || areRepeated ? firstLike(row) : undefined
      return first === undefined || first === row ? undefined : `the same as line ${first.line}`
    },
    example: [[header, "A,4200,210", "B,3100,96", "A,4200,210"], 4]
  },
  {
    name: "a total of steps",
    reason: (row, { totalsOfSteps }) => (totalsOfSteps.has(row) ? "a total of its steps" : undefined),
    example: [["Sequence,Step,Sent,Replied", "A,Step 1,1000,30", "A,Step 2,950,15", "A,Total,1950,45"], 4]
  },
  {
    name: "called a total",
    // A first column may say that a campaign went to all.
    reason: ({ label, name }, { all }) =>
      total.test(name) ||
      /^(?:grand )?totals? of |\btotals?$/i.test(name) ||
      (total.test(label) && !/^all$/i.test(label)) ||
      (name === "" && mentionsTotal.test(label) && all.some((other) => other.name !== ""))
        ? "called a total"
        : undefined,
    example: [[header, "A,4200,210", "B,3100,96", "Overall,7300,290"], 4]
  },
  {
    name: "called an average or another statistic",
    reason: ({ label, name }, { all }) =>
      average.test(name) || average.test(label) || (all.length > 1 && (statistic.test(name) || extreme.test(name)))
        ? "called an average or another statistic"
        : undefined,
    example: [[header, "A,4200,210", "B,3100,96", "Mean,3650,153"], 4]
  },
  {
    name: "figures of others, or a goal",
    reason: (row, { called }) => {
      const name = calledOf(row).toLowerCase()
      const [word = goal.test(name) ? name : undefined] = ofOthers.exec(name) ?? []
      // Where most have this word, they are campaigns for lists of targets and the like.
      return word === undefined || called.filter((each) => each.includes(word)).length > called.length / 2
        ? undefined
        : "a goal, a plan or figures of others, by its name"
    },
    example: [[header, "A,4200,210", "B,3100,96", "Industry benchmark,10000,340"], 4]
  },
  {
    name: "the sum of rows above",
    reason: (row, rows) => (isSum(row, rows, -1, 2) ? "the sum of rows above" : undefined),
    example: [[header, "A,4200,210", "B,3100,96", "Outbound 2026,7300,306"], 4]
  },
  {
    name: "the sum of rows below",
    reason: (row, rows) => {
      // Where groups have their sums above them, a group may have one row.
      return isSum(row, rows, 1, rows.haveSumsAbove ? 1 : 2) ? "the sum of rows below" : undefined
    },
    example: [[header, "Client X,7300,306", "A,4200,210", "B,3100,96"], 2]
  },
  {
    name: "another channel",
    // Steps of a sequence of emails may be called manual, too.
    reason: (row, { cellsOf, haveEmails }) => {
      const channel = cellsOf(row, isOfChannels).find(
        (text) =>
          otherChannel.test(text) && !ofEmails.test(text) && (haveEmails || !/^(?:manual|tasks?)(?!\p{L})/iu.test(text))
      )
      return channel === undefined ? undefined : `${channel}, not email`
    },
    example: [["Campaign,Channel,Sent,Replies", "A,Email,4200,210", "B,LinkedIn,300,60"], 3]
  },
  {
    name: "not sent yet",
    reason: (row, { cellsOf }) =>
      cellsOf(row, isOfStates).some((text) => planned.test(text)) ? "not sent yet" : undefined,
    example: [["Campaign,Status,Sent,Replies", "A,Done,4200,210", "B,Planned,5000,150"], 3]
  },
  {
    name: "without a name, with the emails of the others",
    reason: (row, { all }) => {
      if (row.name !== "" || (row !== all[0] && row !== all.at(-1))) return undefined
      const others = all.filter((other) => other !== row)
      if (others.length === 0 || others.some(({ name }) => name === "")) return undefined
      const emails = row.counts.emails_sent ?? 0
      const ofOthers = sum(others, ({ counts }) => counts.emails_sent)
      const isAverage = others.length > 1 && Math.abs(emails - ofOthers / others.length) < 1
      const isTotal = Math.abs(emails - ofOthers) <= (others.length > 1 ? ofOthers / 5 : 0)
      return isAverage || isTotal ? "without a name, and like a total or average of the others" : undefined
    },
    example: [[header, "A,4200,210", "B,3100,96", ",7400,310"], 4]
  }
]

/** Takes the tick of rows that a rule matches, and says which campaigns are still being sent, or may be no emails. */
export const withRules = (rows: ReadonlyArray<ReadRow>, columns: ReadonlyArray<ReadColumn>): ReadonlyArray<ReadRow> => {
  const cellsOf: Rows["cellsOf"] = ({ cells }, isOf) =>
    columns.flatMap(({ index, name, use }) =>
      (use === undefined || use === "name") && isOf(name) ? (cells[index]?.text ?? []) : []
    )
  const all = rows.filter(({ counts }) => Object.keys(counts).length > 0)
  const textOf = ({ cells }: ReadRow) => cells.map(({ text }) => text).join("\t")
  const firsts = new Map(all.toReversed().map((row) => [textOf(row), row]))
  const placeOf = new Map(all.map((row, place) => [row, place]))
  const totalsOfSteps = new Set(
    rows.filter((row) => cellsOf(row, isOfSteps).some((text) => total.test(text) || allOf.test(text)))
  )
  const about: Rows = {
    all,
    called: all.map((row) => calledOf(row).toLowerCase()),
    placeOf,
    totalsOfSteps: all.every((row) => totalsOfSteps.has(row)) ? new Set() : totalsOfSteps,
    haveSumsAbove: all.some((row) => isSum(row, { all, placeOf }, 1, 2)),
    areRepeated: all.length === 2 * firsts.size,
    firstLike: (row) => firsts.get(textOf(row)),
    haveEmails: all.some((row) => cellsOf(row, isOfChannels).some((text) => ofEmails.test(text))),
    cellsOf
  }
  const marked = unticked(rows, (row) => {
    for (const { reason } of rowRules) {
      const found = reason(row, about)
      if (found !== undefined) return found
    }
    return undefined
  })
  const remark = (row: ReadRow) => {
    if (cellsOf(row, isOfStates).some((text) => running.test(text))) return "still running: more replies will come"
    const [channel] = otherChannel.exec(row.name) ?? []
    return channel === undefined || [row.name, ...cellsOf(row, isOfChannels)].some((text) => ofEmails.test(text))
      ? row.reason
      : `“${channel}” in its name: only emails teach`
  }
  return marked.map((row) => (row.isTicked ? { ...row, reason: remark(row) } : row))
}
