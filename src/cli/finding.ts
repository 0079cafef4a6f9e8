/** Holds what a check of the doctor found; `mend` says what to do when it failed or, with `warning`, soon will. */
export type Finding = { check: string; ok: boolean; warning?: true; says: string; mend?: string }
