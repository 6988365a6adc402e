/** The call of an operation by programs, which a page shows, also in browsers, which need nothing else of it. */
export interface OperationCall {
  readonly path: `/api/v1/${string}`
  /** The method of the TypeScript client; that of the Python client is spelled in snake_case. */
  readonly clientMethod: string
  /** Words for its subject in code that calls it. */
  readonly about: string
}

/** The call of a forecast by programs. */
export const forecastCall = {
  path: "/api/v1/forecast",
  clientMethod: "forecast",
  about: "the forecast"
} as const satisfies OperationCall
