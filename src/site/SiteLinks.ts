/** A link that many pages show. */
export interface SiteLink {
  readonly path: string
  readonly label: string
  /** Its place among the links of the header, the footer and the pages of errors; it is not in the others. */
  readonly header?: number
  readonly footer?: number
  readonly errorPage?: number
}

type Place = "header" | "footer" | "errorPage"

const links: Array<SiteLink> = [
  { path: "/access", label: "Request an email with a link", errorPage: 2 },
  { path: "/credits", label: "Credits", header: 4, footer: 3, errorPage: 4 }
]

/** Adds links of extensions: once, where routes are put together, before any page is made. */
export const addSiteLinks = (added: ReadonlyArray<SiteLink>): void => void links.push(...added)

/** The links in a place, in their order. */
export const linksIn = (place: Place): ReadonlyArray<SiteLink> =>
  links.filter((link) => link[place] !== undefined).toSorted((a, b) => (a[place] ?? 0) - (b[place] ?? 0))
