/** Lines of a document: an item of the catalog under a rate of its own. */
export const exampleLines = ({ item, rate }: { item: string; rate: string }) => [
  { catalog_item_id: item, tax_rate_id: rate },
]

type Work = { location: string; contact: string; user: string; item: string; rate: string }

/** Returns what work says beside its customer and its time. */
export const exampleWork = (of: Work) => ({
  location_id: of.location,
  contact_id: of.contact,
  assignees: [of.user],
  line_items: exampleLines(of),
})

/** Returns what a quote or an invoice says beside its customer. */
export const exampleDocument = (of: Omit<Work, 'user'>) => ({
  location_id: of.location,
  contact_id: of.contact,
  tax_rate_id: of.rate,
  line_items: exampleLines(of),
})
