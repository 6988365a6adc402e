import { cutLinkMessage, hadHistory, hasHistory, historyField, historyIn } from "../../tables/Fragment.ts"
import { calculate } from "../Calculation.ts"
import type { computeProgress } from "../../progress/Progress.ts"
import {
  campaignFields,
  currencyField,
  fieldLabels,
  fieldNames,
  flightFields,
  numberField,
  secondFields,
  soFarFields
} from "../FormFields.ts"
import { signBefore, withoutSigns } from "../Amounts.ts"
import { embedCode } from "../views/Embed.ts"
import { countsMissing } from "../views/Flight.ts"
import { addressOf, isWhole, openingValues, presetAmounts, valuesOf } from "../Presets.ts"
import { linkOf } from "./link.ts"
import { readForm } from "../readForm.ts"
import { formatted, withoutSeparators } from "../../tables/readNumber.ts"
import { noOutcome } from "../views/Message.ts"
import { places, viewsOf } from "../Views.ts"
import { placeOf } from "../Sliders.ts"
import { suggestionsView } from "../views/Suggestions.ts"
import { presetSource, presetsView } from "../views/Presets.ts"
import type { Html } from "../../../text/html.ts"
import type { FieldError } from "../../../input/InvalidInput.ts"
import { byId } from "./byId.ts"
import { acceptCostParts, clearCostParts } from "./costParts.ts"
import { acceptTables, showHistory, showHistoryErrors } from "./history.ts"
import { errorSummary, fieldErrors, type FormValues } from "../../../site/form.ts"
import { remember, remembered } from "../../../site/browser/language.ts"

/** The pause in typing, in milliseconds, after which the figures update, and after which they are read out. */
const pause = 60
const announcementDelay = 1200

const form = byId("calculator", HTMLFormElement)
const result = byId("result", HTMLElement)
const share = byId("share", HTMLButtonElement)
const copyLabel = share.textContent
const currency = byId(currencyField, HTMLInputElement)
const address = { baseUrl: form.dataset["baseUrl"] ?? "", hasDemoKey: form.dataset["demoKey"] === "true" }

/** The fields, some of which are elsewhere on the page. */
const controls = fieldNames.flatMap((name) => {
  const control = form.elements.namedItem(name)
  return control instanceof HTMLInputElement ||
    control instanceof HTMLSelectElement ||
    control instanceof HTMLTextAreaElement
    ? [control]
    : []
})

/** The values as links and presets have them: numbers without separators. */
const currentValues = (): FormValues =>
  Object.fromEntries(
    controls.map(({ name, value }) => {
      if (name === historyField) return [name, value]
      return [name, numberField(name, {}) === undefined ? value.trim() : withoutSeparators(value.trim())]
    })
  )

/** Shows a number in the page's own notation; the sign of an amount becomes the page's currency. */
const format = (control: (typeof controls)[number]) => {
  const values = currentValues()
  const field = numberField(control.name, values)
  if (field === undefined || control.value.trim() === "" || document.activeElement === control) return
  const plain = withoutSigns(values)
  currency.value = plain[currencyField] ?? ""
  control.value = formatted(plain[control.name] ?? "", field.bounds, field.example)
  showSigns(currentValues())
}

/** Shows the sign of the currency before amounts that are written without one. */
const showSigns = (values: FormValues) => {
  for (const sign of document.querySelectorAll<HTMLElement>("[data-sign]"))
    sign.textContent = signBefore(sign.dataset["sign"] ?? "", values)
}

/** Shows the number in a field without separators, to be changed or sent. */
const unformat = (control: (typeof controls)[number]) => {
  const plain = withoutSeparators(control.value.trim())
  if (numberField(control.name, {}) !== undefined && plain !== control.value) control.value = plain
}

document.addEventListener("focusin", ({ target }) => {
  const entered = controls.find((control) => control === target)
  if (entered !== undefined) unformat(entered)
})
document.addEventListener("focusout", ({ target }) => {
  const left = controls.find((control) => control === target)
  // Only then is the field no longer the active one.
  if (left !== undefined) queueMicrotask(() => format(left))
})

/**
 * Reads the fields. The counts of a campaign in flight are typed one after the other: without all of them it is left
 * out, and they are no errors.
 */
const readFields = () => {
  const values = currentValues()
  const reading = readForm(values)
  const missing = soFarFields.filter(({ name }) =>
    reading.errors.some(({ code, pointer }) => code === "required" && pointer === `/${name}`)
  )
  const errors = reading.errors.filter(({ pointer }) => missing.every(({ name }) => pointer !== `/${name}`))
  if (missing.length === 0 || errors.length > 0) return { values, missing, errors, input: reading.input }
  const noFlight = Object.fromEntries(flightFields.map(({ name }) => [name, ""]))
  return { values, missing, errors, input: readForm({ ...values, ...noFlight }).input }
}

/** The places that show a calculation, except the glance, which also shows that there is none. */
const calculated = places
  .filter((place) => place !== "glance" && place !== "headline" && place !== "spoken" && !place.startsWith("code-"))
  .map((place) => byId(place, HTMLElement))
  .concat([...document.querySelectorAll<HTMLElement>(".languages")])

/** Inserts the page's own markup, in which every value is escaped. */
const fill = (id: string, { text }: Html) => {
  byId(id, HTMLElement).innerHTML = text
}

/** Shows an error next to each invalid field, and clears it once the field is valid. */
const showErrors = (errors: ReadonlyArray<FieldError>, values: FormValues) => {
  for (const control of controls) {
    const { text } = fieldErrors(control.name, fieldLabels[control.name] ?? "", { values, errors })
    const isWrong = text.text !== ""
    const place = document.querySelector(`#${control.name}-place`)
    const described = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id.endsWith("-help"))
    if (isWrong) described.unshift(`${control.name}-error`)
    control.setAttribute("aria-describedby", described.join(" "))
    if (described.length === 0) control.removeAttribute("aria-describedby")
    if (isWrong) control.setAttribute("aria-invalid", "true")
    else control.removeAttribute("aria-invalid")
    if (place !== null) place.innerHTML = text.text + suggestionsView(control.name, values).text
  }
}

let announcement: ReturnType<typeof setTimeout> | undefined

/** The numbers in the address: its query, and its fragment if that has past campaigns. */
const numbersInAddress = () => location.search + (hasHistory(location.hash) ? location.hash : "")

/** Those that the fields were last filled from. */
let filledFrom = numbersInAddress()

/** Counts the changes of the address, because a fragment takes a moment to write. */
let addressChanges = 0

const showAddress = (address: string, change: "pushState" | "replaceState") => {
  history[change](null, "", address)
  filledFrom = numbersInAddress()
}

/** Puts numbers into the address: at once, unless past campaigns are too long for its query. */
const keep = async (values: FormValues, change: "pushState" | "replaceState" = "replaceState") => {
  const turn = ++addressChanges
  if (isWhole(values)) {
    const jump = change === "pushState" || hasHistory(location.hash) ? "" : location.hash
    return showAddress(addressOf(values) + jump, change)
  }
  const link = await linkOf(values)
  if (turn !== addressChanges) return
  showAddress(link, change)
  byId("embed-code", HTMLElement).textContent = embedCode(link, address.baseUrl)
}

/** The computation of a campaign in flight, which loads with the first one. */
let progressing: typeof computeProgress | undefined

const loadProgress = async () => {
  progressing = (await import("./later.ts")).computeProgress
  update()
}

/**
 * Shows the results of the numbers in the fields, or their errors; returns true if there are none. While a slider is
 * dragged, the address stays the same: browsers limit how often it can change.
 */
const update = (isDragged = false): boolean => {
  const { errors, input, missing, values } = readFields()
  // It compares the figures with those from before.
  byId("history-added", HTMLElement).replaceChildren()
  showErrors(errors, values)
  showSliders(values)
  showSigns(values)
  showHistoryErrors(errors)
  showInherited(values)
  showNeeded(values)
  for (const shown of calculated) shown.inert = input === undefined
  if (input === undefined) {
    byId("glance", HTMLElement).textContent = noOutcome
    return false
  }
  const views = viewsOf(calculate(input, progressing, true), address)
  const isLoading = input.flight !== undefined && progressing === undefined
  if (isLoading) void loadProgress()
  for (const place of places) {
    if (place !== "spoken" && place !== "headline" && !(isLoading && place === "flight-answer"))
      fill(place, views[place])
  }
  if (location.search !== "") document.title = `${views.headline.text} – Outreach Forecast`
  if (missing.length > 0) fill("flight-answer", countsMissing(missing))
  fill("presets", presetsView(input.values))
  fill("preset-source", presetSource(input.values))
  if (!isDragged) void keep(input.values)
  clearTimeout(announcement)
  announcement = setTimeout(() => fill("spoken", views.spoken), announcementDelay)
  return true
}

/** The sliders, each with the field that it moves. */
const sliders = campaignFields.flatMap((field) => {
  const slider = document.querySelector<HTMLInputElement>(`input[data-of="${field.name}"]`)
  const number = controls.find(({ name }) => name === field.name)
  return slider === null || number === undefined ? [] : [{ field, slider, number }]
})

/** Moves the sliders to the typed numbers, as far as they reach, without changing the numbers. */
const showSliders = (values: FormValues) => {
  for (const { field, slider } of sliders) {
    const text = values[field.name] ?? ""
    slider.value = placeOf(field, text) ?? (text === "" ? slider.min : slider.value)
  }
}

/** Shows the numbers of the first campaign in empty fields of the second. */
const showInherited = (values: FormValues) => {
  for (const { bounds, example, name, of } of secondFields) {
    const control = form.elements.namedItem(name)
    if (control instanceof HTMLInputElement) control.placeholder = formatted(values[of] ?? "", bounds, example)
  }
}

/** Shows a count of the campaign in flight if the plan has its rate, or if the field is not empty. */
const showNeeded = (values: FormValues) => {
  for (const field of document.querySelectorAll<HTMLElement>("[data-needs]")) {
    const names = [field.dataset["needs"] ?? "", field.querySelector("input")?.name ?? ""]
    field.hidden = names.every((name) => (values[name] ?? "") === "")
  }
}

let waiting: ReturnType<typeof setTimeout> | undefined

/** Updates without waiting for a pause. */
const updateNow = () => {
  clearTimeout(waiting)
  waiting = undefined
  return update()
}

/** The amounts in the fields that are a preset's, not the visitor's own. */
let notOwn: ReadonlyArray<string> = []

const takeAsOwn = (changed: EventTarget | null) => {
  notOwn = notOwn.filter((name) => controls.every((control) => control !== changed || control.name !== name))
}

// Fields outside of the form element belong to it, but their events do not bubble through it.
document.addEventListener("input", ({ target }) => {
  const moved = sliders.find(({ slider }) => slider === target)
  if (moved !== undefined) moved.number.value = moved.slider.value
  else if (controls.some((control) => control === target)) {
    clearTimeout(waiting)
    waiting = undefined
  } else return
  takeAsOwn(moved?.number ?? target)
  share.textContent = copyLabel
  // Dragging a slider never pauses.
  waiting ??= setTimeout(() => {
    waiting = undefined
    update(moved !== undefined)
  }, pause)
})

/** A slider that was dragged is released. */
document.addEventListener("change", ({ target }) => {
  const moved = sliders.find(({ slider }) => slider === target)
  if (moved === undefined) return
  format(moved.number)
  updateNow()
})

form.addEventListener("submit", (event) => {
  // If there are errors, submit the form: the service's page summarizes them at the top. Let the service compute what
  // takes too long here, too.
  if (!update() || event.submitter?.dataset["served"] !== undefined) {
    for (const control of controls) unformat(control)
    return
  }
  event.preventDefault()
  if (event.submitter?.closest("#calculator") !== null) result.scrollIntoView()
})

/** Puts other numbers into the fields. */
const fillFields = (given: FormValues) => {
  const values = withoutSigns(given)
  for (const control of controls) {
    const value = values[control.name] ?? ""
    if (control instanceof HTMLSelectElement && value === "") control.selectedIndex = 0
    else control.value = value
    format(control)
    if (value !== "" && !(control instanceof HTMLSelectElement)) control.closest("details")?.setAttribute("open", "")
  }
  notOwn = presetAmounts(values)
  share.textContent = copyLabel
  clearCostParts()
  showHistory()
  update()
}

/** Fills in the numbers of a link, and adds an entry to the browser's history; the focus moves to an element. */
const follow = async (link: HTMLAnchorElement, focus: string) => {
  const current = currentValues()
  // Every such link keeps the past campaigns, for which it may have no room.
  const values = { ...valuesOf(new URLSearchParams(link.search)), [historyField]: current[historyField] ?? "" }
  // Keep the visitor's own numbers for the way back, even with errors.
  await keep(current)
  await keep(values, "pushState")
  fillFields(values)
  document.querySelector<HTMLElement>(`#${CSS.escape(focus)}`)?.focus()
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null
  const focus = link?.dataset["fill"]
  if (link === null || focus === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  void follow(link, focus)
})

/** Fills in the numbers of the address; says so if the past campaigns in its fragment were cut off. */
const fillFromAddress = async () => {
  filledFrom = numbersInAddress()
  const values = valuesOf(new URLSearchParams(location.search))
  if (!hadHistory(location)) return fillFields(values)
  const past = await historyIn(location.hash)
  if (past !== undefined) return fillFields({ ...values, [historyField]: past })
  const summary = errorSummary({ values, errors: [], message: cutLinkMessage }, {})
  byId("main", HTMLElement).insertAdjacentHTML("afterbegin", summary.text)
  for (const shown of calculated) shown.inert = true
  byId("glance", HTMLElement).textContent = noOutcome
}

addEventListener("popstate", () => {
  const { search } = location
  if (numbersInAddress() !== filledFrom && (search !== filledFrom.split("#")[0] || hasHistory(location.hash))) {
    void fillFromAddress()
  } else if (numbersInAddress() !== filledFrom) {
    // A jump within the page is a history entry too, without the past campaigns in the fragment.
    void keep(currentValues())
  }
})

const copied = async (): Promise<string> => {
  const { input } = readFields()
  if (input === undefined) return "Correct the fields first"
  try {
    await navigator.clipboard.writeText(new URL(await linkOf(input.values), location.href).href)
    return "Link copied"
  } catch {
    return "Copy the address of this page"
  }
}

const copyLink = async () => {
  share.textContent = await copied()
  byId("spoken", HTMLElement).textContent = share.textContent
}

share.hidden = false
share.addEventListener("click", () => void copyLink())

/** Shows the calls in the language chosen here or in the guide. */
for (const choice of document.querySelectorAll<HTMLInputElement>("input[name=language]")) {
  if (choice.value === remembered()) choice.checked = true
  choice.addEventListener("change", () => remember(choice.value))
}

/**
 * The campaign in the form, whose rates say which counts can be learned from. If it has errors a typical one, whose
 * emails are nobody's.
 */
const campaignInForm = () => {
  const { input } = readForm({ ...currentValues(), [historyField]: "" })
  if (input !== undefined) return input.first.assumptions
  const typical = readForm(openingValues).input?.first.assumptions
  if (typical === undefined) return {}
  const { emails_sent: _, ...others } = typical
  return others
}

const shownValues = () => Object.fromEntries(controls.map(({ name, value }) => [name, value]))

acceptTables({ amounts: shownValues, campaign: campaignInForm }, ({ amounts }, change) => {
  const { input: before } = readFields()
  // The money of a preset would be a stranger's beside campaigns of one's own.
  const emptied = notOwn.filter((name) => amounts[name] === undefined)
  notOwn = []
  for (const control of controls) {
    if (emptied.includes(control.name)) control.value = ""
    control.value = amounts[control.name] ?? control.value
  }
  for (const control of controls) if (control.name in amounts) format(control)
  change()
  updateNow()
  const { input: now } = readFields()
  return {
    before: before && calculate(before, undefined, true),
    now: now && calculate(now, undefined, true),
    taken: Object.keys(amounts),
    emptied
  }
})

acceptCostParts(byId("campaign_cost", HTMLInputElement))
notOwn = presetAmounts(currentValues())
fill("presets", presetsView(currentValues()))
showHistory()
if (hadHistory(location)) void fillFromAddress()
// Some browsers keep typed text when a page is reloaded.
else if (controls.some((control) => !(control instanceof HTMLSelectElement) && control.value !== control.defaultValue))
  update()
for (const control of controls) format(control)
