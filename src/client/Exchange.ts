/** A request, ready to be sent, any number of times. */
export interface Outgoing {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** An answer that was received whole. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Undefined where it is larger than the client reads. */
  readonly text: string | undefined
}

/** The largest answer that is read, in MiB; the service's own are a thousand times smaller. */
export const largestAnswer = 8

/** Reads a body as text; gives up, and ends the connection, where it is too large. */
const readText = async ({ body }: Response): Promise<string | undefined> => {
  const decoder = new TextDecoder()
  const chunks: AsyncIterable<Uint8Array> | undefined = body ?? undefined
  let size = 0
  let text = ""
  for await (const chunk of chunks ?? []) {
    size += chunk.byteLength
    if (size > largestAnswer * 1024 * 1024) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/**
 * Sends a request once. A redirect is an answer like any other: it would carry the key to wherever it points. Rejects
 * where no whole answer comes, or when the signal ends it.
 */
export const exchange = async ({ url, ...request }: Outgoing, signal: AbortSignal): Promise<Answer> => {
  const response = await fetch(url, { ...request, redirect: "manual", signal })
  return { status: response.status, headers: response.headers, text: await readText(response) }
}
