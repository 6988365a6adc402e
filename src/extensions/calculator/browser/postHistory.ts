import { messageView } from "../views/Message.ts"
import { cutLinkMessage, hadHistory, historyField, historyIn } from "../../tables/Fragment.ts"

/** A fragment does not reach the service: sends the past campaigns in it, and the numbers in the address, as a form. */
export const postHistory = async (): Promise<void> => {
  if (!hadHistory(location)) return
  // Without the past campaigns, the page has other figures.
  document.body.hidden = true
  const history = await historyIn(location.hash)
  if (history === undefined) {
    const path = `/${location.search}${location.hash}`
    document.body.innerHTML = messageView(cutLinkMessage, { path, text: "Check them in the calculator" }).text
    document.body.hidden = false
    return
  }
  const form = document.createElement("form")
  form.method = "post"
  form.action = location.pathname
  for (const [name, value] of [...new URLSearchParams(location.search), [historyField, history]] as const) {
    const input = document.createElement("input")
    input.type = "hidden"
    input.name = name ?? ""
    input.value = value ?? ""
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}
