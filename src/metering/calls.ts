/** How programs call the operations that the calculator shows, also in browsers, which need nothing else of them. */
export interface OperationCall {
  readonly path: `/api/v1/${string}`
  /** The method of the TypeScript client; that of the Python client is spelled in snake_case. */
  readonly clientMethod: string
  /** What code that calls it says that it is about. */
  readonly about: string
}

export const forecastCall = { path: "/api/v1/forecast", clientMethod: "forecast", about: "the forecast" } as const
export const goalCall = { path: "/api/v1/goals", clientMethod: "goal", about: "the goal" } as const
export const progressCall = {
  path: "/api/v1/progress",
  clientMethod: "progress",
  about: "the campaign in flight"
} as const
export const listCall = { path: "/api/v1/forecasts", clientMethod: "forecasts", about: "the comparison" } as const
