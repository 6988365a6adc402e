export * from "./APIError.ts"
export { Client } from "./Client.ts"
export type * from "./ClientOptions.ts"
export type { Answered, AnswerInfo } from "./Answered.ts"
export * from "./OutreachForecastError.ts"
export type * from "./Wire.ts"
/** Another name of `SubKeyInput`. */
export type { SubKeyInput as NewSubKey } from "./Wire.ts"
