/** Returns a document's lines: a catalog item with its own rate. */
export const exampleLines = ({ item, rate }: { item: string; rate: string }) => [
  { catalog_item_id: item, tax_rate_id: rate },
]

type Work = { location: string; contact: string; user: string; item: string; rate: string }

/** Returns the fields of a job or a series, without its customer and its time. */
export const exampleWork = (of: Work) => ({
  location_id: of.location,
  contact_id: of.contact,
  assignees: [of.user],
  line_items: exampleLines(of),
})

/** Returns the fields of a quote or an invoice, without its customer. */
export const exampleDocument = (of: Omit<Work, 'user'>) => ({
  location_id: of.location,
  contact_id: of.contact,
  tax_rate_id: of.rate,
  line_items: exampleLines(of),
})
