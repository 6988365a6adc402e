import { Predicate } from "effect"
import { withSign } from "../../../input/Currency.ts"
import type { FormValues } from "../../../site/form.ts"
import type { Table } from "../../tables/Layout.ts"
import { importFile, importText, type Imported } from "../../tables/importTable.ts"
import type { Offer } from "../../tables/CampaignRows.ts"
import { columns } from "../../tables/Columns.ts"
import { type Cells, campaignsIn, cellsOfCampaign, tableOf } from "../../tables/PastRows.ts"
import { type Choices, readPastTable, type Surroundings } from "../../tables/PastTable.ts"
import type { Ticks } from "../../tables/Selection.ts"
import { readEmailsPerContact } from "../../tables/Units.ts"
import {
  alternatives,
  type ImportState,
  importStatus,
  importView,
  offersOf,
  outcomeViews,
  previewRows,
  proposalsIn
} from "../views/Import.ts"
import { addedView, type Change } from "../views/Added.ts"
import { byId } from "./byId.ts"

/** A past campaign on the page: its cells, which may have been corrected, and the import that has added it. */
export interface PageRow {
  readonly cells: Cells
  readonly origin: symbol | undefined
}

/** The campaigns of a table, to be taken over. */
export interface ImportedCampaigns {
  /** All past campaigns: those that were there before, and the new ones after them. */
  readonly rows: ReadonlyArray<PageRow>
  /** The emails per contact of the past campaigns, empty if they were counted in emails; undefined if that stays. */
  readonly contactEmails: string | undefined
  /** The amounts for the plan that the user takes, by field. */
  readonly amounts: FormValues
}

/** The page that a table is imported to. */
export interface ImportTarget {
  /** The past campaigns that are there. */
  readonly rows: () => ReadonlyArray<PageRow>
  /** The campaign that learns from them. */
  readonly campaign: () => Surroundings["campaign"]
  /** The amounts of its plan, by field; undefined if it takes none. */
  readonly amounts: (() => FormValues) | undefined
  /** Takes campaigns over; returns what that changes. */
  readonly take: (campaigns: ImportedCampaigns) => Change
  /** The place that says so. */
  readonly change: HTMLElement
  /** Says why a table cannot be read; empty if it can. */
  readonly refuse: (sentence: string) => void
  /** Called when the dialog has closed. */
  readonly closed: () => void
}

const dialog = byId("import-dialog", HTMLDialogElement)
const content = byId("import-content", HTMLElement)
const status = byId("import-status", HTMLElement)

/** The largest accepted file, in bytes: exports with a row per campaign are a thousandth of it. */
const largestFile = 5_000_000

/** A pause in typing, in milliseconds, after which the state of the preview is read out. */
const announcementDelay = 600

interface Import extends Pick<ImportState, "choices" | "declined" | "perContact" | "note" | "sheets"> {
  readonly source: Table
  readonly target: ImportTarget
  /** The mark of the rows that it adds to the page. */
  readonly origin: symbol
  readonly hasAdded: boolean
  readonly file: ImportedFile | undefined
}

/** A file whose sheets are imported one by one: what one has added stays when another is added. */
interface ImportedFile {
  readonly read: (sheet?: string) => Promise<Imported>
  /** The imports of the sheets that were shown before. */
  readonly shown: Map<string, Import>
}

let current: Import | undefined

/** Remembers an import as that of its sheet. */
const keep = (each: Import) => {
  if (each.sheets !== undefined) each.file?.shown.set(each.sheets.shown, each)
}

/** The import that was added last: its columns can still be changed. */
let last: Import | undefined

/** The rows of the page that are not of this import. */
const othersOf = ({ origin, target }: Import): ReadonlyArray<PageRow> =>
  target.rows().filter((row) => row.origin !== origin)

const stateOf = (each: Import): ImportState => {
  const existing = campaignsIn(tableOf(othersOf(each).map(({ cells }) => cells)))
  const surroundings = { existing, campaign: each.target.campaign() }
  return {
    ...each,
    surroundings,
    amounts: each.target.amounts?.(),
    table: readPastTable(each.source, each.choices, surroundings)
  }
}

let announcement: ReturnType<typeof setTimeout> | undefined

const announce = (state: ImportState) => {
  clearTimeout(announcement)
  announcement = setTimeout(() => (status.textContent = importStatus(state)), announcementDelay)
}

/** The rows of the preview as they are shown. */
let shownRows: ReturnType<typeof previewRows> = []

/** Takes over the changes of a row; its checkbox stays, and with it the focus. */
const changeRow = (row: HTMLTableRowElement, changed: Element) => {
  const boxOf = (element: Element) => element.querySelector("input")
  const [box, other] = [boxOf(row), boxOf(changed)]
  if (box !== null && other !== null) {
    box.checked = other.checked
    box.ariaDisabled = other.ariaDisabled
  }
  for (const [index, cell] of [...changed.children].entries()) {
    const shown = row.cells[index]
    if (boxOf(cell) === null && shown?.innerHTML !== cell.innerHTML) shown?.replaceWith(cell)
  }
}

/** Shows the rows: all of them if they are others than before, else those that have changed. */
const showRows = (state: ImportState) => {
  const body = byId("import-rows", HTMLTableSectionElement)
  const rows = previewRows(state)
  const before = shownRows
  shownRows = rows
  if (body.rows.length !== rows.length || rows.some(({ key }, place) => key !== before[place]?.key)) {
    body.innerHTML = rows.map(({ text }) => text).join("")
    return
  }
  const changed = rows.flatMap(({ text }, place) => (text === before[place]?.text ? [] : [{ text, place }]))
  const template = document.createElement("template")
  template.innerHTML = changed.map(({ text }) => text).join("")
  const shown = [...body.rows]
  for (const [index, row] of [...template.content.children].entries()) {
    const place = shown[changed[index]?.place ?? -1]
    if (place !== undefined) changeRow(place, row)
  }
}

const show = (next: Import) => {
  current = next
  const state = stateOf(next)
  content.innerHTML = importView(state).text
  showRows(state)
  if (!dialog.open) dialog.showModal()
  announce(state)
}

const ticksButton = () => document.querySelector<HTMLElement>("#import-ticks button")

/** Shows only what comes of the answers and ticks, so that a field keeps its cursor and a box its focus. */
const showOutcome = (next: Import) => {
  current = next
  const state = stateOf(next)
  const focused = document.activeElement?.id ?? ""
  for (const [place, { text }] of Object.entries(outcomeViews(state))) byId(place, HTMLElement).innerHTML = text
  showRows(state)
  // Of the buttons above the rows, one takes the place of the other.
  if (document.activeElement?.id !== focused) (document.getElementById(focused) ?? ticksButton())?.focus()
  announce(state)
}

const begin = (imported: Imported, target: ImportTarget, file?: ImportedFile) => {
  if ("refusal" in imported) return target.refuse(imported.refusal)
  target.refuse("")
  const { note, sheet, sheets: names, table } = imported
  const sheets = names === undefined || sheet === undefined ? undefined : { names, shown: sheet }
  const unanswered = { choices: {}, declined: new Set<string>(), perContact: "" }
  show({ source: table, note, sheets, ...unanswered, target, origin: Symbol("import"), hasAdded: false, file })
}

/** Previews a pasted table. */
export const importPasted = (text: string, target: ImportTarget) => begin(importText(text), target)

export { columnOf } from "../../tables/importTable.ts"

/** Previews the table in a chosen file. */
export const importChosen = async (chosen: File, target: ImportTarget) => {
  if (chosen.size > largestFile) {
    return target.refuse("The file is too large: choose an export with a row for each campaign, not for each contact.")
  }
  const bytes = await chosen.arrayBuffer().catch(() => undefined)
  if (bytes === undefined) return target.refuse("The file cannot be read.")
  const read = (sheet?: string) => importFile(new Uint8Array(bytes), sheet)
  return begin(await read(), target, { read, shown: new Map() })
}

/** Previews another sheet of the same file, as it was left. */
const showSheet = async (shown: Import, sheet: string) => {
  keep(shown)
  const before = shown.file?.shown.get(sheet)
  const imported = before === undefined ? await shown.file?.read(sheet) : undefined
  // The dialog may have been closed while the sheet was read.
  if (current !== shown) return
  if (before !== undefined) show(before)
  else if (imported !== undefined) begin(imported, shown.target, shown.file)
  document.getElementById("import-sheet")?.focus()
}

/** Previews the table that was added last once more: what it adds takes the place of what it has added before. */
export const reopen = () => {
  if (last !== undefined) show(last)
}

const add = (shown: Import) => {
  const state = stateOf(shown)
  const { campaigns, obstacle } = state.table
  if (obstacle !== undefined) return
  const others = othersOf(shown)
  const added = campaigns.map((campaign) => ({ cells: cellsOfCampaign(campaign), origin: shown.origin }))
  const { emailsPerContact } = shown.choices
  const isAlone = shown.hasAdded || others.length === 0
  last = { ...shown, hasAdded: true }
  keep(last)
  dialog.close()
  const { target } = shown
  const change = target.take({
    rows: [...others, ...added],
    amounts: Object.fromEntries(
      proposalsIn(state).flatMap(({ amount, currency, field }) =>
        shown.declined.has(field) ? [] : [[field, withSign(String(amount), currency)]]
      )
    ),
    contactEmails: emailsPerContact === undefined ? (isAlone ? "" : undefined) : String(emailsPerContact)
  })
  target.change.innerHTML = addedView(added.length, change).text
  target.change.scrollIntoView()
  target.change.querySelector("a")?.focus({ preventScroll: true })
}

/** Closed by a button or by the Escape key. */
dialog.addEventListener("close", () => {
  clearTimeout(announcement)
  current?.target.closed()
  current = undefined
  content.replaceChildren()
  status.textContent = ""
})

content.addEventListener("input", ({ target }) => {
  if (current === undefined || !(target instanceof HTMLInputElement) || target.id !== "emails-per-contact") return
  const { emailsPerContact: _, ...others } = current.choices
  const emails = readEmailsPerContact(target.value)
  const choices: Choices = emails === undefined ? others : { ...others, emailsPerContact: emails }
  showOutcome({ ...current, perContact: target.value, choices })
})

const chosenIn = (target: HTMLSelectElement | HTMLInputElement, choices: Choices): Choices | undefined => {
  if (target instanceof HTMLSelectElement) {
    const index = Number(target.dataset["index"])
    const { [index]: _, ...others } = choices.columns ?? {}
    if (target.value === "") return { ...choices, columns: others }
    return { ...choices, columns: { ...others, [index]: columns.find((name) => name === target.value) ?? "none" } }
  }
  const { name, value } = target
  // Where rows are added up, that of a sum has the place of the first one: it needs a tick of its own.
  const { ticks: _, ...unticked } = choices
  if (name === "rowsAre" || name === "laterRows") return { ...unticked, [name]: value }
  if (Predicate.hasProperty(alternatives, name)) return { ...choices, [name]: value }
  // Without the names of the columns, what they were taken for is unknown again.
  if (target.id === "import-has-header") return { hasHeader: target.checked }
  return target.id === "import-add-up" ? { ...unticked, areAddedUp: target.checked } : undefined
}

/** Sets ticks of rows besides those that were set before. */
const tick = (ticks: Ticks) => {
  if (current === undefined) return
  showOutcome({ ...current, choices: { ...current.choices, ticks: { ...current.choices.ticks, ...ticks } } })
}

content.addEventListener("change", ({ target }) => {
  if (current === undefined || !(target instanceof HTMLSelectElement || target instanceof HTMLInputElement)) return
  const row = target.closest<HTMLElement>("[data-row]")?.dataset["row"]
  if (row !== undefined && target instanceof HTMLInputElement) return tick({ [row]: target.checked })
  const { propose } = target.dataset
  if (propose !== undefined) {
    const others = [...current.declined].filter((field) => field !== propose)
    const isDeclined = target instanceof HTMLInputElement && !target.checked
    current = { ...current, declined: new Set(isDeclined ? [...others, propose] : others) }
    return
  }
  if (target.id === "import-sheet") return void showSheet(current, target.value)
  const choices = chosenIn(target, current.choices)
  if (choices === undefined) return
  show({ ...current, choices })
  document.getElementById(target.id)?.focus()
})

/** Takes an answer; the focus moves to where it can be changed. */
const accept = (shown: Import, { columns = {}, emailsPerContact, rateBases = {} }: Offer) => {
  const { choices } = shown
  show({
    ...shown,
    perContact: emailsPerContact === undefined ? shown.perContact : String(emailsPerContact),
    choices: {
      ...choices,
      columns: { ...choices.columns, ...columns },
      rateBases: { ...choices.rateBases, ...rateBases },
      ...(emailsPerContact !== undefined && { emailsPerContact })
    }
  })
  const [column] = Object.keys({ ...columns, ...rateBases })
  document.getElementById(column === undefined ? "emails-per-contact" : `column-${column}`)?.focus()
}

/** The reactions to the buttons, by ID. */
const buttons: { readonly [id: string]: (shown: Import) => void } = {
  "import-add": add,
  "import-cancel": () => dialog.close(),
  "import-skip": () => document.querySelector<HTMLElement>(".import-end button:enabled")?.focus(),
  "ticks-none": (shown) => tick(Object.fromEntries(stateOf(shown).table.rows.map(({ id }) => [id, false]))),
  "ticks-reset": (shown) => showOutcome({ ...shown, choices: { ...shown.choices, ticks: {} } })
}

content.addEventListener("click", (event) => {
  const { target } = event
  if (current === undefined || !(target instanceof Element)) return
  const offer = target.getAttribute("data-offer")
  const taken = offer === null ? undefined : offersOf(stateOf(current).table)[Number(offer)]
  if (taken !== undefined) return accept(current, taken)
  buttons[target.id]?.(current)
  if (target.ariaDisabled === "true") event.preventDefault()
  // A click beside the name counts, too.
  else if (target.closest("label") === null) target.closest("[data-row]")?.querySelector("input")?.click()
})
