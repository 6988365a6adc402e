import { calculate } from "../Calculation.ts"
import { fieldLabels, fieldNames, secondFields } from "../Fields.ts"
import { addressOf } from "../Presets.ts"
import { type FormValues, readForm, valuesOf } from "../readForm.ts"
import { noOutcome, places, viewsOf } from "../Views.ts"
import { presetsView } from "../views/Presets.ts"
import type { Html } from "../../text/html.ts"
import type { FieldError } from "../../input/InvalidInput.ts"
import { remember, remembered } from "../../site/browser/language.ts"

/** How long somebody pauses, in milliseconds, before the figures follow, and before they are read out. */
const pause = 60
const spokenPause = 1200

const byId = <E extends HTMLElement>(id: string, type: new () => E): E => {
  const found = document.querySelector(`#${id}`)
  if (!(found instanceof type)) throw new Error(`The page has no #${id}`)
  return found
}

const form = byId("calculator", HTMLFormElement)
const result = byId("result", HTMLElement)
const share = byId("share", HTMLButtonElement)
const address = { baseUrl: form.dataset["baseUrl"] ?? "", hasDemoKey: form.dataset["demoKey"] === "true" }

/** The fields, some of which stand elsewhere on the page. */
const controls = fieldNames.flatMap((name) => {
  const control = form.elements.namedItem(name)
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? [control] : []
})

const currentValues = (): FormValues => Object.fromEntries(controls.map(({ name, value }) => [name, value.trim()]))

/** The pages' own markup, in which every inserted value is escaped. */
const fill = (id: string, { text }: Html) => {
  byId(id, HTMLElement).innerHTML = text
}

/** Says beside each field what is wrong with it, and no more what is right again. */
const showErrors = (errors: ReadonlyArray<FieldError>) => {
  for (const control of controls) {
    const messages = errors.filter(({ pointer }) => pointer === `/${control.name}`).map(({ message }) => message)
    const isWrong = messages.length > 0
    const place = document.querySelector(`#${control.name}-place`)
    const described = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id.endsWith("-help"))
    if (isWrong) described.unshift(`${control.name}-error`)
    control.setAttribute("aria-describedby", described.join(" "))
    if (described.length === 0) control.removeAttribute("aria-describedby")
    if (isWrong) control.setAttribute("aria-invalid", "true")
    else control.removeAttribute("aria-invalid")
    if (place === null) continue
    const error = document.createElement("p")
    error.className = "error"
    error.id = `${control.name}-error`
    error.textContent = `${fieldLabels[control.name] ?? ""} ${messages.join(", ")}.`
    place.replaceChildren(...(isWrong ? [error] : []))
  }
}

let speaking: ReturnType<typeof setTimeout> | undefined

const update = () => {
  const values = currentValues()
  const { errors, input } = readForm(values)
  showErrors(errors)
  showInherited(values)
  document.body.classList.toggle("is-stale", input === undefined)
  if (input === undefined) {
    byId("bar", HTMLElement).textContent = noOutcome
    return
  }
  const views = viewsOf(calculate(input), address)
  for (const place of places) fill(place, views[place])
  fill("presets", presetsView(values))
  history.replaceState(null, "", addressOf(values) + location.hash)
  clearTimeout(speaking)
  speaking = setTimeout(() => {
    byId("spoken", HTMLElement).textContent = views.bar.text
  }, spokenPause)
}

/** What is empty in the second campaign is as in the first. */
const showInherited = (values: FormValues) => {
  for (const { name, of } of secondFields) {
    const control = form.elements.namedItem(name)
    if (control instanceof HTMLInputElement) control.placeholder = values[of] ?? ""
  }
}

let waiting: ReturnType<typeof setTimeout> | undefined

// Fields that stand outside of the form belong to it, but their events do not pass it.
document.addEventListener("input", ({ target }) => {
  if (!controls.some((control) => control === target)) return
  clearTimeout(waiting)
  waiting = setTimeout(update, pause)
})

form.addEventListener("submit", (event) => {
  update()
  // Where something is wrong, the page of the service says what, on top.
  if (document.body.classList.contains("is-stale")) return
  event.preventDefault()
  if (event.submitter?.closest("#calculator") !== null) result.scrollIntoView()
})

/** A link with other numbers in its address: they go into the fields, and the focus to the element that the link names. */
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null
  const focus = link?.dataset["fill"]
  if (link === null || focus === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const values = valuesOf(new URLSearchParams(link.search))
  for (const control of controls) {
    const value = values[control.name] ?? ""
    if (control instanceof HTMLInputElement || value !== "") control.value = value
    if (value !== "") control.closest("details")?.setAttribute("open", "")
  }
  update()
  document.querySelector<HTMLElement>(`#${CSS.escape(focus)}`)?.focus()
})

const copyLink = async () => {
  try {
    await navigator.clipboard.writeText(new URL(addressOf(currentValues()), location.href).href)
    share.textContent = "Link copied"
  } catch {
    share.textContent = "Copy the address of this page"
  }
}

share.hidden = false
share.addEventListener("click", () => void copyLink())

/** The calls are shown in the language that was chosen here or in the guide. */
for (const choice of document.querySelectorAll<HTMLInputElement>("input[name=language]")) {
  if (choice.value === remembered()) choice.checked = true
  choice.addEventListener("change", () => remember(choice.value))
}

// Some browsers keep what was typed when a page is loaded again.
if (controls.some((control) => control instanceof HTMLInputElement && control.value !== control.defaultValue)) update()
