/** Applies a patch to a record: an absent field stays, null clears (docs/spec/records.md#updates). */
export const applyPatch = <T extends object>(before: T, patch: { [Name in keyof T]?: T[Name] | undefined }): T => {
  const after = { ...before }
  for (const name of Object.keys(patch) as (keyof T)[]) if (patch[name] !== undefined) after[name] = patch[name]
  return after
}
