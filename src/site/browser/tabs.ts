import { remember, remembered } from "./language.ts"

interface Tab {
  readonly language: string
  readonly button: HTMLButtonElement
  readonly panel: HTMLElement
}

/** Shows a language in a group; a group without it is not changed. */
const show = (tabs: ReadonlyArray<Tab>, language: string) => {
  if (!tabs.some((tab) => tab.language === language)) return
  for (const tab of tabs) {
    const isSelected = tab.language === language
    tab.button.ariaSelected = String(isSelected)
    tab.button.tabIndex = isSelected ? 0 : -1
    tab.panel.hidden = !isSelected
  }
}

const makeTab = (panel: HTMLElement, id: string): Tab => {
  const button = document.createElement("button")
  const language = panel.ariaLabel ?? ""
  button.type = "button"
  button.role = "tab"
  button.id = `${id}-tab`
  button.textContent = language
  button.setAttribute("aria-controls", id)
  panel.id = id
  panel.role = "tabpanel"
  panel.setAttribute("aria-labelledby", button.id)
  return { language, button, panel }
}

/**
 * Gives groups of examples tabs, one for each language. All groups of a page show the same language, and so do the
 * pages that are opened later. The arrow keys move between tabs.
 */
export const addTabs = (groups: Iterable<Element>) => {
  const all: Array<ReadonlyArray<Tab>> = []
  const choose = (language: string) => {
    for (const tabs of all) show(tabs, language)
    remember(language)
  }
  for (const group of groups) {
    const panels = [...group.querySelectorAll<HTMLElement>(".example")]
    const tabs = panels.map((panel, i) => makeTab(panel, `example-${all.length}-${i}`))
    const list = document.createElement("div")
    list.className = "tabs"
    list.role = "tablist"
    list.ariaLabel = "Language"
    list.append(...tabs.map(({ button }) => button))
    group.prepend(list)
    all.push(tabs)
    for (const [i, { button, language }] of tabs.entries()) {
      button.addEventListener("click", () => {
        // The groups above change their height: keep the clicked tab in place.
        const { top } = button.getBoundingClientRect()
        choose(language)
        scrollBy({ top: button.getBoundingClientRect().top - top, behavior: "instant" })
      })
      button.addEventListener("keydown", ({ key }) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
        const next = step === undefined ? undefined : tabs.at((i + step) % tabs.length)
        if (next === undefined) return
        next.button.focus()
        next.button.click()
      })
    }
    const [first] = tabs
    if (first !== undefined) show(tabs, first.language)
    show(tabs, remembered() ?? "")
  }
}
