import { expectNew, at, expectChange, crew, customer, lines, idOf, type TaskArea } from '../task.ts'

const hasDiscount = (percent: number) => (value: unknown) =>
  typeof value === 'object' && value !== null && Number(Reflect.get(value, 'value')) === percent

/** Tasks about quotes, which only their owner may change. */
export const quotes: TaskArea = {
  area: 'quotes',
  tasks: [
    {
      id: 'write-quote',
      role: 'owner',
      level: 'hard',
      prompt: 'Quote Kofi Mensah a tankless gas heater from our price list, six plumber hours and the city permit.',
      expect: [
        expectNew('quotes', {
          customer_id: customer('Kofi Mensah'),
          status: 'draft',
          line_items: lines(
            { name: /^Tankless gas heater/, quantity: 1, unit_price_cents: 238_000 },
            { name: /^Plumber/, quantity: 6, unit_price_cents: 13_500 },
            { name: /^City permit/, quantity: 1, unit_price_cents: 9_500 },
          ),
        }),
      ],
      solve: [
        ['catalog_items_list', { query: 'tankless gas heater' }],
        ['catalog_items_list', { query: 'plumber' }],
        ['catalog_items_list', { query: 'city permit' }],
        [
          'quotes_create',
          {
            customer_id: 'Kofi Mensah',
            title: 'Tankless water heater',
            line_items: [
              { catalog_item_id: '$0.rows.0.id' },
              { catalog_item_id: '$1.rows.0.id', quantity: 6 },
              { catalog_item_id: '$2.rows.0.id' },
            ],
          },
        ],
        'The draft is ready.',
      ],
    },
    {
      id: 'accept-quote',
      role: 'office',
      level: 'easy',
      prompt: 'Ngozi Okafor said yes to the tankless water heater.',
      expect: [expectChange('quotes', { number: 1006 }, { status: 'accepted' })],
      solve: [['quotes_update', { id: 'Q-1006', status: 'accepted' }], 'Marked as accepted.'],
    },
    {
      id: 'accept-quote-es',
      role: 'owner',
      level: 'easy',
      language: 'es',
      prompt: 'Minh Tran aceptó la cotización de la bomba de calor. Márcala.',
      expect: [expectChange('quotes', { number: 1007 }, { status: 'accepted' })],
      solve: [
        ['quotes_list', { status: ['sent'] }],
        ['quotes_update', { id: '$0.rows.0.id', status: 'accepted' }],
        'Listo.',
      ],
    },
    {
      id: 'decline-quote',
      role: 'owner',
      level: 'medium',
      prompt: 'Minh Tran turned down the heat pump, too expensive. Put that on the quote.',
      expect: [expectChange('quotes', { number: 1007 }, { status: 'declined', decline_reason: /expensive|price/i })],
      solve: [
        ['quotes_update', { id: 'Q-1007', status: 'declined', decline_reason: 'Too expensive.' }],
        'Marked as declined.',
      ],
    },
    {
      id: 'extend-quote',
      role: 'owner',
      level: 'easy',
      prompt: 'Minh Tran needs more time. Extend the quote to April 30.',
      expect: [expectChange('quotes', { number: 1007 }, { valid_until: '2027-04-30' })],
      solve: [['quotes_update', { id: 'Q-1007', valid_until: '2027-04-30' }], 'Valid until April 30.'],
    },
    {
      id: 'leave-others-quote',
      role: 'office',
      level: 'hard',
      prompt: 'Mark the Bluestem rough-in quote as sent.',
      replies: [[/./, 'OK, leave it to Dana.']],
      expect: [],
      answer: [/Dana|owner/],
      solve: [['quotes_list', { status: ['draft'] }], 'That quote is Dana’s. Only she can change it.'],
    },
    {
      id: 'accept-and-book',
      role: 'office',
      level: 'hard',
      prompt: 'Ngozi Okafor wants the tankless heater. Book it for next Wednesday at 8 with Luis, eight hours.',
      expect: [
        expectChange('quotes', { number: 1006 }, { status: 'accepted' }, { also: ['converted_job_id'] }),
        expectNew('jobs', {
          customer_id: customer('Ngozi Okafor'),
          scheduled_start: at('2027-03-17T08:00'),
          duration_minutes: 480,
          assignee_ids: crew('Luis Ortega'),
          quote_id: idOf('quotes', { number: 1006 }),
        }),
      ],
      solve: [
        ['quotes_update', { id: 'Q-1006', status: 'accepted' }],
        [
          'jobs_create',
          {
            customer_id: 'Ngozi Okafor',
            title: 'Tankless water heater',
            quote_id: 'Q-1006',
            scheduled_start: '2027-03-17T08:00',
            duration_minutes: 480,
            assignees: ['Luis Ortega'],
          },
        ],
        'Booked for the 17th.',
      ],
    },
    {
      id: 'discount-quote',
      role: 'office',
      level: 'medium',
      prompt: 'Give Cora Abernathy 5 percent off the whole bathroom quote.',
      expect: [expectChange('quotes', { number: 1009 }, { discount: hasDiscount(5) })],
      solve: [['quotes_update', { id: 'Q-1009', discount: { type: 'percent', value: 5 } }], 'Five percent off.'],
    },
    {
      id: 'open-quotes-worth',
      role: 'owner',
      level: 'medium',
      prompt: 'Which quotes are out with customers, and what do they add up to?',
      expect: [],
      answer: [/Okafor/, /Tran/, /13755\.12/],
      solve: [['quotes_list', { status: ['sent'] }], 'Okafor and Tran, $13,755.12 in total.'],
    },
  ],
}
