import { facts } from '../../platform/html/parts/facts.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { sayFor, say } from '../../platform/i18n/say.ts'
import { formFields } from '../declare/form_fields.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { recordLink } from '../page/links.ts'
import { statusTag } from '../page/parts.ts'
import { screen } from '../page/screen.ts'
import type { Results } from '../../tools/declare/results.ts'
import { TAX_RATE } from './fields.ts'
import { taxRates } from './tools.ts'

type Row = Results['tax_rates_list']['rows'][number]

export const taxRateScreen = screen<Results['tax_rates_get'], Row>({
  entity: taxRates,
  get title() {
    return say`Tax rates`
  },
  get singular() {
    return say`tax rate`
  },
  menu: { group: 'catalog', position: 3 },
  listing: {
    filters: () => [{ kind: 'tick', name: 'include_archived', label: say`Include archived` }],
    columns: (context) => [
      {
        name: 'name',
        label: say`Name`,
        cell: ({ id, name, is_archived }) => (is_archived ? name : recordLink(context, 'tax_rates', id, name)),
      },
      {
        name: 'rate',
        label: say`Rate`,
        cell: ({ rate_percentage }) => `${rate_percentage}%`,
        isNumber: true,
        onPhone: 'side',
      },
      { name: 'state', label: say`State`, cell: (rate) => stateOf(rate) },
    ],
    get empty() {
      return say`No tax rates yet. The default one is used on every new quote and invoice.`
    },
    exported: ['id', 'name', 'rate_decimal', 'rate_percentage', 'is_default', 'is_archived'],
  },
  nameOf: ({ name, rate_percentage }) => `${name} ${rate_percentage}%`,
  stateOf,
  get fields() {
    return formFields(TAX_RATE)
  },
  editableFields: () => ({
    names: ['name', 'is_default'],
    reason: say`The percentage can’t change, because earlier invoices used it. Create a new rate and archive this one instead.`,
  }),
  actions: (_, { is_default }) => [
    is_default
      ? { wire: 'tax_rates_update', input: { is_default: false }, label: say`Don't use as default` }
      : { wire: 'tax_rates_update', input: { is_default: true }, label: say`Make default`, kind: 'main' },
    {
      wire: 'tax_rates_archive',
      label: say`Archive rate`,
      kind: 'danger',
      warning: is_default
        ? say`New documents can't use it anymore, and no rate is the default. Those that have it keep it. This can't be undone.`
        : say`New documents can't use it anymore; those that have it keep it. This can't be undone.`,
    },
  ],
  sheet: async (context, rate) =>
    facts([
      { label: say`Rate`, value: `${rate.rate_percentage}%` },
      {
        label: say`When it applies`,
        value: rate.is_default
          ? say`Unless a location or a document says otherwise`
          : say`Where a location, an item or a document says so`,
      },
      ...sheetFacts(context, TAX_RATE, rate),
    ]),
})

function stateOf({ is_default, is_archived }: Pick<Row, 'is_default' | 'is_archived'>): Html {
  if (is_archived) return statusTag('archived', 'tax_rate')
  return is_default ? status(sayFor('tax_rate')`Default`, 'good') : html``
}
