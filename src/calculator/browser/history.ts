import type { FieldError } from "../../input/InvalidInput.ts"
import { type ColumnName, columns } from "../history/Columns.ts"
import { assignColumns, type Cells, cellsOf, historyField, readHistory, tableOf } from "../history/PastRows.ts"
import { splitCells, splitTable } from "../history/Table.ts"
import { historyRows, type ImportedTable, importFault, importView, rowErrors } from "../views/History.ts"

/** The element of the page with an ID. */
export const byId = <E extends HTMLElement>(id: string, type: new () => E): E => {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`The page has no #${id}`)
  return found
}

const field = byId(historyField, HTMLTextAreaElement)
const body = byId("history-rows", HTMLTableSectionElement)
const file = byId("history-file", HTMLInputElement)
const found = byId("history-import", HTMLElement)

/** The largest accepted file, in bytes: exports with a row per campaign are a thousandth of it. */
const largestFile = 5_000_000

const isBlank = (cells: Cells) => columns.every(({ name }) => (cells[name] ?? "").trim() === "")

const rowElements = (): ReadonlyArray<Element> => [...body.querySelectorAll("tr[data-row]")]

const inputOf = (row: Element, column: ColumnName) =>
  row.querySelector<HTMLInputElement>(`input[data-column="${column}"]`)

const cellsIn = (row: Element): Cells =>
  Object.fromEntries(columns.map(({ name }) => [name, inputOf(row, name)?.value ?? ""]))

/** Shows rows in the table, or an empty one if there are none. */
const show = (rows: ReadonlyArray<Cells>) => {
  body.innerHTML = historyRows(rows.length === 0 ? [{}] : rows, [], true)
    .map(({ text }) => text)
    .join("")
}

/** Stores the rows in the form's own field. */
const keep = (rows: ReadonlyArray<Cells>) => {
  field.value = tableOf(rows.filter((cells) => !isBlank(cells)))
  field.dispatchEvent(new Event("input", { bubbles: true }))
}

const change = (rows: ReadonlyArray<Cells>) => {
  show(rows)
  keep(rows)
}

/** Shows the content of the form's own field. */
export const showHistory = () => show(readHistory(field.value).rows)

/** Shows errors below each row, and clears them once the row is valid. */
export const showHistoryErrors = (errors: ReadonlyArray<FieldError>) => {
  let place = 0
  for (const row of rowElements()) {
    const wrong = isBlank(cellsIn(row)) ? new Map<ColumnName, string>() : rowErrors(errors, place++)
    const cell = row.nextElementSibling?.firstElementChild
    for (const { name } of columns) {
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
    cell?.replaceChildren(
      ...[...wrong.values()].map((sentence) => {
        const error = document.createElement("p")
        error.className = "error"
        error.textContent = sentence
        return error
      })
    )
  }
}

let table: ImportedTable | undefined

const showImport = (next: ImportedTable | undefined) => {
  table = next
  found.innerHTML = next === undefined ? "" : importView(next).text
}

const reject = (sentence: string) => {
  showImport(undefined)
  const error = document.createElement("p")
  error.className = "error"
  error.textContent = sentence
  found.replaceChildren(error)
}

const read = (text: string) => {
  const rows = splitTable(text)
  const [header = []] = rows
  if (rows.length === 0) return showImport(undefined)
  const assigned = assignColumns(header)
  // Without names, the first row has numbers.
  const isNamed = assigned.some((column) => column !== undefined) || !header.some((cell) => /^\d/.test(cell))
  return showImport(
    isNamed
      ? { header, assigned, rows: rows.slice(1) }
      : { header: header.map(() => ""), assigned: header.map(() => undefined), rows }
  )
}

const clear = () => {
  file.value = ""
  showImport(undefined)
}

const add = () => {
  if (table === undefined || importFault(table) !== undefined) return
  const rows = cellsOf(table.assigned, table.rows)
  const first = rowElements()
    .map(cellsIn)
    .filter((cells) => !isBlank(cells))
  clear()
  change([...first, ...rows])
  body.querySelectorAll<HTMLInputElement>("input")[first.length * columns.length]?.focus()
}

body.addEventListener("input", () => keep(rowElements().map(cellsIn)))

body.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>("[data-remove]") : null
  if (button === null) return
  const removed = Number(button.dataset["remove"])
  change(rowElements().flatMap((row, index) => (index === removed ? [] : [cellsIn(row)])))
  byId("history-add", HTMLButtonElement).focus()
})

byId("history-add", HTMLButtonElement).addEventListener("click", () => {
  show([...rowElements().map(cellsIn), {}])
  rowElements().at(-1)?.querySelector("input")?.focus()
})

/** Inserts several pasted cells from the focused one on; a table with a header, or without room there, is previewed first. */
body.addEventListener("paste", (event) => {
  const { clipboardData, target } = event
  const text = clipboardData?.getData("text/plain") ?? ""
  if (!(target instanceof HTMLInputElement) || !/[\t\n]/.test(text.trim())) return
  event.preventDefault()
  const row = rowElements().findIndex((each) => each.contains(target))
  const before = columns.findIndex(({ name }) => name === target.dataset["column"])
  const pasted = splitCells(text)
  const [header = []] = splitTable(text)
  const isNamed = header.length > 1 && !header.some((cell) => /^\d/.test(cell))
  const isSeparatedOtherwise = before === 0 && header.length > 1 && !text.includes("\t")
  if (isNamed || isSeparatedOtherwise || pasted.some(({ length }) => before + length > columns.length)) {
    read(text)
    found.querySelector("select")?.focus()
    return
  }
  const cells = rowElements().map(cellsIn)
  const filled = cellsOf(
    columns.slice(before, before + Math.max(...pasted.map(({ length }) => length))).map(({ name }) => name),
    pasted
  ).map((texts, index) => ({ ...cells[row + index], ...texts }))
  change([...cells.slice(0, row), ...filled, ...cells.slice(row + pasted.length)])
  const first = rowElements()[row]
  if (first !== undefined) inputOf(first, columns[before]?.name ?? "name")?.focus()
})

file.addEventListener("change", () => {
  const [chosen] = file.files ?? []
  if (chosen === undefined) return
  if (chosen.size > largestFile) {
    reject("The file is too large: choose an export with a row for each campaign, not for each contact.")
    return
  }
  chosen.text().then(read, () => reject("The file cannot be read."))
})

found.addEventListener("change", ({ target }) => {
  if (table === undefined || !(target instanceof HTMLSelectElement)) return
  const changed = Number(target.dataset["index"])
  const column = columns.find(({ name }) => name === target.value)?.name
  showImport({ ...table, assigned: table.assigned.map((each, index) => (index === changed ? column : each)) })
  byId(target.id, HTMLSelectElement).focus()
})

found.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return
  if (target.id === "import-add") add()
  if (target.id === "import-cancel") clear()
})
