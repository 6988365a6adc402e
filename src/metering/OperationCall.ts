/** How programs call an operation that a page shows, also in browsers, which need nothing else of it. */
export interface OperationCall {
  readonly path: `/api/v1/${string}`
  /** The method of the TypeScript client; that of the Python client is spelled in snake_case. */
  readonly clientMethod: string
  /** What code that calls it says that it is about. */
  readonly about: string
}

/** How programs call forecasts. */
export const forecastCall = {
  path: "/api/v1/forecast",
  clientMethod: "forecast",
  about: "the forecast"
} as const satisfies OperationCall
