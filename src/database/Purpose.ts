/**
 * What a database is opened for. `serve` creates it and runs its migrations. `change`, `read` and `move` need one that has
 * those of this version, and `inspect` an installation of any version. Only `serve` and `change` can write, and only `move`
 * keeps others out: it is for the source of a copy.
 */
export type Purpose = "serve" | "change" | "read" | "move" | "inspect"

export const isReadOnly = (purpose: Purpose): boolean => purpose !== "serve" && purpose !== "change"
