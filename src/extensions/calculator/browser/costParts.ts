import { Result } from "effect"
import { html } from "../../../text/html.ts"
import { sumOfParts } from "../CostParts.ts"
import { byId } from "./byId.ts"

const inputs = [...document.querySelectorAll<HTMLInputElement>("#cost-parts input")]
const nameOf = ({ id }: HTMLInputElement) => id.replace("cost-", "")

/** Empties the parts of the cost when another campaign is filled in. */
export const clearCostParts = () => {
  for (const input of inputs) input.value = ""
}

/** Fills a field with the sum of its parts while these are typed, and shows an error next to a wrong one. */
export const acceptCostParts = (cost: HTMLInputElement) => {
  byId("cost-parts", HTMLDetailsElement).addEventListener("input", () => {
    const sum = sumOfParts(Object.fromEntries(inputs.map((input) => [nameOf(input), input.value])))
    const wrong = Result.isFailure(sum) ? sum.failure : undefined
    for (const input of inputs) {
      if (nameOf(input) === wrong?.name) input.setAttribute("aria-invalid", "true")
      else input.removeAttribute("aria-invalid")
    }
    byId("cost-error", HTMLElement).innerHTML = html`${wrong?.message ?? ""}`.text
    if (Result.isFailure(sum) || sum.success === undefined) return
    cost.value = sum.success
    cost.dispatchEvent(new Event("input", { bubbles: true }))
  })
}
