import { historyField } from "../../tables/Fragment.ts"
import type { FieldError } from "../../../input/InvalidInput.ts"
import { type ColumnName, columns } from "../../tables/Columns.ts"
import { type Cells, pastRowsIn, tableOf } from "../../tables/PastRows.ts"
import { errorLines, historyRows, rowErrors } from "../views/History.ts"
import type { Change } from "../views/Added.ts"
import { byId } from "./byId.ts"
import type { ImportedCampaigns, ImportTarget, PageRow } from "./importing.ts"

const field = byId(historyField, HTMLTextAreaElement)
const body = byId("history-rows", HTMLTableSectionElement)
const file = byId("history-file", HTMLInputElement)
const refusal = byId("history-refusal", HTMLElement)
const changeColumns = byId("history-columns", HTMLButtonElement)
const removeAll = byId("history-clear", HTMLButtonElement)
const contactEmails = byId("contact_emails", HTMLInputElement)

/** The import of tables, which loads when the first one is pasted or chosen. */
const importing = () => import("./later.ts")

const isBlank = (cells: Cells) => columns.every((name) => (cells[name] ?? "").trim() === "")

const rowElements = (): ReadonlyArray<Element> => [...body.querySelectorAll("tr[data-row]")]

const inputOf = (row: Element, column: ColumnName) =>
  row.querySelector<HTMLInputElement>(`input[data-column="${column}"]`)

const cellsIn = (row: Element): Cells =>
  Object.fromEntries(columns.map((name) => [name, inputOf(row, name)?.value ?? ""]))

/** The imports that have added the rows of the table, by place. */
let origins: ReadonlyArray<PageRow["origin"]> = []

/** The rows of the table; blank ones are no campaigns. */
const pageRows = (): ReadonlyArray<PageRow> =>
  rowElements().map((row, place) => ({ cells: cellsIn(row), origin: origins[place] }))

const tableOfRows = (rows: ReadonlyArray<PageRow>) =>
  tableOf(rows.map(({ cells }) => cells).filter((cells) => !isBlank(cells)))

const typed = (cells: Cells): PageRow => ({ cells, origin: undefined })

/** Shows rows in the table, or an empty one if there are none. */
const show = (rows: ReadonlyArray<PageRow>) => {
  origins = rows.map(({ origin }) => origin)
  body.innerHTML = historyRows(rows.length === 0 ? [{}] : rows.map(({ cells }) => cells), [], true)
    .map(({ text }) => text)
    .join("")
}

/** Stores the rows in the form's own field. */
const keep = (rows: ReadonlyArray<PageRow>) => {
  field.value = tableOfRows(rows)
  showActions()
  field.dispatchEvent(new Event("input", { bubbles: true }))
}

const change = (rows: ReadonlyArray<PageRow>) => {
  show(rows)
  keep(rows)
}

/** Past campaigns can be removed where there are some. */
const showActions = () => {
  removeAll.hidden = field.value === ""
  if (field.value === "") contactEmails.value = ""
}

/** Shows the content of the form's own field. Rows other than those of the page are of no import. */
export const showHistory = () => {
  const rows = pastRowsIn(field.value)
  const before = pageRows()
  const isSame = tableOfRows(before) === tableOf(rows)
  show(isSame ? before : rows.map(typed))
  if (!isSame) changeColumns.hidden = true
  showActions()
}

/** Shows errors below each row, and clears them once the row is valid. */
export const showHistoryErrors = (errors: ReadonlyArray<FieldError>) => {
  let place = 0
  for (const row of rowElements()) {
    const cells = cellsIn(row)
    const wrong = isBlank(cells) ? new Map<ColumnName, string>() : rowErrors(errors, cells, place++)
    const cell = row.nextElementSibling?.firstElementChild
    for (const name of columns) {
      const input = inputOf(row, name)
      if (input === null) continue
      if (wrong.has(name)) {
        input.setAttribute("aria-invalid", "true")
        input.setAttribute("aria-describedby", cell?.id ?? "")
      } else {
        input.removeAttribute("aria-invalid")
        input.removeAttribute("aria-describedby")
      }
    }
    if (cell instanceof Element) cell.innerHTML = errorLines(wrong).text
  }
}

body.addEventListener("input", () => keep(pageRows()))

body.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>("[data-remove]") : null
  if (button === null) return
  const removed = Number(button.dataset["remove"])
  change(pageRows().filter((_, place) => place !== removed))
  byId("history-add", HTMLButtonElement).focus()
})

removeAll.addEventListener("click", () => {
  change([])
  body.querySelector("input")?.focus()
})

byId("history-add", HTMLButtonElement).addEventListener("click", () => {
  show([...pageRows(), typed({})])
  rowElements().at(-1)?.querySelector("input")?.focus()
})

/** Puts pasted cells into a column, from a row on. */
const fill = (row: number, column: ColumnName, pasted: ReadonlyArray<string>) => {
  const rows = pageRows()
  const filled = pasted.map((cell, index) => {
    const { cells, origin } = rows[row + index] ?? typed({})
    return { cells: { ...cells, [column]: cell.trim() }, origin }
  })
  change([...rows.slice(0, row), ...filled, ...rows.slice(row + pasted.length)])
  const first = rowElements()[row]
  if (first !== undefined) inputOf(first, column)?.focus()
}

/** Shows campaigns that were imported. */
const takeOver = ({ contactEmails: each, rows }: ImportedCampaigns) => {
  if (each !== undefined) contactEmails.value = each
  changeColumns.hidden = false
  change(rows)
}

/**
 * Previews tables that are pasted or chosen, for a plan with amounts. `add` is called around the change that adds their
 * campaigns.
 */
export const acceptTables = (
  plan: Pick<ImportTarget, "amounts" | "campaign">,
  add: (imported: ImportedCampaigns, change: () => void) => Change
) => {
  const target: ImportTarget = {
    rows: () => pageRows().filter(({ cells }) => !isBlank(cells)),
    ...plan,
    change: byId("history-added", HTMLElement),
    take: (imported) => add(imported, () => takeOver(imported)),
    refuse: (sentence) => {
      if (sentence !== "") file.value = ""
      refusal.textContent = sentence
    },
    closed: () => (file.value = "")
  }

  // A column of pasted cells is inserted from the focused one on; a table is previewed first.
  body.addEventListener("paste", (event) => {
    const { clipboardData, target: pastedInto } = event
    const text = (clipboardData?.getData("text/plain") ?? "").replaceAll(/\r\n?/g, "\n").replace(/\n$/, "")
    if (!(pastedInto instanceof HTMLInputElement) || !/[\t\n]/.test(text.trim())) return
    event.preventDefault()
    const column = columns.find((name) => name === pastedInto.dataset["column"]) ?? "name"
    const row = rowElements().findIndex((each) => each.contains(pastedInto))
    const isTable = text.includes("\t") || (column === "name" && /[;,|]/.test(text))
    void importing().then(({ columnOf, importPasted }) => {
      const pasted = column === "name" ? text.split("\n") : columnOf(text)
      return isTable || pasted === undefined ? importPasted(text, target) : fill(row, column, pasted)
    })
  })

  file.addEventListener("change", () => {
    const [chosen] = file.files ?? []
    if (chosen !== undefined) void importing().then(({ importChosen }) => importChosen(chosen, target))
  })

  changeColumns.addEventListener("click", () => void importing().then(({ reopen }) => reopen()))
}
