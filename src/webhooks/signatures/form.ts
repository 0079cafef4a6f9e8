/** A form's fields, each with its values in the order received. */
export type PostedForm = ReadonlyMap<string, readonly string[]>

/** Decodes `application/x-www-form-urlencoded` bytes (URL Standard 5.1). */
export function readForm(body: Buffer): PostedForm {
  const form = new Map<string, string[]>()
  // A question mark at the start is a part of the first name, which URLSearchParams would remove.
  for (const [name, value] of new URLSearchParams(`&${body.toString()}`)) {
    const values = form.get(name)
    if (values === undefined) form.set(name, [value])
    else values.push(value)
  }
  return form
}

/** Returns a field's one value. The order of several isn't signed, so none of them is relied on. */
export function onlyValue(form: PostedForm, name: string): string | undefined {
  const values = new Set(form.get(name))
  return values.size === 1 ? [...values][0] : undefined
}
