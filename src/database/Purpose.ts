/**
 * What a database is opened for. `serve` creates it and runs its migrations. `change` and `read` need one that has those
 * of this version, and `inspect` an installation of any version; `read` and `inspect` cannot write.
 */
export type Purpose = "serve" | "change" | "read" | "inspect"

export const isReadOnly = (purpose: Purpose): boolean => purpose === "read" || purpose === "inspect"
