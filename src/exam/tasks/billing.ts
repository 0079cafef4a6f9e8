import { expectNew, expectChange, lines, customer, type TaskArea } from '../task.ts'

/** Invoice tasks, and a bookkeeper's questions. */
export const billing: TaskArea = {
  area: 'billing',
  tasks: [
    {
      id: 'bill-job',
      role: 'office',
      level: 'easy',
      prompt: 'Tobias Freeman’s toilet job is done. Bill him for it.',
      expect: [
        expectNew('invoices', {
          customer_id: customer('Tobias Freeman'),
          status: 'draft',
          line_items: lines({ name: /^Trip/, unit_price_cents: 5_900 }, { name: /^Plumber/, quantity: 0.5 }),
        }),
      ],
      solve: [
        ['jobs_list', { title: 'toilet keeps running' }],
        ['invoices_create', { customer_id: '$0.rows.0.customer_id', from_job_id: '$0.rows.0.id' }],
        'The draft is ready.',
      ],
    },
    {
      id: 'bill-job-es',
      role: 'office',
      level: 'easy',
      language: 'es',
      prompt: 'Factura el trabajo J-1068 de Astrid Lindqvist.',
      expect: [
        expectNew('invoices', {
          customer_id: customer('Astrid Lindqvist'),
          status: 'draft',
          line_items: lines({ name: /^Trip/ }, { name: /^Plumber/, quantity: 0.5 }),
        }),
      ],
      solve: [
        ['invoices_create', { customer_id: 'Astrid Lindqvist', from_job_id: 'J-1068' }],
        'El borrador está listo.',
      ],
    },
    {
      id: 'bill-two-jobs',
      role: 'office',
      level: 'hard',
      prompt: 'Bill Astrid Lindqvist and Soo-jin Park for yesterday’s visits, one invoice each.',
      expect: [
        expectNew('invoices', { customer_id: customer('Astrid Lindqvist'), status: 'draft', subtotal_cents: 12_650 }),
        expectNew('invoices', { customer_id: customer('Soo-jin Park'), status: 'draft', subtotal_cents: 22_400 }),
      ],
      solve: [
        ['invoices_create', { customer_id: 'Astrid Lindqvist', from_job_id: 'J-1068' }],
        ['invoices_create', { customer_id: 'Soo-jin Park', from_job_id: 'J-1064' }],
        'Two drafts.',
      ],
    },
    {
      id: 'mark-sent',
      role: 'office',
      level: 'easy',
      prompt: 'I gave Riverbend their invoice for exam room 2. Mark it as sent.',
      expect: [expectChange('invoices', { number: 1049 }, { status: 'sent' })],
      solve: [['invoices_update', { id: 'INV-1049', status: 'sent' }], 'Marked as sent.'],
    },
    {
      id: 'void-invoice',
      role: 'owner',
      level: 'medium',
      prompt: 'The Foundry’s backflow invoice went to the wrong company. Void it; I’ll write a new one myself.',
      expect: [expectChange('invoices', { number: 1047 }, { status: 'void' })],
      solve: [
        ['invoices_list', { status: ['sent'] }],
        'INV-1047, $405.94. Void it permanently?',
        ['invoices_void', { id: 'INV-1047', reason: 'Wrong company.' }],
        'Voided.',
      ],
    },
    {
      id: 'postpone-due-date',
      role: 'owner',
      level: 'hard',
      prompt: 'Give Bluestem until March 31 to pay the underground invoice.',
      expect: [
        expectChange('invoices', { number: 1001 }, { due_date: '2027-03-31' }, { also: ['sent_at', 'billed_name'] }),
      ],
      solve: [
        ['invoices_update', { id: 'INV-1001', status: 'draft' }],
        ['invoices_update', { id: 'INV-1001', due_date: '2027-03-31' }],
        ['invoices_update', { id: 'INV-1001', status: 'sent' }],
        'It’s due March 31 now.',
      ],
    },
    {
      id: 'add-line-to-draft',
      role: 'office',
      level: 'hard',
      prompt: 'Riverbend’s draft is missing the trip charge. Add it at the list price and keep the rest.',
      expect: [
        expectChange(
          'invoices',
          { number: 1049 },
          {
            line_items: lines({ name: /diagnosis/ }, { name: /capacitor/ }, { name: /^Trip/, unit_price_cents: 5_900 }),
          },
        ),
      ],
      solve: [
        ['invoices_get', { id: 'INV-1049' }],
        ['catalog_items_list', { query: 'trip charge' }],
        [
          'invoices_update',
          { id: 'INV-1049', line_items: ['$0.line_items.0', '$0.line_items.1', { catalog_item_id: '$1.rows.0.id' }] },
        ],
        'Added.',
      ],
    },
    {
      id: 'write-off',
      role: 'owner',
      level: 'medium',
      prompt: 'Roy McAllister will never pay for the riser. Write that invoice off.',
      expect: [expectChange('invoices', { number: 1019 }, { status: 'uncollectible' })],
      solve: [
        ['invoices_list', { overdue: true }],
        ['invoices_update', { id: 'INV-1019', status: 'uncollectible' }],
        'Written off.',
      ],
    },
    {
      id: 'who-is-overdue',
      role: 'owner',
      level: 'easy',
      prompt: 'Who’s overdue, and how much is it in total?',
      expect: [],
      answer: [/Bluestem/, /McAllister/, /6149\.95/],
      solve: [['read_resource', { uri: 'callout://today' }], 'Bluestem and McAllister, $6,149.95 in total.'],
    },
    {
      id: 'what-is-unbilled',
      role: 'owner',
      level: 'medium',
      prompt: 'How much finished work haven’t we billed yet, in dollars?',
      expect: [],
      answer: [/1391(\.00)?\b/],
      solve: [['read_resource', { uri: 'callout://unbilled' }], '$1,391.00 before discounts and tax.'],
    },
    {
      id: 'what-one-owes',
      role: 'office',
      level: 'easy',
      prompt: 'How much does Bluestem owe us altogether?',
      expect: [],
      answer: [/6093\.81/],
      solve: [['read_resource', { uri: 'callout://receivables' }], '$6,093.81.'],
    },
    {
      id: 'what-one-owes-es',
      role: 'office',
      level: 'easy',
      language: 'es',
      prompt: '¿Cuánto nos debe Roy McAllister?',
      expect: [],
      answer: [/531\.50/],
      solve: [['read_resource', { uri: 'callout://receivables' }], 'Debe $531.50.'],
    },
    {
      id: 'month-by-customer',
      role: 'owner',
      level: 'medium',
      prompt: 'What did Minh Tran pay us in February?',
      expect: [],
      answer: [/846\.41/],
      solve: [['read_resource', { uri: 'callout://reports/2027-02' }], '$846.41.'],
    },
  ],
}
