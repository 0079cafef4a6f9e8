/** What a check of the doctor found; `mend` says what to do when it is not well. */
export type Finding = { check: string; ok: boolean; says: string; mend?: string }
