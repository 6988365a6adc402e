import { marks } from "../../tables/Fragment.ts"
import { reportTitle } from "../reportTitle.ts"
import { postHistory } from "./postHistory.ts"

const button = document.querySelector<HTMLButtonElement>("#print")
if (button !== null) {
  button.hidden = false
  button.addEventListener("click", () => print())
}

const names = [...document.querySelectorAll<HTMLInputElement>(".sheet header input")]
const links = [...document.querySelectorAll<HTMLAnchorElement>(".controls a, .sheet footer a")]

/** Keeps the names in the address, the links and the title. */
const keepNames = () => {
  const typed = names.map(({ name, value }) => [name, value.trim()] as const)
  for (const link of links) {
    const address = new URL(link.href)
    const { searchParams: query } = address
    const end = query.get(marks.end) ?? ""
    for (const name of [...names.map((input) => input.name), marks.end]) query.delete(name)
    for (const [name, value] of typed) if (value !== "") query.append(name, value)
    query.append(marks.end, end)
    link.href = address.href
    history.replaceState(null, "", `${location.pathname}${address.search}${address.hash}`)
  }
  const headline = document.querySelector<HTMLElement>(".sheet")?.dataset["headline"] ?? ""
  document.title = `${reportTitle(headline, Object.fromEntries(typed))} – Outreach Forecast`
}
for (const input of names) input.addEventListener("change", keepNames)

void postHistory()
