/**
 * The purpose of opening a database. `serve` creates it and runs its migrations. `change`, `read` and `move` require
 * the schema of this version, and `inspect` an installation of any version. Only `serve` and `change` can write, and
 * only `move` locks others out, for the source of a copy.
 */
export type Purpose = "serve" | "change" | "read" | "move" | "inspect"

export const isReadOnly = (purpose: Purpose): boolean => purpose !== "serve" && purpose !== "change"
