type Plain = Readonly<Record<string, unknown>>

/** Returns what people would call a record by the result of its tool. */
export function nameIn(record: Plain): string | undefined {
  const person = [record['first_name'], record['last_name']].filter((one) => typeof one === 'string').join(' ')
  return [
    record['display_name'],
    record['title'],
    record['name'],
    record['subject'],
    record['formatted_address'],
    person,
    record['body'],
    record['customer_name'],
  ]
    .find((one): one is string => typeof one === 'string' && one !== '')
    ?.slice(0, 80)
}

/** Returns whose record it is, by the result of its tool. */
export const customerNameIn = (entity: string, record: Plain): string | undefined => {
  const name = entity === 'customers' ? record['display_name'] : record['customer_name']
  return typeof name === 'string' ? name : undefined
}
