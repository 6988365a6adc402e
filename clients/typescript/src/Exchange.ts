/** A request that can be sent any number of times. */
export interface Outgoing {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A response that was received completely. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Undefined if it is larger than the client accepts. */
  readonly text: string | undefined
}

/** The largest accepted response, in MiB; those of the service are smaller, even with 1,000 campaigns. */
export const largestAnswer = 8

/** Reads a body as text; stops, and closes the connection, if it is too large. */
const readText = async ({ body }: Response): Promise<string | undefined> => {
  if (body === null) return ""
  // Not every runtime can iterate over a stream.
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  const decoder = new TextDecoder()
  let size = 0
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > largestAnswer * 1024 * 1024) {
      // The response is refused, whatever happens to the rest of it.
      reader.cancel().catch(() => {})
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

/**
 * Sends a request once. Redirects are not followed, because they could send the key anywhere. Rejects if no complete
 * response arrives, or when the signal aborts it.
 */
export const exchange = async (
  fetch: typeof globalThis.fetch,
  { url, ...request }: Outgoing,
  signal: AbortSignal
): Promise<Answer> => {
  const response = await fetch(url, { ...request, redirect: "manual", signal })
  return { status: response.status, headers: response.headers, text: await readText(response) }
}
