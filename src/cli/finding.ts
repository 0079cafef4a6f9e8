/** Holds what a check of the doctor found; `mend` says what to do when it failed. */
export type Finding = { check: string; ok: boolean; says: string; mend?: string }
