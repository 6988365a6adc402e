import { copyText } from "../../../site/browser/copyText.ts"
import { type Entry, findEntries } from "./findEntries.ts"

const textOf = async (path: string): Promise<string> => {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
  return response.text()
}

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === "string")

const fetchEntries = async (path: string): Promise<ReadonlyArray<Entry>> => {
  const entries: unknown = JSON.parse(await textOf(path))
  return Array.isArray(entries) ? entries.filter(isEntry) : []
}

const itemOf = ([title, path, where]: Entry): HTMLLIElement => {
  const item = document.createElement("li")
  const link = document.createElement("a")
  link.href = path
  link.textContent = title
  const place = document.createElement("span")
  place.className = "soft"
  place.textContent = ` ${where}`
  item.append(link, place)
  return item
}

/** Makes a form search: its results are links below the field, which the arrow keys reach, and their number is announced. */
const addSearch = (form: HTMLFormElement, field: HTMLInputElement, status: HTMLElement, list: HTMLElement) => {
  const hint = [...status.childNodes]
  // The file is fetched when the field is first used; from then on the search needs no network.
  let entries: Promise<ReadonlyArray<Entry>> | undefined
  const links = () => [...list.querySelectorAll("a")]

  const show = async () => {
    entries ??= fetchEntries(form.dataset["index"] ?? "")
    const query = field.value
    const found = findEntries(await entries, query)
    if (query !== field.value) return
    list.replaceChildren(...found.map(itemOf))
    if (query.trim() === "") status.replaceChildren(...hint)
    else if (found.length === 0)
      status.textContent = `Nothing has the words “${query.trim()}”. Try one word, or part of it.`
    else status.textContent = found.length === 1 ? "1 result" : `${found.length} results`
  }

  const search = () =>
    show().catch(() => {
      entries = undefined
      status.textContent = "The search could not be loaded. Try again."
    })

  form.hidden = false
  field.addEventListener("input", () => void search())
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void search().then(() => links()[0]?.click())
  })
  form.addEventListener("keydown", (event) => {
    const all: ReadonlyArray<HTMLElement> = [field, ...links()]
    const at = all.findIndex((each) => each === document.activeElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && at !== -1) {
      event.preventDefault()
      all[Math.min(Math.max(at + step, 0), all.length - 1)]?.focus()
    } else if (event.key === "Escape") {
      field.value = ""
      field.focus()
      void search()
    }
  })
}

for (const form of document.querySelectorAll<HTMLFormElement>(".guide-search")) {
  const [field, status, list] = [
    form.querySelector("input"),
    form.querySelector<HTMLElement>("[role=status]"),
    form.querySelector("ol")
  ]
  if (field !== null && status !== null && list !== null) addSearch(form, field, status, list)
}

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-markdown]")) {
  const path = button.dataset["markdown"] ?? ""
  button.hidden = false
  button.addEventListener(
    "click",
    () =>
      void copyText(
        button,
        () => textOf(path),
        () => {
          button.textContent = "Not copied: open it with the link"
        }
      )
  )
}
