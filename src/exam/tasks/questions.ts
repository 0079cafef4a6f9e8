import type { TaskArea } from '../task.ts'

/** The most common questions of a dispatcher, an owner and a bookkeeper, each answered by one call. */
export const questions: TaskArea = {
  area: 'questions',
  tasks: [
    {
      id: 'today-and-access',
      role: 'office',
      level: 'easy',
      prompt: 'Who’s going to the Taqueria today, and how do they get in?',
      expect: [],
      answer: [/Marcus/, /alley/i],
      solve: [
        ['jobs_list', { scheduled_from: '2027-03-09', scheduled_to: '2027-03-09', include: ['access'], brief: true }],
        'Marcus Bell, through the service entrance in the alley, but not between 11 and 2.',
      ],
    },
    {
      id: 'without-a-time',
      role: 'office',
      level: 'easy',
      prompt: 'Which jobs still need a time?',
      expect: [],
      answer: [/Speedway|J-1093/, /laundry|J-1092/i, /lake house|J-1091/i],
      solve: [
        ['jobs_list', { status: ['unscheduled'], brief: true }],
        'Three: the boiler check at Speedway, the laundry hookup and the lake house.',
      ],
    },
    {
      id: 'last-visit-at-a-place',
      role: 'office',
      level: 'medium',
      prompt: 'Before today, when were we last at Tobias Freeman’s, and what did we do?',
      expect: [],
      answer: [/washer box/i, /\b22\b/],
      solve: [
        [
          'jobs_list',
          { customer_id: 'Tobias Freeman', status: ['done'], sort: 'scheduled_desc', include: ['lines'], brief: true },
        ],
        'On February 22 Luis fixed the leaking washer box: a trip charge and 1.5 hours.',
      ],
    },
    {
      id: 'changed-since-morning',
      role: 'office',
      level: 'medium',
      prompt: 'I’ve been out since 7. Did anything change at the Montessori, and who changed it?',
      expect: [],
      answer: [/hold/i, /Cole/],
      solve: [
        ['jobs_list', { updated_since: '2027-03-09T07:00', include: ['changes'], brief: true }],
        'Cole Hendricks put the loose faucet on hold at 9.',
      ],
    },
    {
      id: 'sales-by-technician',
      role: 'owner',
      level: 'medium',
      prompt: 'Who on the crew sold the most in February, before tax, and how much?',
      expect: [],
      answer: [/Marcus/, /2095(\.00)?\b/],
      solve: [
        ['invoices_list', { group_by: 'technician', issued_from: '2027-02-01', issued_to: '2027-02-28', brief: true }],
        'Marcus Bell, $2,095.00.',
      ],
    },
    {
      id: 'sales-by-service',
      role: 'owner',
      level: 'medium',
      prompt: 'How much have we sold in plumber hours since New Year’s?',
      expect: [],
      answer: [/5062\.50?\b/],
      solve: [
        ['invoices_list', { group_by: 'service', issued_from: '2027-01-01', brief: true }],
        '$5,062.50 in plumber hours.',
      ],
    },
    {
      id: 'months-compared',
      role: 'owner',
      level: 'easy',
      prompt: 'How did February compare to January, before tax?',
      expect: [],
      answer: [/8801\.10?\b/, /5943\.70?\b/],
      solve: [['invoices_list', { group_by: 'month' }], 'February $5,943.70, January $8,801.10.'],
    },
    {
      id: 'quotes-out',
      role: 'owner',
      level: 'easy',
      prompt: 'What are the quotes that customers haven’t answered worth?',
      expect: [],
      answer: [/13755\.12/],
      solve: [['quotes_list', { status: ['sent'], brief: true }], 'Two quotes, $13,755.12 in total.'],
    },
    {
      id: 'unbilled-es',
      role: 'owner',
      level: 'easy',
      language: 'es',
      prompt: '¿Cuánto trabajo terminado nos falta facturar, en dólares?',
      expect: [],
      answer: [/1391(\.00)?\b/],
      solve: [['jobs_list', { unbilled: true, brief: true }], 'Faltan $1,391.00, antes de descuentos e impuestos.'],
    },
    {
      id: 'owed-since-when',
      role: 'office',
      level: 'easy',
      prompt: 'Who owes us the most, how much, and when was the oldest of it due?',
      expect: [],
      answer: [/Bluestem/, /6093\.81/, /\b30\b/],
      solve: [
        ['invoices_list', { group_by: 'customer', status: ['sent', 'partially_paid'], brief: true }],
        'Bluestem, $6,093.81. The oldest was due January 30.',
      ],
    },
  ],
}
