import { expectNew, expectChange, crew, customer, lines, type RowMatch, type TaskArea } from '../task.ts'

/** Expects a change to the twelve visits that the weekly series has left; today's has begun. */
const expectKitchenJobs = (set: RowMatch) =>
  expectChange('jobs', { title: /^Kitchen lines/ }, set, { count: 12, also: ['line_items'] })
const okaforPlan = { name: 'Home comfort plan' }

/** Tasks about recurring work and plans. */
export const recurring: TaskArea = {
  area: 'recurring',
  tasks: [
    {
      id: 'start-weekly-work',
      role: 'office',
      level: 'medium',
      prompt: 'Service Copper Kettle Bakery’s floor drains Mondays at 6:30 am, 45 minutes, Cole, starting next week.',
      expect: [
        expectNew('job_series', {
          customer_id: customer('Copper Kettle Bakery'),
          rrule: /^FREQ=WEEKLY/,
          dtstart: /^2027-03-15T06:30/,
          duration_minutes: 45,
          assignee_ids: crew('Cole Hendricks'),
        }),
        expectChange('customers', { display_name: 'Copper Kettle Bakery' }, { status: 'active' }),
      ],
      allow: [expectNew('jobs', { customer_id: customer('Copper Kettle Bakery') })],
      solve: [
        [
          'job_series_create',
          {
            customer_id: 'Copper Kettle Bakery',
            title: 'Floor drain service',
            rrule: 'FREQ=WEEKLY;BYDAY=MO',
            dtstart: '2027-03-15T06:30',
            duration_minutes: 45,
            assignees: ['Cole Hendricks'],
          },
        ],
        'Every Monday starting March 15.',
      ],
    },
    {
      id: 'end-series',
      role: 'office',
      level: 'medium',
      prompt: 'St. Elmo wants the monthly rooftop filter work to stop after April. End it then.',
      expect: [
        expectChange('job_series', { title: /^Rooftop units/ }, { status: 'ended' }),
        expectChange('jobs', { number: 1015 }, { status: 'cancelled' }),
        expectChange('jobs', { number: 1016 }, { status: 'cancelled' }),
      ],
      solve: [
        ['job_series_list', {}],
        'That cancels the May and June visits. Should I go ahead?',
        ['job_series_end', { id: '$0.rows.0.id', end_date: '2027-04-30' }],
        'Ended after April.',
      ],
    },
    {
      id: 'change-series-crew',
      role: 'office',
      level: 'medium',
      prompt: 'From now on Cole does the weekly kitchen line check at Dos Calaveras.',
      expect: [
        expectChange(
          'job_series',
          { title: /^Kitchen lines/ },
          { assignee_ids: crew('Cole Hendricks') },
          { also: ['line_items'] },
        ),
        expectKitchenJobs({ assignee_ids: crew('Cole Hendricks') }),
      ],
      solve: [
        ['job_series_list', {}],
        ['job_series_update', { id: '$0.rows.1.id', assignees: ['Cole Hendricks'] }],
        'Cole has it from now on.',
      ],
    },
    {
      id: 'lengthen-series',
      role: 'office',
      level: 'hard',
      language: 'es',
      prompt:
        'La revisión semanal de la cocina de Dos Calaveras ahora toma una hora. Cámbiala para todas las que vienen.',
      expect: [
        expectChange('job_series', { title: /^Kitchen lines/ }, { duration_minutes: 60 }, { also: ['line_items'] }),
        expectKitchenJobs({ duration_minutes: 60 }),
      ],
      solve: [
        ['job_series_list', {}],
        ['job_series_update', { id: '$0.rows.1.id', duration_minutes: 60 }],
        'Listo: una hora.',
      ],
    },
    {
      id: 'pause-plan',
      role: 'owner',
      level: 'easy',
      prompt: 'Ngozi Okafor is traveling and wants her comfort plan paused.',
      expect: [expectChange('plans', okaforPlan, { status: 'paused' })],
      solve: [['plans_list', {}], ['plans_update', { id: '$0.rows.0.id', status: 'paused' }], 'Paused.'],
    },
    {
      id: 'cancel-plan',
      role: 'owner',
      level: 'medium',
      prompt: 'The church has its own guy for the rooftop now. Cancel their service agreement, nothing else.',
      expect: [expectChange('plans', { name: 'Rooftop service agreement' }, { status: 'cancelled' })],
      solve: [
        ['plans_list', {}],
        'It can’t be restarted. Cancel it?',
        ['plans_cancel', { id: '$0.rows.1.id', reason: 'They have their own technician.' }],
        'Canceled.',
      ],
    },
    {
      id: 'raise-plan-price',
      role: 'owner',
      level: 'medium',
      prompt: 'Raise the Okafors’ home comfort plan to $45 a month.',
      expect: [expectChange('plans', okaforPlan, { line_items: lines({ name: /comfort/i, unit_price_cents: 4_500 }) })],
      solve: [
        ['plans_list', {}],
        [
          'plans_update',
          { id: '$0.rows.0.id', line_items: [{ kind: 'service', name: 'Home comfort plan', unit_price_cents: 4_500 }] },
        ],
        'It’s $45 starting with the next invoice.',
      ],
    },
    {
      id: 'next-plan-invoice-es',
      role: 'office',
      level: 'easy',
      language: 'es',
      prompt: '¿Cuándo sale la próxima factura del plan de Ngozi Okafor?',
      expect: [],
      answer: [/18|2027-03-18/],
      solve: [['plans_list', {}], 'Sale el 18 de marzo.'],
    },
  ],
}
