/** How many rows that are over are deleted in one statement. */
export const purgedAtOnce = 500
