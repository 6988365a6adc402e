/** Domains under which a provider delivers to the same mailboxes, each with the canonical one. */
const sameMailboxes: ReadonlyMap<string, string> = new Map([
  ["googlemail.com", "gmail.com"],
  ["protonmail.com", "proton.me"],
  ["pm.me", "proton.me"],
  ["me.com", "icloud.com"],
  ["mac.com", "icloud.com"]
])

/** Providers that ignore dots before the @. */
const ignoresDots: ReadonlySet<string> = new Set(["gmail.com", "proton.me"])

/**
 * The host of an address in ASCII and lower case (UTS #46, as browsers do it): the same for all spellings of an
 * international name. Undefined if it cannot be a host: a label that is empty or longer than 63 characters, an IP
 * address.
 */
export const asciiHost = (host: string): string | undefined => {
  const ascii = URL.parse(`http://${host}`)?.hostname
  if (ascii === undefined || ascii.length > 253) return undefined
  const labels = ascii.split(".")
  return labels.every((label) => label.length > 0 && label.length <= 63) && !/^\d+$/.test(labels.at(-1) ?? "")
    ? ascii
    : undefined
}

/**
 * The normal form of an address: the same for all spellings that reach one mailbox. Unicode is normalized (NFKC),
 * letters are in lower case, the host is in ASCII, and the part after `+` is removed, as are dots that the provider
 * ignores. Only for comparison: email is sent to the address as typed.
 */
export const mailboxOf = (address: string): string => {
  const text = address.normalize("NFKC").toLowerCase()
  const at = text.lastIndexOf("@")
  const host = text.slice(at + 1)
  const domain = asciiHost(host) ?? host
  const provider = sameMailboxes.get(domain) ?? domain
  const user = text.slice(0, Math.max(at, 0))
  const untagged = user.replace(/(?<=.)\+.*$/s, "")
  return `${ignoresDots.has(provider) ? untagged.replaceAll(".", "") : untagged}@${provider}`
}
