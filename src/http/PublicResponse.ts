import { hash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect, Function, Stream } from "effect"
import { HttpBody, HttpEffect, HttpMiddleware, HttpPlatform, HttpServerRequest, HttpServerResponse } from "effect/http"
import { entityTag, pageVary, publicCacheControl, vary } from "./ResponseHeaders.ts"

type Response = HttpServerResponse.HttpServerResponse
type CacheControl = typeof publicCacheControl

const brotli = promisify(brotliCompress)
const gzipped = promisify<Uint8Array, Uint8Array>(gzip)

/**
 * Compression runs outside the event loop. Brotli takes 0.2 s for the largest page at this quality, and 9 s at the
 * best.
 */
const compressors = {
  br: (bytes: Uint8Array) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Uint8Array) => gzipped(bytes)
} as const

type Encoding = keyof typeof compressors
type Compressed = Readonly<Record<Encoding, Effect.Effect<Uint8Array>>>

const isEncoding = (algorithm: string): algorithm is Encoding => algorithm in compressors

/** Compresses each body once for all clients, unless `compressed` already has it. */
const compressionOf = (compressed?: Compressed): HttpPlatform.Compression => {
  const bodies = {
    br: new WeakMap<object, Effect.Effect<HttpBody.Uint8Array>>(),
    gzip: new WeakMap<object, Effect.Effect<HttpBody.Uint8Array>>()
  }
  const compressBody = Effect.fnUntraced(function* (body: HttpBody.Uint8Array, encoding: Encoding) {
    const known = bodies[encoding].get(body)
    if (known !== undefined) return yield* known
    const bytes = compressed?.[encoding] ?? Effect.promise(() => compressors[encoding](body.body))
    const made = yield* Effect.cached(Effect.map(bytes, (bytes) => HttpBody.uint8Array(bytes, body.contentType)))
    bodies[encoding].set(body, made)
    return yield* made
  })
  return {
    algorithms: new Set(["br", "gzip"]),
    compressResponse: (response, algorithm) => {
      const { body } = response
      if (body._tag !== "Uint8Array" || !isEncoding(algorithm)) return Effect.succeed(response)
      return Effect.map(compressBody(body, algorithm), (made) =>
        HttpServerResponse.setHeader(HttpServerResponse.setBody(response, made), "content-encoding", algorithm)
      )
    }
  }
}

const negotiated = HttpMiddleware.compression({ algorithms: ["br", "gzip"] })

/** The response as bytes shared by all clients, with the headers that caches need. */
const share = (response: Response, cacheControl: CacheControl): Response => {
  const { body, headers } = response
  if (body._tag !== "Uint8Array") throw new Error("Only a response whose bytes are known can be shared")
  const tag = hash("sha256", body.body, "base64url")
  const type = headers["content-type"]
  const varies = type?.startsWith("text/html") === true ? pageVary : vary
  return HttpServerResponse.setBody(response, HttpBody.uint8Array(body.body, type)).pipe(
    HttpServerResponse.setHeaders({ ...cacheControl.of(), ...entityTag.of(tag), ...varies.of() })
  )
}

/** The size of the pieces in which a response is written, in bytes: other requests are answered between two pieces. */
const pieceSize = 64 * 1024

const piecesOf = function* (bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += pieceSize) yield bytes.subarray(start, start + pieceSize)
}

/** The response, written in pieces if it is long. */
const inPieces = (response: Response): Response => {
  const { body } = response
  if (body._tag !== "Uint8Array" || body.contentLength <= pieceSize) return response
  const pieces = Stream.suspend(() => Stream.fromIterable(piecesOf(body.body), { chunkSize: 1 }))
  return HttpServerResponse.setBody(response, HttpBody.stream(pieces, body.contentType, body.contentLength))
}

const notModified = ({ headers }: Response): Response =>
  HttpServerResponse.empty({
    status: 304,
    headers: Object.fromEntries(
      [publicCacheControl, entityTag, vary].flatMap(({ field }) => {
        const value = headers[field]
        return value === undefined ? [] : [[field, value]]
      })
    )
  })

const opaque = (tag: string | undefined) => tag?.trim().replace(/^W\//, "")

/** True if the client has the response already (RFC 9110, section 13.1.2). */
const isKnown = (ifNoneMatch: string | undefined, { headers }: Response): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(",").some((tag) => opaque(tag) === "*" || opaque(tag) === opaque(headers[entityTag.field]))

/**
 * Answers with content that is the same for everyone and contains no secret: `made` returns the same response each time.
 * Its bytes are created once, in each requested encoding, so that a slow client holds only a connection; a client that
 * has them already gets 304. `compressed` has the encodings that already exist.
 */
export const respondPublicly = <E, R>(
  platform: HttpPlatform.HttpPlatform["Service"],
  made: Effect.Effect<Response, E, R>,
  options: { readonly cacheControl?: CacheControl; readonly compressed?: Compressed } = {}
) => {
  const compressing = { ...platform, compression: compressionOf(options.compressed) }
  const shared = Function.memoize((response: Response) => share(response, options.cacheControl ?? publicCacheControl))
  const answered = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const response = shared(yield* made)
    // Runs after the compression.
    yield* HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(inPieces(response)))
    return isKnown(request.headers["if-none-match"], response) ? notModified(response) : response
  })
  return Effect.provideService(negotiated(answered), HttpPlatform.HttpPlatform, compressing)
}
