import { copyText } from "./copyText.ts"
import { addPoints } from "./points.ts"
import { addTabs } from "./tabs.ts"

/** Copies the text of an element; if copying is not allowed, selects it. */
const copyFrom = (button: HTMLButtonElement, source: Element) =>
  copyText(
    button,
    async () => source.textContent,
    () => {
      getSelection()?.selectAllChildren(source)
      button.textContent = "Selected: copy it with the keyboard"
    }
  )

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
  const source = document.querySelector(`#${CSS.escape(button.dataset["copy"] ?? "")}`)
  if (source !== null) {
    button.hidden = false
    button.addEventListener("click", () => void copyFrom(button, source))
  }
}

for (const block of document.querySelectorAll(".code:not(.output)")) {
  const source = block.querySelector("code")
  if (source !== null) {
    const button = document.createElement("button")
    button.type = "button"
    button.className = "copy"
    button.textContent = "Copy"
    button.addEventListener("click", () => void copyFrom(button, source))
    block.append(button)
  }
}

addPoints()
addTabs(document.querySelectorAll(".examples"))
