/** The value of a field of a form; empty if the form does not have it. */
const valueOf = (form: HTMLFormElement, name: string): string => {
  const value = new FormData(form).get(name)
  return typeof value === "string" ? value : ""
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // For example, CSV.
    return text
  }
}

const send = async (form: HTMLFormElement): Promise<string> => {
  const [body, key] = [valueOf(form, "body"), valueOf(form, "key")]
  const response = await fetch(valueOf(form, "path"), {
    method: form.dataset["method"] ?? "GET",
    // API calls must not use the session of the browser.
    credentials: "omit",
    headers: {
      accept: "application/json",
      ...(key !== "" && { "x-api-key": key }),
      ...(body !== "" && { "content-type": "application/json" })
    },
    ...(body !== "" && { body })
  })
  return `${response.status} ${response.statusText}\n\n${pretty(await response.text())}`
}

/** Sends the request of a form, and shows the response below. */
const show = async (form: HTMLFormElement) => {
  const text = await send(form).catch((error: unknown) => `There was no response: ${String(error)}`)
  form.querySelector("output")?.replaceChildren(text)
}

const forms = [...document.querySelectorAll<HTMLFormElement>(".trial form")]
for (const form of forms) {
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void show(form)
  })
  // A key typed once is used for every call on this page; it is not stored.
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== "key") return
    for (const { elements } of forms) {
      const field = elements.namedItem("key")
      if (field instanceof HTMLInputElement) field.value = target.value
    }
  })
}

/** Unfolds the operation that the address names: older browsers do not do it for a link into a fold. */
const unfold = () => {
  const target = document.querySelector(`[id="${CSS.escape(decodeURIComponent(location.hash.slice(1)))}"]`)
  const fold = target?.closest<HTMLDetailsElement>("details.endpoint")
  if (fold === null || fold === undefined || fold.open) return
  fold.open = true
  target?.scrollIntoView()
}

addEventListener("hashchange", unfold)
unfold()
