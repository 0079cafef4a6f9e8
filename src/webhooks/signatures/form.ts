/** A form's fields, each with its values in the order received. */
export type PostedForm = ReadonlyMap<string, readonly string[]>

/** Decodes `application/x-www-form-urlencoded` bytes (URL Standard 5.1). */
export function readForm(body: Buffer): PostedForm {
  const form = new Map<string, string[]>()
  // URLSearchParams would strip a leading question mark, which is part of the first name here.
  for (const [name, value] of new URLSearchParams(`&${body.toString()}`)) {
    const values = form.get(name)
    if (values === undefined) form.set(name, [value])
    else values.push(value)
  }
  return form
}

/** Returns the value of a field that has one; undefined for several, whose order isn't signed. */
export function onlyValue(form: PostedForm, name: string): string | undefined {
  const values = new Set(form.get(name))
  return values.size === 1 ? [...values][0] : undefined
}
