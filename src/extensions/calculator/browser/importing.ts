import { Predicate } from "effect"
import type { Table } from "../../tables/Layout.ts"
import { importFile, importText, type Imported } from "../../tables/importTable.ts"
import { columns } from "../../tables/Columns.ts"
import { type Cells, campaignsIn, cellsOfCampaign, tableOf } from "../../tables/PastRows.ts"
import { type Choices, readPastTable, type Surroundings } from "../../tables/PastTable.ts"
import { historyField } from "../../tables/Fragment.ts"
import { openingValues } from "../Presets.ts"
import { readForm } from "../readForm.ts"
import { alternatives, type ImportState, importOutcome, importStatus, importView } from "../views/Import.ts"
import { byId } from "./byId.ts"

/** The campaigns in the table of the page. */
export interface PastCampaignsTable {
  readonly rows: () => ReadonlyArray<Cells>
  /** Replaces them, and puts the focus on one of them. */
  readonly replace: (rows: ReadonlyArray<Cells>, focused: number) => void
}

const dialog = byId("history-import", HTMLDialogElement)
const content = byId("import-content", HTMLElement)
const status = byId("import-status", HTMLElement)
const refusal = byId("history-refusal", HTMLElement)
const file = byId("history-file", HTMLInputElement)
const form = byId("calculator", HTMLFormElement)
const changeColumns = byId("history-columns", HTMLButtonElement)
const contactEmails = byId("contact_emails", HTMLInputElement)

/** The largest accepted file, in bytes: exports with a row per campaign are a thousandth of it. */
const largestFile = 5_000_000

/** A pause in typing, in milliseconds, after which the state of the preview is read out. */
const announcementDelay = 600

interface Import extends Pick<ImportState, "choices" | "perContact" | "note"> {
  readonly source: Table
  readonly past: PastCampaignsTable
  /** The rows of the page that this import has added before. */
  readonly added: ReadonlyArray<Cells>
}

let current: Import | undefined
/** The import that was added last: its columns can still be changed. */
let last: Import | undefined

const keyOf = (cells: Cells) => tableOf([cells])

/** The rows of the page that are not of this import. */
const othersOf = ({ added, past }: Import): ReadonlyArray<Cells> => {
  const own = added.map(keyOf)
  return past.rows().filter((cells) => {
    const index = own.indexOf(keyOf(cells))
    if (index >= 0) own.splice(index, 1)
    return index < 0
  })
}

/** The campaign in the form, whose rates say which counts can be learned from; a typical one if it has errors. */
const campaignInForm = (): Surroundings["campaign"] => {
  const values = Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === "string" ? value : ""])
  )
  const { input } = readForm({ ...values, [historyField]: "" })
  return (input ?? readForm(openingValues).input)?.first.assumptions ?? {}
}

const stateOf = (each: Import): ImportState => {
  const existing = campaignsIn(tableOf(othersOf(each)))
  return { ...each, table: readPastTable(each.source, each.choices, { existing, campaign: campaignInForm() }) }
}

let announcement: ReturnType<typeof setTimeout> | undefined

const announce = ({ table }: ImportState) => {
  clearTimeout(announcement)
  announcement = setTimeout(() => (status.textContent = importStatus(table)), announcementDelay)
}

const show = (next: Import) => {
  current = next
  const state = stateOf(next)
  content.innerHTML = importView(state).text
  if (!dialog.open) dialog.showModal()
  announce(state)
}

/** Shows only what comes of the answers, so that a field keeps its cursor. */
const showOutcome = (next: Import) => {
  current = next
  const state = stateOf(next)
  byId("import-outcome", HTMLElement).innerHTML = importOutcome(state).text
  announce(state)
}

const reject = (sentence: string) => {
  file.value = ""
  refusal.textContent = sentence
}

const begin = (imported: Imported, past: PastCampaignsTable) => {
  refusal.textContent = ""
  if ("refusal" in imported) return reject(imported.refusal)
  show({ source: imported.table, note: imported.note, choices: {}, perContact: "", past, added: [] })
}

/** Previews a pasted table. */
export const importPasted = (text: string, past: PastCampaignsTable) => begin(importText(text), past)

export { columnOf } from "../../tables/importTable.ts"

/** Previews the table in a chosen file. */
export const importChosen = async (chosen: File, past: PastCampaignsTable) => {
  if (chosen.size > largestFile) {
    return reject("The file is too large: choose an export with a row for each campaign, not for each contact.")
  }
  const bytes = await chosen.arrayBuffer().catch(() => undefined)
  if (bytes === undefined) return reject("The file cannot be read.")
  return begin(await importFile(new Uint8Array(bytes)), past)
}

const add = () => {
  if (current === undefined) return
  const { campaigns, obstacle } = stateOf(current).table
  if (obstacle !== undefined) return
  const others = othersOf(current)
  const added = campaigns.map(cellsOfCampaign)
  const { emailsPerContact } = current.choices
  if (emailsPerContact !== undefined) contactEmails.value = String(emailsPerContact)
  else if (current.added.length > 0 || others.length === 0) contactEmails.value = ""
  last = { ...current, added }
  changeColumns.hidden = false
  dialog.close()
  last.past.replace([...others, ...added], others.length)
}

/** Closed by a button or by the Escape key. */
dialog.addEventListener("close", () => {
  current = undefined
  file.value = ""
  content.replaceChildren()
  status.textContent = ""
})

changeColumns.addEventListener("click", () => {
  if (last !== undefined) show(last)
})

const numberOf = (text: string): number | undefined => {
  const emails = Number(text.trim().replace(",", "."))
  return emails > 0 && emails <= 100 ? emails : undefined
}

content.addEventListener("input", ({ target }) => {
  if (current === undefined || !(target instanceof HTMLInputElement) || target.id !== "emails-per-contact") return
  const { emailsPerContact: _, ...others } = current.choices
  const emails = numberOf(target.value)
  const choices: Choices = emails === undefined ? others : { ...others, emailsPerContact: emails }
  showOutcome({ ...current, perContact: target.value, choices })
})

const chosenIn = (target: HTMLSelectElement | HTMLInputElement, choices: Choices): Choices | undefined => {
  if (target instanceof HTMLSelectElement) {
    const use = columns.find((name) => name === target.value) ?? "none"
    return { ...choices, columns: { ...choices.columns, [Number(target.dataset["index"])]: use } }
  }
  const { name, value } = target
  if (Predicate.hasProperty(alternatives, name)) return { ...choices, [name]: value }
  // Without the names of the columns, what they were taken for is unknown again.
  if (target.id === "import-header") return { hasHeader: target.checked }
  return target.id === "import-add-up" ? { ...choices, areAddedUp: target.checked } : undefined
}

content.addEventListener("change", ({ target }) => {
  if (current === undefined || !(target instanceof HTMLSelectElement || target instanceof HTMLInputElement)) return
  const choices = chosenIn(target, current.choices)
  if (choices === undefined) return
  show({ ...current, choices })
  document.getElementById(target.id)?.focus()
})

content.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return
  if (target.id === "import-add") add()
  if (target.id === "import-cancel") dialog.close()
})
