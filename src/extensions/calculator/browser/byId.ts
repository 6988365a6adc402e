/** The element of the page with an ID. */
export const byId = <E extends HTMLElement>(id: string, type: new () => E): E => {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`The page has no #${id}`)
  return found
}
