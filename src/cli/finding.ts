/** Result of a doctor check. `mend` is the fix for a failed check or, with `warning`, for one that will soon fail. */
export type Finding = { check: string; ok: boolean; warning?: true; says: string; mend?: string }
