import type { Table } from "../../input/table/Layout.ts"
import { importFile, importText, type Imported } from "../history/importTable.ts"
import { columns } from "../history/Columns.ts"
import type { PastCampaign } from "../../campaign/PastCampaigns.ts"
import { type Cells, cellsOfCampaign } from "../history/PastRows.ts"
import { type Choices, readPastTable, type Surroundings } from "../history/PastTable.ts"
import { openingValues } from "../Presets.ts"
import { readForm } from "../readForm.ts"
import { importView } from "../views/Import.ts"
import { byId } from "./byId.ts"

/** The campaigns in the table of the page, and how to add others to them. */
export interface PastCampaignsTable {
  readonly existing: () => ReadonlyArray<PastCampaign>
  readonly add: (rows: ReadonlyArray<Cells>) => void
}

const found = byId("history-import", HTMLElement)
const file = byId("history-file", HTMLInputElement)

/** The largest accepted file, in bytes: exports with a row per campaign are a thousandth of it. */
const largestFile = 5_000_000

interface Import {
  readonly table: Table
  readonly choices: Choices
  readonly perContact: string
  readonly past: PastCampaignsTable
}

let current: Import | undefined

/** The rates that a typical campaign has: which counts can be learned from depends on which rates there are. */
const campaign: Surroundings["campaign"] = readForm(openingValues).input?.first.assumptions ?? {}

const read = ({ choices, past, table }: Import) =>
  readPastTable(table, choices, { existing: past.existing(), campaign })

const show = (next: Import | undefined) => {
  current = next
  found.innerHTML = next === undefined ? "" : importView(read(next), next.perContact).text
}

const reject = (sentence: string) => {
  show(undefined)
  const error = document.createElement("p")
  error.className = "error"
  error.textContent = sentence
  found.replaceChildren(error)
}

const begin = (imported: Imported, past: PastCampaignsTable) => {
  if ("refusal" in imported) reject(imported.refusal)
  else show({ table: imported.table, choices: {}, perContact: "", past })
}

/** Previews a pasted table. */
export const importPasted = (text: string, past: PastCampaignsTable) => {
  begin(importText(text), past)
  found.querySelector("select")?.focus()
}

/** Previews the table in a chosen file. */
export const importChosen = async (chosen: File, past: PastCampaignsTable) => {
  if (chosen.size > largestFile) {
    reject("The file is too large: choose an export with a row for each campaign, not for each contact.")
    return
  }
  const bytes = await chosen.arrayBuffer().catch(() => undefined)
  if (bytes === undefined) reject("The file cannot be read.")
  else begin(await importFile(new Uint8Array(bytes)), past)
}

const clear = () => {
  file.value = ""
  show(undefined)
}

const add = () => {
  if (current === undefined) return
  const { campaigns, obstacle } = read(current)
  const { past } = current
  if (obstacle !== undefined) return
  clear()
  past.add(campaigns.map(cellsOfCampaign))
}

found.addEventListener("change", ({ target }) => {
  if (current === undefined || !(target instanceof HTMLElement)) return
  const { choices } = current
  if (target instanceof HTMLSelectElement) {
    const use = columns.find(({ name }) => name === target.value)?.name ?? "none"
    show({
      ...current,
      choices: { ...choices, columns: { ...choices.columns, [Number(target.dataset["index"])]: use } }
    })
  } else if (target instanceof HTMLInputElement && target.type === "checkbox") {
    show({ ...current, choices: { ...choices, areAddedUp: target.checked } })
  } else if (target instanceof HTMLInputElement) {
    const emails = Number(target.value.replace(",", "."))
    const { emailsPerContact: _, ...others } = choices
    const given = emails > 0 && emails <= 100 ? { emailsPerContact: emails } : {}
    show({ ...current, perContact: target.value, choices: { ...others, ...given } })
  }
  document.getElementById(target.id)?.focus()
})

found.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return
  if (target.id === "import-add") add()
  if (target.id === "import-cancel") clear()
  const rows = target instanceof HTMLElement ? target.dataset["rows"] : undefined
  if (current !== undefined && (rows === "parts" || rows === "campaigns")) {
    show({ ...current, choices: { ...current.choices, rowsAre: rows } })
  }
})
