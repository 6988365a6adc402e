const hexDigits = (count: number) =>
  Array.from({ length: count }, () => Math.floor(Math.random() * 16).toString(16)).join("")

/**
 * A UUID for a call. Some runtimes, such as React Native and old workers, have no `crypto.randomUUID`. There it starts
 * with the time (version 7 of RFC 9562): a weak generator may give two processes the same random digits.
 */
export const newIdempotencyKey = (): string => {
  const { crypto }: { readonly crypto?: { readonly randomUUID?: () => string } } = globalThis
  if (crypto?.randomUUID !== undefined) return crypto.randomUUID()
  const time = Date.now().toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hexDigits(3)}-8${hexDigits(3)}-${hexDigits(12)}`
}
