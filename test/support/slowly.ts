/** For tests with programs, browsers or network timeouts, for which a busy machine needs minutes. */
export const slowly = { timeout: 300_000 }
